// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/rate_content.h"

#include "ui/charts/side_by_side_content.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

QPointF pixelOf(const RateMark& mark, const PlotFrame& frame)
{
    return {frame.x.scale.toPixel(mark.bits), frame.y.front().scale.toPixel(mark.db)};
}

}  // namespace

RateAxes rateAxes()
{
    return {.x = tr("effective bits per value"),
            .y = tr("SQNR, dB"),
            .all = tr("SQNR by effective bits of %1, %2 of which no other one exceeds.")};
}

QString RateContent::textOf(const RateMark& mark) const
{
    return m_axes.areBits ? tr("%1: %2 dB at %3 bits")
                                .arg(mark.format, dbLabel(mark.db), valueLabel(mark.bits))
                          : tr("%1: %2 dB").arg(mark.format, dbLabel(mark.db));
}

std::vector<RateContent::Line> RateContent::lines() const
{
    std::vector<Line> lines;
    for (std::size_t mark = 0; mark < m_marks.size(); ++mark)
        if (lines.empty() || m_marks[mark].family != m_marks[lines.back().first].family)
            lines.push_back({mark, mark + 1});
        else
            lines.back().end = mark + 1;
    return lines;
}

Range RateContent::valuesOf(double RateMark::*value) const
{
    const auto [least, most] = std::ranges::minmax_element(m_marks, {}, value);
    return m_marks.empty() ? Range{0.0, 1.0} : Range{(*least).*value, (*most).*value};
}

std::size_t RateContent::nearest(double bits, double db) const
{
    const Range x = xAxis().all;
    const Range y = valuesOf(&RateMark::db);
    const double height = std::max(y.high - y.low, 1.0);
    const auto found = std::ranges::min_element(m_marks, {}, [&](const RateMark& mark) {
        return std::hypot((mark.bits - bits) / (x.high - x.low), (mark.db - db) / height);
    });
    return static_cast<std::size_t>(found - m_marks.begin());
}

XAxis RateContent::xAxis() const
{
    const Range bits = valuesOf(&RateMark::bits);
    const double width = bits.high - bits.low;
    if (!m_axes.areBits)
        return {.all = {bits.low - 0.03 * width, bits.high + 0.08 * width},
                .title = m_axes.x,
                .linearOnly = tr("This axis is linear.")};
    // Names stand behind the last points.
    return {.all = {bits.low - 0.5, bits.high + std::max(1.0, 0.12 * width)},
            .title = m_axes.x,
            .linearOnly = tr("Bits per value are shown on a linear axis.")};
}

std::vector<YAxis> RateContent::yAxes(const PlotRoom&) const
{
    constexpr double margin = 2.0;
    Range db = valuesOf(&RateMark::db);
    if (m_axes.level)
        db = {std::min(db.low, *m_axes.level), std::max(db.high, *m_axes.level)};
    return {{.values = {db.low - margin, db.high + margin},
             .title = m_axes.y,
             .shorterTitles = {tr("dB")}}};
}

std::vector<LegendEntry> RateContent::legend() const
{
    std::vector<LegendEntry> entries;
    int index = 0;
    for (const Line& line : lines()) {
        const SeriesStyle light = seriesStyle(index, lightChartColors());
        entries.push_back({.text = m_marks[line.first].family,
                           .color = light.color,
                           .colorOnDark = seriesStyle(index, darkChartColors()).color});
        ++index;
    }
    if (m_axes.level)
        entries.push_back({.text = m_axes.levelName, .style = Qt::DashLine, .usesTextColor = true});
    return entries;
}

/// Through the plot, with its name where it begins.
void RateContent::paintLevel(QPainter& painter, const PlotFrame& frame) const
{
    if (!m_axes.level)
        return;
    const double y = frame.y.front().scale.toPixel(*m_axes.level);
    painter.setPen(QPen(frame.colors.text, 1.0, Qt::DashLine));
    painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.area.right(), y));
    painter.drawText(QPointF(frame.area.left() + 6.0, y - 4.0), m_axes.levelName);
}

void RateContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintLevel(painter, frame);
    int index = 0;
    for (const Line& line : lines()) {
        const QColor color = seriesStyle(index++, frame.colors).color;
        QPolygonF points;
        for (std::size_t mark = line.first; mark < line.end; ++mark)
            points << pixelOf(m_marks[mark], frame);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.5));
        painter.drawPolyline(points);
        for (std::size_t mark = line.first; mark < line.end; ++mark) {
            const bool isBest = m_marks[mark].isBest;
            painter.setBrush(isBest ? color : frame.colors.background);
            painter.setPen(QPen(color, 1.5));
            painter.drawEllipse(pixelOf(m_marks[mark], frame), isBest ? 4.0 : 3.0,
                                isBest ? 4.0 : 3.0);
        }
    }
    paintNames(painter, frame);
    if (!m_chosen || *m_chosen >= m_marks.size())
        return;
    painter.setPen(QPen(frame.colors.text, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(pixelOf(m_marks[*m_chosen], frame), 7.0, 7.0);
}

/// Of each line next to one of its points, the last one first, where it covers neither a point nor
/// another name.
void RateContent::paintNames(QPainter& painter, const PlotFrame& frame) const
{
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height();
    constexpr double gap = 8.0;
    std::vector<QRectF> taken;
    for (const RateMark& mark : m_marks)
        taken.push_back(QRectF(pixelOf(mark, frame) - QPointF(5.0, 5.0), QSizeF(10.0, 10.0)));
    int index = 0;
    for (const Line& line : lines()) {
        const QColor color = seriesStyle(index++, frame.colors).color;
        const QString& name = m_marks[line.first].family;
        const QSizeF size(metrics.horizontalAdvance(name), height);
        const auto isFree = [&](const QRectF& box) {
            return frame.area.contains(box) &&
                   std::ranges::none_of(taken,
                                        [&](const QRectF& other) { return other.intersects(box); });
        };
        for (std::size_t mark = line.end; mark > line.first; --mark) {
            const QPointF at = pixelOf(m_marks[mark - 1], frame);
            const double middle = at.x() - size.width() / 2.0;
            const std::vector<QPointF> corners{{at.x() + gap, at.y() - height / 2.0},
                                               {middle, at.y() - height - gap},
                                               {middle, at.y() + gap},
                                               {at.x() + gap, at.y() - height - 2.0},
                                               {at.x() + gap, at.y() + 2.0},
                                               {at.x() - gap - size.width(), at.y() - height - 2.0},
                                               {at.x() - gap - size.width(), at.y() + 2.0}};
            const auto corner = std::ranges::find_if(corners, [&](const QPointF& point) {
                return isFree({point, size});
            });
            if (corner == corners.end())
                continue;
            const QRectF box(*corner, size);
            taken.push_back(box);
            QColor ground = frame.colors.background;
            ground.setAlphaF(0.8F);
            painter.fillRect(box, ground);
            painter.setPen(readableOn(frame.colors.background, color));
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, name);
            break;
        }
    }
}

/// The best that so many bits buy.
QString RateContent::readout(double x, const PlotFrame&) const
{
    const RateMark* best = nullptr;
    if (!m_axes.areBits) {
        const auto distance = [x](const RateMark& mark) { return std::abs(mark.bits - x); };
        const double least = distance(*std::ranges::min_element(m_marks, {}, distance));
        QStringList texts;
        for (const RateMark& mark : m_marks)
            if (distance(mark) <= least)
                texts += textOf(mark);
        return texts.join(QStringLiteral("   "));
    }
    for (const RateMark& mark : m_marks)
        if (mark.bits <= x && (!best || mark.db > best->db))
            best = &mark;
    if (!best)
        return {};
    return tr("with at most %1 bits: %2").arg(fixedLabel(x, 2), textOf(*best));
}

QString RateContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const RateMark& mark = m_marks[nearest(frame.x.scale.toValue(point.x()),
                                           frame.y.front().scale.toValue(point.y()))];
    const QPointF at = pixelOf(mark, frame);
    constexpr double near = 24.0;  // pixels
    return std::hypot(at.x() - point.x(), at.y() - point.y()) > near ? QString() : textOf(mark);
}

std::optional<PlotTable> RateContent::table(const Range& shown) const
{
    PlotTable table{
        .columns = {{m_axes.x}, {m_axes.y}, {tr("number format")}, {tr("family")}, {tr("best")}}};
    for (const RateMark& mark : m_marks)
        if (shown.contains(mark.bits))
            table.addRow(mark.bits, mark.db, mark.format, mark.family,
                         mark.isBest ? tr("yes") : tr("no"));
    return table;
}

QString RateContent::sentences() const
{
    const auto best = std::ranges::count(m_marks, true, &RateMark::isBest);
    QString text =
        m_axes.all.arg(countText(m_marks.size(), tr("1 number format"), tr("%1 number formats")),
                       countLabel(static_cast<std::uint64_t>(best)));
    if (m_chosen && *m_chosen < m_marks.size())
        text += QLatin1Char(' ') + tr("Chosen: %1.").arg(textOf(m_marks[*m_chosen]));
    return text;
}

RatePlot::RatePlot(QWidget* parent) : ContentPlot(parent)
{
    connect(this, &PlotView::clicked, this, [this](const QPointF& values) {
        if (!isEmpty())
            Q_EMIT markChosen(shown().nearest(values.x(), values.y()));
    });
}

void RatePlot::setMarks(std::vector<RateMark> marks)
{
    shown().setMarks(std::move(marks));
    shown().setChosen(std::nullopt);
    update(true);
}

void RatePlot::keyPressEvent(QKeyEvent* event)
{
    const auto mark = neighbourByKey(*event, shown().chosen(), shown().marks().size());
    if (!mark)
        return PlotView::keyPressEvent(event);
    Q_EMIT markChosen(*mark);
}

}  // namespace calibscope
