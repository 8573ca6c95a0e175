// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/graph/graph_content.h"

#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/widgets/tensor_delegates.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

constexpr double halfBox = 0.44;     // of a node's width
constexpr double halfRow = 0.38;     // of a row
constexpr double operands = 0.12;    // of a node's width, at its right end
constexpr double leastHeight = 2.0;  // of a node, in pixels
constexpr double leastColumns = 3.5;
constexpr double leastRows = 9.0;
constexpr double mostRows = 36.0;  // that can be read at a time
constexpr double calmDb = 30.0;    // above the limit, until the colour of what is good is strongest
constexpr double leastShare = 1e-3;  // of the noise at the end that has a colour of its own
constexpr double shareDecades = 3.0;
constexpr double faint = 0.25;  // of what a search does not find

QRectF onScreen(const QRectF& box, const PlotFrame& frame)
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    return {QPointF(x.toPixel(box.left()), y.toPixel(box.top())),
            QPointF(x.toPixel(box.right()), y.toPixel(box.bottom()))};
}

QPointF onScreen(const GraphPoint& point, double rows, const PlotFrame& frame)
{
    return {frame.x.scale.toPixel(point.x), frame.y.front().scale.toPixel(point.y + rows)};
}

double rowHeight(const PlotFrame& frame)
{
    return frame.area.height() / frame.y.front().scale.values().width();
}

}  // namespace

void GraphContent::setNetwork(std::shared_ptr<const Network> network)
{
    m_network = std::move(network);
    m_marks.clear();
    m_chosen.reset();
    m_isOnPath.assign(m_network->graph.nodes.size(), false);
}

void GraphContent::setMarks(std::vector<GraphMark> marks, GraphColors colors)
{
    m_marks = std::move(marks);
    m_colors = colors;
}

void GraphContent::setChosen(std::optional<std::size_t> node)
{
    if (!m_network)
        return;
    m_chosen = node;
    m_isOnPath.assign(m_network->graph.nodes.size(), false);
    std::vector<std::size_t> waiting;
    const auto enter = [&](std::size_t next) {
        if (!m_isOnPath[next])
            waiting.push_back(next);
        m_isOnPath[next] = true;
    };
    if (node)
        enter(*node);
    while (!waiting.empty()) {
        const std::size_t taken = waiting.back();
        waiting.pop_back();
        std::ranges::for_each(m_network->outputs[taken], enter);
    }
}

QString GraphContent::chosenText() const
{
    if (!m_chosen || *m_chosen >= m_marks.size())
        return {};
    const GraphMark& mark = m_marks[*m_chosen];
    QStringList parts{(mark.before + u' ' + mark.name).trimmed()};
    for (const QString& fact : mark.facts)
        if (fact != mark.op || !mark.folded.empty())
            parts += fact;
    const auto addNames = [&](const QString& text, const std::vector<std::size_t>& nodes,
                              const std::vector<GraphMark>& further) {
        QStringList names;
        for (const std::size_t node : nodes)
            names += m_marks[node].name;
        for (const GraphMark& operand : further)
            names += operand.name;
        if (!names.isEmpty())
            parts += text.arg(names.join(QStringLiteral(", ")));
    };
    addNames(tr("reads %1"), m_network->graph.inputs[*m_chosen], mark.operands);
    addNames(tr("read by %1"), m_network->outputs[*m_chosen], {});
    return parts.join(QStringLiteral(", "));
}

void GraphContent::clear()
{
    m_network.reset();
    m_marks.clear();
    m_chosen.reset();
}

std::optional<GraphContent::Hit> GraphContent::at(const QPointF& point) const
{
    if (isEmpty())
        return std::nullopt;
    for (std::size_t node = 0; node < m_marks.size(); ++node) {
        const GraphPoint& centre = m_network->layout.nodes[node];
        if (std::abs(point.y() - centre.y) > halfRow || std::abs(point.x() - centre.x) > halfBox)
            continue;  // between the boxes are lines
        for (std::size_t operand = 0; operand < m_marks[node].operands.size(); ++operand)
            if (const Hit hit{node, operand}; boxOf(hit).contains(point))
                return hit;
        return Hit{node};
    }
    return std::nullopt;
}

std::optional<std::size_t> GraphContent::wireAt(const QPointF& point) const
{
    constexpr double reach = 0.06;  // of a node's width
    if (isEmpty())
        return std::nullopt;
    const std::vector<GraphWire>& wires = m_network->layout.wires;
    for (std::size_t index = 0; index < wires.size(); ++index) {
        GraphPoint before = m_network->layout.nodes[wires[index].from];
        const GraphPoint& last = m_network->layout.nodes[wires[index].to];
        if (point.y() < before.y || point.y() > last.y)
            continue;
        std::vector<GraphPoint> ends = wires[index].bends;
        ends.push_back(last);
        for (const GraphPoint& end : ends) {
            const double part = (point.y() - before.y) / (end.y - before.y);
            // As a curve with vertical ends goes, about.
            const double across = before.x + (end.x - before.x) * part * part * (3.0 - 2.0 * part);
            if (part >= 0.0 && part <= 1.0 && std::abs(point.x() - across) <= reach)
                return index;
            before = end;
        }
    }
    return std::nullopt;
}

const GraphMark* GraphContent::markAt(const QPointF& point) const
{
    if (const auto hit = at(point))
        return &markOf(*hit);
    const auto wire = wireAt(point);
    return wire ? &m_marks[m_network->layout.wires[*wire].from] : nullptr;
}

const GraphMark& GraphContent::markOf(const Hit& hit) const
{
    return hit.operand ? m_marks[hit.node].operands[*hit.operand] : m_marks[hit.node];
}

QRectF GraphContent::boxOf(const Hit& hit) const
{
    const GraphPoint& centre = m_network->layout.nodes[hit.node];
    const QRectF box(centre.x - halfBox, centre.y - halfRow, 2.0 * halfBox, 2.0 * halfRow);
    if (!hit.operand)
        return box;
    const double height = box.height() / static_cast<double>(m_marks[hit.node].operands.size());
    return {box.right() - operands, box.top() + static_cast<double>(*hit.operand) * height,
            operands, height};
}

std::optional<GraphContent::Hit> GraphContent::hitOf(int tensor) const
{
    for (std::size_t node = 0; node < m_marks.size() && tensor >= 0; ++node) {
        if (m_marks[node].tensor == tensor ||
            std::ranges::find(m_marks[node].folded, tensor) != m_marks[node].folded.end())
            return Hit{node};
        const auto& list = m_marks[node].operands;
        if (const auto found = std::ranges::find(list, tensor, &GraphMark::tensor);
            found != list.end())
            return Hit{node, static_cast<std::size_t>(found - list.begin())};
    }
    return std::nullopt;
}

XAxis GraphContent::xAxis() const
{
    const double width = m_network ? m_network->layout.width : 0.0;
    const double missing = std::max(0.0, leastColumns - width) / 2.0;
    return {.all = {-missing, width + missing},
            .numbers = TickNumbers::None,
            .linearOnly = tr("A graph has no axes.")};
}

std::vector<YAxis> GraphContent::yAxes(const PlotRoom&) const
{
    const double missing = std::max(0.0, leastRows - m_network->layout.height) / 2.0;
    return {{.values = {-0.5 - missing, m_network->layout.height - 0.5 + missing},
             .numbers = TickNumbers::None,
             .isDownward = true}};
}

QColor GraphContent::groundOf(const GraphMark& mark, const ChartColors& colors) const
{
    QColor ground = colors.background;
    if (m_colors == GraphColors::Decision)
        ground = blended(colors.background, colors.fill, mark.isDecided ? 0.35 : 0.0);
    else if (m_colors == GraphColors::Precision)
        ground = blended(colors.background, colors.fill,
                         mark.bits == 0  ? 0.0
                         : mark.bits > 8 ? 0.12
                         : mark.bits > 4 ? 0.35
                                         : 0.8);
    else if (mark.endShare)
        ground = heatColor(1.0 + std::log10(std::max(*mark.endShare, leastShare)) / shareDecades,
                           colors.isDark);
    else if (mark.db)
        ground = sqnrGround(*mark.db, (*mark.db - sqnrLimits().good) / calmDb, colors);
    return blended(colors.background, ground, mark.isFound ? 1.0 : faint);
}

std::vector<LegendEntry> GraphContent::legend() const
{
    std::vector<LegendEntry> entries;
    const auto add = [&](const QString& text, const GraphMark& mark) {
        entries.push_back({.text = text,
                           .color = groundOf(mark, lightChartColors()),
                           .sign = LegendEntry::Sign::Swatch,
                           .colorOnDark = groundOf(mark, darkChartColors())});
    };
    if (m_colors == GraphColors::Decision) {
        add(tr("accepted"), {.isDecided = true});
        return entries;
    }
    if (m_colors == GraphColors::Precision) {
        add(tr("up to 4 bits"), {.bits = 4});
        add(tr("5 to 8"), {.bits = 8});
        add(tr("more"), {.bits = 16});
        return entries;
    }
    if (m_colors == GraphColors::EndShare) {
        add(tr("up to 0.1 %"), {.endShare = leastShare});
        for (const double share : {0.01, 0.1, 1.0})
            add(tr("%1 %").arg(valueLabel(100.0 * share)), {.endShare = share});
        return entries;
    }
    const SqnrLimits limits = sqnrLimits();
    add(tr("below %1 dB").arg(valueLabel(limits.poor)), {.db = limits.poor - 1e-6});
    add(tr("below %1 dB").arg(valueLabel(limits.good)), {.db = limits.good - 1e-6});
    add(tr("from %1 dB").arg(valueLabel(limits.good)), {.db = limits.good + calmDb});
    return entries;
}

void GraphContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    paintWires(painter, frame);
    const Range rows = frame.y.front().scale.values();
    const Range& columns = frame.x.scale.values();
    std::vector<std::size_t> order(m_marks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (rowHeight(frame) < leastHeight)  // they lie over one another: the worst on top
        std::ranges::stable_sort(order, {}, [this](std::size_t node) {
            const GraphMark& mark = m_marks[node];
            constexpr double unknown = -std::numeric_limits<double>::infinity();
            return mark.db ? -*mark.db : mark.endShare.value_or(unknown);
        });
    for (const std::size_t node : order) {
        const QRectF box = boxOf({node});
        if (box.bottom() < rows.low || box.top() > rows.high || box.right() < columns.low ||
            box.left() > columns.high)
            continue;
        paintNode(painter, frame, {node});
        for (std::size_t operand = 0; operand < m_marks[node].operands.size(); ++operand)
            paintNode(painter, frame, {node, operand});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Those of the path over the others.
void GraphContent::paintWires(QPainter& painter, const PlotFrame& frame) const
{
    constexpr double leastCurve = 18.0;  // pixels of a row; a curve is not seen in less
    constexpr double leastColumn = 40.0;
    constexpr double leastRow = 3.0;  // lines would hide the nodes
    const double widest = std::min(4.0, rowHeight(frame) / 10.0);
    const Range rows = frame.y.front().scale.values();
    const bool isClose = rowHeight(frame) >= leastCurve &&
                         frame.area.width() / frame.x.scale.values().width() >= leastColumn;
    if (rowHeight(frame) < leastRow)
        return;
    painter.setRenderHint(QPainter::Antialiasing, isClose);
    painter.setBrush(Qt::NoBrush);
    const QColor plain = blended(frame.colors.background, frame.colors.text, 0.3);
    for (const bool isPath : {false, true}) {
        QList<QLineF> lines;  // of far wires, together: some thousand are drawn within a frame
        QPen pen(isPath ? frame.colors.text : plain, 1.0, Qt::SolidLine, Qt::FlatCap,
                 Qt::RoundJoin);
        for (const GraphWire& wire : m_network->layout.wires) {
            const GraphPoint& from = m_network->layout.nodes[wire.from];
            const GraphPoint& to = m_network->layout.nodes[wire.to];
            if (m_isOnPath[wire.from] != isPath || std::max(from.y, to.y) < rows.low ||
                std::min(from.y, to.y) > rows.high)
                continue;
            const bool isUpward = to.y <= from.y;
            QPointF before = onScreen(from, isUpward ? -halfRow : halfRow, frame);
            QPainterPath path(before);
            const auto go = [&](const QPointF& point) {
                const QPointF bow(0.0, (point.y() - before.y()) / 2.0);
                if (!isClose)
                    lines.emplace_back(before, point);
                else if (point.x() != before.x())
                    path.cubicTo(before + bow, point - bow, point);
                else
                    path.lineTo(point);
                before = point;
            };
            for (const GraphPoint& bend : wire.bends)
                go(onScreen(bend, 0.0, frame));
            go(onScreen(to, isUpward ? halfRow : -halfRow, frame));
            if (!isClose)
                continue;
            pen.setWidthF(0.8 + widest * m_marks[wire.from].size);
            painter.setPen(pen);
            painter.drawPath(path);
        }
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLines(lines);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void GraphContent::paintNode(QPainter& painter, const PlotFrame& frame, const Hit& hit) const
{
    constexpr double leastBordered = 5.0;
    constexpr double leastOperand = 3.0;
    const GraphMark& mark = markOf(hit);
    QRectF box = onScreen(boxOf(hit), frame);
    if (hit.operand && (box.height() < leastOperand || box.width() < leastOperand))
        return;
    box.setHeight(std::max(box.height(), leastHeight));
    painter.fillRect(box, groundOf(mark, frame.colors));
    if (box.height() >= leastBordered || !(mark.db || mark.endShare)) {
        const QColor edge = blended(frame.colors.background, frame.colors.text,
                                    !mark.isFound          ? faint
                                    : m_isOnPath[hit.node] ? 0.9
                                                           : 0.5);
        painter.setPen(QPen(edge, 1.0, mark.tensor < 0 ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        constexpr double gap = 2.0;
        if (!mark.folded.empty() && box.height() >= 2.0 * leastBordered)
            painter.drawRect(box.adjusted(gap, gap, -gap, -gap));
    }
    if (hit.operand)
        return;
    if (!mark.operands.empty())
        box.setRight(onScreen(boxOf({hit.node, 0}), frame).left());
    paintText(painter, frame, mark, box);
}

void GraphContent::paintText(QPainter& painter, const PlotFrame& frame, const GraphMark& mark,
                             QRectF box) const
{
    constexpr double leastWidth = 34.0;
    constexpr double inset = 4.0;
    const QFontMetrics metrics(frame.font);
    // A name may reach out of a flat box, as far as rows stay apart.
    if (rowHeight(frame) < metrics.ascent() + 2.0 || box.width() < leastWidth)
        return;
    const bool hasTwoLines = box.height() >= 2.0 * metrics.height() && !mark.op.isEmpty();
    const int width = static_cast<int>(box.width() - 2.0 * inset);
    const QColor ground = groundOf(mark, frame.colors);
    const auto write = [&](const QString& text, double y, const QColor& color) {
        painter.setPen(blended(ground, readableOn(ground, color), mark.isFound ? 1.0 : faint));
        painter.drawText(QPointF(box.left() + inset, y + metrics.capHeight() / 2.0), text);
    };
    const bool isDark =
        contrastRatio(ground, frame.colors.text) < contrastRatio(ground, frame.colors.background);
    const QColor& ink = isDark ? frame.colors.background : frame.colors.text;
    const QColor& faintInk = isDark ? ink : frame.colors.faintText;
    const double middle = box.center().y();
    const double step = hasTwoLines ? metrics.height() / 2.0 : 0.0;
    // The op gives way to a name that needs its room to differ from others.
    constexpr int fairName = 120;
    const int leastName = std::min(metrics.horizontalAdvance(mark.name), fairName);
    const QString before = mark.before + u' ';
    int room = width;
    if (const int taken = metrics.horizontalAdvance(before);
        !hasTwoLines && !mark.before.isEmpty() && width - taken >= leastName) {
        write(before, middle, faintInk);
        box.setLeft(box.left() + taken);
        room -= taken;
    }
    write(mark.needs.isEmpty() ? metrics.elidedText(mark.name, Qt::ElideRight, room)
                               : elidedName(mark.name, metrics, room, mark.needs),
          middle - step, mark.tensor < 0 ? faintInk : ink);
    if (hasTwoLines)
        write(metrics.elidedText(mark.op, Qt::ElideRight, width), middle + step, faintInk);
}

QString GraphContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const GraphMark* mark =
        markAt({frame.x.scale.toValue(point.x()), frame.y.front().scale.toValue(point.y())});
    return mark ? (QStringList{mark->name} + mark->facts).join(u'\n') : QString();
}

QString GraphContent::sentences() const
{
    const GraphMark* worst = nullptr;
    for (const GraphMark& mark : m_marks)
        if (mark.db && (!worst || *mark.db < *worst->db))
            worst = &mark;
    QString text = tr("A graph of %1 tensors and %2 lines.")
                       .arg(countLabel(m_marks.size()), countLabel(m_network->layout.wires.size()));
    const auto most = std::ranges::max_element(m_marks, {}, &GraphMark::endShare);
    if (most != m_marks.end() && most->endShare)
        text += tr(" The largest share of the noise at the end, %1 %, is of %2.")
                    .arg(fixedLabel(100.0 * *most->endShare, 1), most->name);
    if (worst)
        text += tr(" The lowest SQNR is %1 dB, of %2.").arg(fixedLabel(*worst->db, 1), worst->name);
    if (const QString chosen = chosenText(); !chosen.isEmpty())
        text += tr(" Selected: %1.").arg(chosen);
    return text;
}

std::optional<PlotTable> GraphContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("tensor")}, {tr("op, shape")}, {tr("takes")}, {tr("SQNR dB")}}};
    if (m_colors == GraphColors::EndShare)
        table.columns.back() = {tr("share of the end's noise %")};
    for (std::size_t node = 0; node < m_marks.size(); ++node) {
        if (!shown.contains(m_network->layout.nodes[node].x))
            continue;
        QStringList taken;
        for (const std::size_t input : m_network->graph.inputs[node])
            taken += m_marks[input].name;
        for (const GraphMark& operand : m_marks[node].operands)
            taken += operand.name;
        table.addRow(m_marks[node].name, m_marks[node].op, taken.join(QStringLiteral(", ")),
                     m_marks[node].endShare
                         ? 100.0 * *m_marks[node].endShare
                         : m_marks[node].db.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    return table;
}

GraphPlot::GraphPlot(QWidget* parent) : ContentPlot(parent)
{
    connect(this, &PlotView::clicked, this, [this](const QPointF& values) {
        if (const auto hit = shown().at(values); hit && shown().markOf(*hit).tensor >= 0)
            Q_EMIT chosen(shown().markOf(*hit).tensor);
    });
    connect(this, &PlotView::pointed, this, [this](std::optional<QPointF> values) {
        m_pointed = values;
        refreshGhost();
    });
}

void GraphPlot::setChosen(int tensor)
{
    m_chosen = tensor;
    const auto hit = isEmpty() ? std::nullopt : shown().hitOf(tensor);
    shown().setChosen(hit ? std::optional(hit->node) : std::nullopt);
    update(false);
    if (hit && QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(this, shown().chosenText());
        QAccessible::updateAccessibility(&event);
    }
    if (hit)
        reveal(shown().boxOf({hit->node}));
    refreshGhost();
}

/// A ring around the chosen tensor, and in the corner the sparkline of the one under the pointer.
void GraphPlot::refreshGhost()
{
    setGhost([this](QPainter& painter, const PlotFrame& frame) {
        if (isEmpty())
            return;
        painter.setBrush(Qt::NoBrush);
        if (const auto hit = shown().hitOf(m_chosen)) {
            const QRectF ring = onScreen(shown().boxOf(*hit), frame).adjusted(-2.0, -2.0, 2.0, 2.0);
            for (const auto& [color, width] :
                 {std::pair(frame.colors.background, 5.0), std::pair(frame.colors.text, 2.5)}) {
                painter.setPen(QPen(color, width));
                painter.drawRect(ring);
            }
        }
        const GraphMark* pointed = m_pointed ? shown().markAt(*m_pointed) : nullptr;
        if (pointed == nullptr || pointed->counts.isEmpty())
            return;
        constexpr QSizeF size(132.0, 40.0);
        constexpr double inset = 4.0;
        const QRectF box(frame.area.topLeft() + QPointF(inset, inset), size);
        painter.fillRect(box, frame.colors.background);
        painter.setPen(QPen(frame.colors.axis, 1.0));
        painter.drawRect(box);
        paintSparkline(painter, box.adjusted(inset, inset, -inset, -1.0), pointed->counts,
                       frame.colors.fill);
    });
}

void GraphPlot::showClosely(int tensor)
{
    constexpr double shownRows = 24.0;
    const auto hit = isEmpty() ? std::nullopt : shown().hitOf(tensor);
    if (isDeep()) {
        const double top = (hit ? shown().boxOf(*hit).top() : 0.0) - 2.0;
        setZoom({.x = std::nullopt, .y = {{top, top + shownRows}}});
    }
    setChosen(tensor);
}

bool GraphPlot::isDeep() const
{
    return !isEmpty() && shown().network()->layout.height > mostRows;
}

void GraphPlot::goHome()
{
    const std::vector<Range> rows = zoom().y;
    const auto hit = isDeep() ? shown().hitOf(m_chosen) : std::nullopt;
    const bool isClose = !rows.empty() && rows.front().width() <= mostRows &&
                         (!hit || rows.front().contains(shown().boxOf({hit->node}).center().y()));
    if (isDeep() && !isClose)
        showClosely(m_chosen);
    else
        fit();
}

void GraphPlot::reveal(const QRectF& box)
{
    PlotZoom now = zoom();
    const auto holdIn = [](Range& range, double low, double high) {
        if (range.contains(low) && range.contains(high))
            return false;
        const double half = range.width() / 2.0;
        range = {(low + high) / 2.0 - half, (low + high) / 2.0 + half};
        return true;
    };
    bool isMoved = now.x && holdIn(*now.x, box.left(), box.right());
    if (!now.y.empty())
        isMoved = holdIn(now.y.front(), box.top(), box.bottom()) || isMoved;
    if (isMoved)
        setZoom(now);
}

/// Along a line the node that is nearest in x; in a row the next one; only those with a tensor.
std::optional<std::size_t> GraphPlot::next(Qt::Key key) const
{
    const auto from = shown().hitOf(m_chosen);
    const GraphContent::Network& network = *shown().network();
    const auto& nodes = network.layout.nodes;
    std::vector<std::size_t> offered;
    for (std::size_t node = 0; node < nodes.size(); ++node)
        if (shown().marks()[node].tensor >= 0 && (!from || nodes[node].y == nodes[from->node].y))
            offered.push_back(node);
    if (!from)
        return offered.empty() ? std::nullopt : std::optional(offered.front());
    if (key == Qt::Key_Up)
        offered = network.graph.inputs[from->node];
    else if (key == Qt::Key_Down)
        offered = network.outputs[from->node];
    const double x = nodes[from->node].x;
    std::erase_if(offered, [&](std::size_t node) {
        return shown().marks()[node].tensor < 0 || node == from->node ||
               (key == Qt::Key_Left && nodes[node].x > x) ||
               (key == Qt::Key_Right && nodes[node].x < x);
    });
    const auto nearest = std::ranges::min_element(
        offered, {}, [&](std::size_t node) { return std::abs(nodes[node].x - x); });
    return nearest == offered.end() ? std::nullopt : std::optional(*nearest);
}

namespace {

bool isGraphKey(const QKeyEvent& event)
{
    constexpr std::array keys = {Qt::Key_Up,     Qt::Key_Down,  Qt::Key_Left,  Qt::Key_Right,
                                 Qt::Key_Return, Qt::Key_Enter, Qt::Key_Slash, Qt::Key_Space};
    return (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == 0 &&
           std::ranges::find(keys, event.key()) != keys.end();
}

}  // namespace

bool GraphPlot::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && !isEmpty() &&
        isGraphKey(static_cast<const QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return ContentPlot::event(event);
}

void GraphPlot::keyPressEvent(QKeyEvent* event)
{
    if (isEmpty() || !isGraphKey(*event))
        return ContentPlot::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Slash: Q_EMIT searchRequested(); return;
    case Qt::Key_Space: Q_EMIT foldRequested(); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen >= 0)
            Q_EMIT opened(m_chosen);
        return;
    default:
        if (const auto node = next(static_cast<Qt::Key>(event->key())))
            Q_EMIT chosen(shown().marks()[*node].tensor);
    }
}

}  // namespace calibscope
