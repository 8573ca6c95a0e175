// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/slice_content.h"

#include "ui/charts/slice_colors.h"
#include "ui/plot/axis_scale.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/translate.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::uint8_t odd = Slice::HasNan | Slice::HasPositiveInf | Slice::HasNegativeInf;

/// Values along an axis of indices: a value's cell reaches half a step to both sides.
Range indexRange(std::uint64_t count)
{
    return {-0.5, static_cast<double>(count) - 0.5};
}

/// The index at a place of such an axis; nothing beside it.
std::optional<std::uint64_t> indexAt(double place, std::uint64_t count)
{
    const double index = std::round(place);
    if (!(index >= 0.0) || index >= static_cast<double>(count))
        return std::nullopt;
    return static_cast<std::uint64_t>(index);
}

bool holds(const Slice& slice, std::uint64_t row, std::uint64_t column)
{
    return row >= slice.firstRow && row - slice.firstRow < slice.rowCount &&
           column >= slice.firstColumn && column - slice.firstColumn < slice.columnCount;
}

// The colour bar, in pixels.
constexpr double barPixels = 10.0;
constexpr double barTick = 3.0;
constexpr double barGap = 5.0;  // above and below

std::size_t placeIn(const Slice& slice, std::uint64_t row, std::uint64_t column)
{
    return slice.cell((row - slice.firstRow) / slice.rowStep,
                      (column - slice.firstColumn) / slice.columnStep);
}

}  // namespace

void SliceLineContent::setLine(Shared line, std::uint64_t length)
{
    m_line = std::move(line);
    m_length = length;
    if (!m_line)
        return;
    const bool isRow = m_line->rowCount == 1;
    m_first = isRow ? m_line->firstColumn : m_line->firstRow;
    m_step = isRow ? m_line->columnStep : m_line->rowStep;
}

XAxis SliceLineContent::xAxis() const
{
    return indexAxis(m_length, m_xTitle);
}

Range SliceLineContent::indicesOf(std::size_t cell) const
{
    const double low = static_cast<double>(m_first + cell * m_step) - 0.5;
    return {low, std::min(low + static_cast<double>(m_step), static_cast<double>(m_length) - 0.5)};
}

std::pair<std::size_t, std::size_t> SliceLineContent::cellsIn(const Range& shown) const
{
    const auto most = static_cast<double>(m_line->low.size());
    const auto first = static_cast<double>(m_first);
    const auto step = static_cast<double>(m_step);
    const double low = std::floor((shown.low + 0.5 - first) / step);
    const double high = std::ceil((shown.high + 0.5 - first) / step);
    return {static_cast<std::size_t>(std::clamp(low, 0.0, most)),
            static_cast<std::size_t>(std::clamp(high, 0.0, most))};
}

Range SliceLineContent::valueRange(const Range& shown) const
{
    Range values{0.0, 0.0};  // 0 is always in view
    const auto [first, end] = cellsIn(shown);
    for (std::size_t cell = first; cell < end; ++cell) {
        if (std::isnan(m_line->low[cell]))
            continue;
        values.low = std::min(values.low, static_cast<double>(m_line->low[cell]));
        values.high = std::max(values.high, static_cast<double>(m_line->high[cell]));
    }
    const double margin = values.width() > 0.0 ? 0.04 * values.width() : 1.0;
    return {values.low < 0.0 ? values.low - margin : 0.0,
            values.high > 0.0 || values.low == 0.0 ? values.high + margin : 0.0};
}

std::vector<YAxis> SliceLineContent::yAxes(const PlotRoom& room) const
{
    return {{.values = valueRange(room.x.values()), .title = QStringLiteral("x")}};
}

void SliceLineContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    const bool isDark = frame.colors.isDark;
    const double zero = y.toPixel(0.0);
    const auto [first, end] = cellsIn(x.values());
    const bool areApart = x.toPixel(1.0) - x.toPixel(0.0) >= 3.0;
    const auto band = [&](const Range& across, double from, double to, const QColor& color) {
        const double top = std::min(from, to);
        painter.fillRect(QRectF(across.low, top, std::max(across.width(), 1.0),
                                std::max(std::abs(to - from), 1.5)),
                         color);
    };
    for (std::size_t cell = first; cell < end; ++cell) {
        const Range indices = indicesOf(cell);
        Range across{x.toPixel(indices.low), x.toPixel(indices.high)};
        if (areApart)
            across.high -= 1.0;
        if ((m_line->marks[cell] & odd) != 0)
            painter.fillRect(
                QRectF(across.low, frame.area.bottom() - 7.0, std::max(across.width(), 2.0), 7.0),
                (m_line->marks[cell] & Slice::HasNan) != 0 ? SliceColors::nan(isDark)
                                                           : SliceColors::infinite(isDark));
        if (std::isnan(m_line->low[cell]))
            continue;
        // From 0 on, as columns: single values are then seen as well as reaches.
        const double low = static_cast<double>(m_line->low[cell]);
        const double high = static_cast<double>(m_line->high[cell]);
        band(across, y.toPixel(std::max(high, 0.0)), y.toPixel(std::min(low, 0.0)),
             frame.colors.fill);
        if (m_line->clipped[cell] == 0 || !m_clip)
            continue;
        if (high > m_clip->high)
            band(across, y.toPixel(high), y.toPixel(m_clip->high), SliceColors::clipped(isDark));
        if (low < m_clip->low)
            band(across, y.toPixel(low), y.toPixel(m_clip->low), SliceColors::clipped(isDark));
    }
    painter.setPen(QPen(frame.colors.axis, 1.0));
    painter.drawLine(QLineF(frame.area.left(), zero, frame.area.right(), zero));
    if (!m_clip)
        return;
    for (const double clipEnd : {m_clip->low, m_clip->high}) {
        if (!y.values().contains(clipEnd) || clipEnd == 0.0)
            continue;
        const double pixel = std::round(y.toPixel(clipEnd));
        painter.setPen(QPen(SliceColors::clipped(isDark), 1.5, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QLineF(frame.area.left(), pixel, frame.area.right(), pixel));
    }
}

std::optional<std::size_t> SliceLineContent::cellAt(double x) const
{
    const double cell =
        std::floor((x + 0.5 - static_cast<double>(m_first)) / static_cast<double>(m_step));
    if (!(cell >= 0.0) || cell >= static_cast<double>(m_line->low.size()))
        return std::nullopt;
    return static_cast<std::size_t>(cell);
}

QString SliceLineContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> cell = cellAt(x);
    if (!cell)
        return {};
    const std::uint64_t first = m_first + *cell * m_step;
    const std::uint64_t last = std::min(first + m_step, m_length) - 1;
    const QString where =
        first == last ? countLabel(first) : tr("%1 to %2").arg(countLabel(first), countLabel(last));
    if ((m_line->marks[*cell] & Slice::IsUnread) != 0)
        return tr("%1   %2   not read yet").arg(m_xTitle, where);
    const double low = static_cast<double>(m_line->low[*cell]);
    const double high = static_cast<double>(m_line->high[*cell]);
    if (std::isnan(low))
        return tr("%1   %2   no finite value").arg(m_xTitle, where);
    return low == high ? tr("%1   %2   value %3").arg(m_xTitle, where, valueLabel(low, 6))
                       : tr("%1   %2   from %3 to %4")
                             .arg(m_xTitle, where, valueLabel(low, 6), valueLabel(high, 6));
}

QString SliceLineContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    return readout(frame.x.scale.toValue(point.x()), frame)
        .replace(QStringLiteral("   "), QStringLiteral("\n"));
}

QString SliceLineContent::sentences() const
{
    const Range values = valueRange(fullRange());
    return tr("Values along %1, %2 of them, between %3 and %4.")
        .arg(m_xTitle, countLabel(m_length), valueLabel(values.low), valueLabel(values.high));
}

std::optional<PlotTable> SliceLineContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("index")}, {tr("least")}, {tr("greatest")}, {tr("clipped")}}};
    const auto [first, end] = cellsIn(shown);
    for (std::size_t cell = first; cell < end; ++cell)
        table.addRow(std::uint64_t{m_first + cell * m_step}, double{m_line->low[cell]},
                     double{m_line->high[cell]}, std::uint64_t{m_line->clipped[cell]});
    return table;
}

void SliceContent::clear()
{
    m_whole.reset();
    m_part.reset();
    m_drawnWhole = {};
    m_drawnPart = {};
}

XAxis indexAxis(std::uint64_t count, const QString& title)
{
    return {.all = indexRange(count),
            .title = title,
            .numbers = TickNumbers::Ordinals,
            .linearOnly = tr("Indices are shown side by side; their axis is linear.")};
}

XAxis SliceContent::xAxis() const
{
    return indexAxis(m_columns, m_words.columns);
}

std::vector<YAxis> SliceContent::yAxes(const PlotRoom&) const
{
    return {{.values = indexRange(m_rows),
             .title = m_words.rows,
             .numbers = TickNumbers::Ordinals,
             .isDownward = true}};
}

std::vector<LegendEntry> SliceContent::legend() const
{
    std::vector<LegendEntry> entries;
    const auto addOwn = [&entries](const QString& text, QColor (*color)(bool)) {
        entries.push_back({.text = text,
                           .color = color(false),
                           .sign = LegendEntry::Sign::Swatch,
                           .colorOnDark = color(true)});
    };
    if (hasMarked())
        addOwn(m_words.marked, SliceColors::marked);
    else if (!m_words.clipped.isEmpty())
        addOwn(m_words.clipped, SliceColors::clipped);
    const auto count = [this](std::uint64_t Slice::*number) {
        return (m_whole ? (*m_whole).*number : 0) + (m_part ? (*m_part).*number : 0);
    };
    if (count(&Slice::nan) > 0)
        addOwn(QStringLiteral("NaN"), SliceColors::nan);
    if (count(&Slice::infinite) > 0)
        addOwn(tr("infinite"), SliceColors::infinite);
    return entries;
}

double SliceContent::bandHeight(const PlotRoom& room) const
{
    constexpr double leastPlot = 110.0;
    return room.size.height() < leastPlot
               ? 0.0
               : barGap + barPixels + barTick + room.metrics.height() + barGap;
}

/// From the least value that has a colour of its own to the greatest; what is clipped, at both ends
/// and inside, in the colour that it has in the picture.
void SliceContent::paintBand(QPainter& painter, const PlotFrame& frame) const
{
    const bool isDark = frame.colors.isDark;
    const SliceColors colors(m_range, isDark, m_words.isOneSided);
    const Range& shown = colors.range();
    const bool hasClips = !m_words.clipped.isEmpty() && !hasMarked();
    const auto colorOf = [&](double value) {
        if (hasMarked())
            return colors.besideMarked(value);
        return hasClips && m_words.clip && !m_words.clip->contains(value)
                   ? SliceColors::clipped(isDark).rgb()
                   : colors.ofValue(value);
    };
    constexpr double mostWidth = 460.0;
    constexpr double cap = 10.0;  // what is beyond
    const double width = std::floor(std::min(frame.area.width(), mostWidth) - 2.0 * cap);
    const QRectF bar(std::round(frame.area.left() + cap), std::round(frame.band.top() + barGap),
                     width, barPixels);
    if (!(width > cap))
        return;
    for (double x = 0.0; x < width; x += 1.0)
        painter.fillRect(QRectF(bar.left() + x, bar.top(), 1.0, bar.height()),
                         QColor(colorOf(shown.low + (x + 0.5) / width * shown.width())));
    for (const bool isHigh : {false, true}) {
        const QRectF end(isHigh ? bar.right() + 1.0 : bar.left() - cap, bar.top(), cap - 1.0,
                         bar.height());
        painter.fillRect(end, hasClips ? SliceColors::clipped(isDark)
                                       : QColor(colorOf(isHigh ? shown.high : shown.low)));
    }
    paintBarTicks(painter, frame, shown, bar);
}

void SliceContent::paintBarTicks(QPainter& painter, const PlotFrame& frame, const Range& shown,
                                 const QRectF& bar) const
{
    const QFontMetricsF metrics(frame.font);
    constexpr double labelPixels = 48.0;
    std::vector<double> values;
    const int most = std::max(1, static_cast<int>(bar.width() / labelPixels));
    for (const Tick& tick : linearTicks(shown, most, TickNumbers::Values).ticks)
        if (tick.isMajor)
            values.push_back(tick.value);
    if (!(shown.width() > 0.0))
        values = {shown.low};
    painter.setFont(frame.font);
    painter.setPen(frame.colors.text);
    double end = frame.band.left();
    for (const double value : values) {
        const double share = shown.width() > 0.0 ? (value - shown.low) / shown.width() : 0.5;
        const double x = std::round(bar.left() + share * bar.width());
        const QString label = valueLabel(value);
        const double width = metrics.horizontalAdvance(label);
        painter.fillRect(QRectF(x, bar.bottom(), 1.0, barTick), frame.colors.text);
        if (x - width / 2.0 < end || x + width / 2.0 > frame.band.right())
            continue;
        painter.drawText(QPointF(x - width / 2.0, bar.bottom() + barTick + metrics.ascent()),
                         label);
        constexpr double labelGap = 6.0;
        end = x + width / 2.0 + labelGap;
    }
}

const QImage& SliceContent::imageOf(const Shared& slice, Drawn& drawn, bool isDark) const
{
    if (drawn.slice == slice && drawn.range == m_range && drawn.isDark == isDark &&
        drawn.hasMarked == hasMarked())
        return drawn.image;
    const SliceColors colors(m_range, isDark, m_words.isOneSided);
    const auto width = static_cast<int>(slice->columns);
    const auto height = static_cast<int>(slice->rows);
    QImage image(width, height, QImage::Format_RGB32);
    std::size_t cell = 0;
    for (int row = 0; row < height; ++row) {
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < width; ++column)
            pixels[column] = colors.ofCell(*slice, cell++, hasMarked());
    }
    drawn = {.slice = slice,
             .range = m_range,
             .isDark = isDark,
             .hasMarked = hasMarked(),
             .image = std::move(image)};
    return drawn.image;
}

void SliceContent::draw(QPainter& painter, const PlotFrame& frame, const Shared& slice,
                        Drawn& drawn) const
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    const QImage& image = imageOf(slice, drawn, frame.colors.isDark);
    const auto firstRow = static_cast<double>(slice->firstRow);
    const auto firstColumn = static_cast<double>(slice->firstColumn);
    const auto rowStep = static_cast<double>(slice->rowStep);
    const auto columnStep = static_cast<double>(slice->columnStep);
    // The cells that are on screen, so that nothing far outside of it is scaled.
    const auto cellsIn = [](const Range& shown, double first, double step, std::uint64_t count) {
        const double low = std::floor((shown.low + 0.5 - first) / step);
        const double high = std::ceil((shown.high + 0.5 - first) / step);
        const auto most = static_cast<double>(count);
        return Range{std::clamp(low, 0.0, most), std::clamp(high, 0.0, most)};
    };
    const Range rows = cellsIn(y.values(), firstRow, rowStep, slice->rows);
    const Range columns = cellsIn(x.values(), firstColumn, columnStep, slice->columns);
    if (!(rows.width() > 0.0) || !(columns.width() > 0.0))
        return;
    const auto ratio = deviceRatio(painter);
    const auto edgeX = [&](double cell) {
        const double value = std::min(firstColumn + cell * columnStep,
                                      firstColumn + static_cast<double>(slice->columnCount));
        return snapped(x.toPixel(value - 0.5), ratio);
    };
    const auto edgeY = [&](double cell) {
        const double value =
            std::min(firstRow + cell * rowStep, firstRow + static_cast<double>(slice->rowCount));
        return snapped(y.toPixel(value - 0.5), ratio);
    };
    // The last cell may have fewer values: drawn by itself, or all would be shifted.
    const auto drawPart = [&](const Range& someRows, const Range& someColumns) {
        if (someRows.width() > 0.0 && someColumns.width() > 0.0)
            painter.drawImage(
                QRectF(QPointF(edgeX(someColumns.low), edgeY(someRows.low)),
                       QPointF(edgeX(someColumns.high), edgeY(someRows.high))),
                image,
                QRectF(someColumns.low, someRows.low, someColumns.width(), someRows.width()));
    };
    const double wholeRows =
        std::max(std::min(rows.high, static_cast<double>(slice->rows) - 1.0), rows.low);
    const double wholeColumns =
        std::max(std::min(columns.high, static_cast<double>(slice->columns) - 1.0), columns.low);
    drawPart({rows.low, wholeRows}, {columns.low, wholeColumns});
    drawPart({wholeRows, rows.high}, {columns.low, wholeColumns});
    drawPart({rows.low, wholeRows}, {wholeColumns, columns.high});
    drawPart({wholeRows, rows.high}, {wholeColumns, columns.high});
}

void SliceContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    draw(painter, frame, m_whole, m_drawnWhole);
    if (m_part)
        draw(painter, frame, m_part, m_drawnPart);
}

SliceContent::Cell SliceContent::cellAt(std::uint64_t row, std::uint64_t column) const
{
    for (const Shared& slice : {m_part, m_whole})
        if (slice && holds(*slice, row, column)) {
            const std::size_t place = placeIn(*slice, row, column);
            if ((slice->marks[place] & Slice::IsUnread) == 0)
                return {slice.get(), place};
        }
    return {};
}

QString SliceContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::uint64_t> column = indexAt(x, m_columns);
    return column ? QStringLiteral("%1   %2").arg(m_words.columns, countLabel(*column)) : QString();
}

QString SliceContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const auto column = indexAt(frame.x.scale.toValue(point.x()), m_columns);
    const auto row = indexAt(frame.y.front().scale.toValue(point.y()), m_rows);
    return row && column && m_words.at ? m_words.at(*row, *column) : QString();
}

QString SliceContent::sentences() const
{
    QString text =
        tr("%1 by %2 %3, %4 down and %5 across, from %6 to %7.")
            .arg(countLabel(m_rows), countLabel(m_columns),
                 m_words.counted.isEmpty() ? tr("values") : m_words.counted, m_words.rows,
                 m_words.columns, valueLabel(m_range.low), valueLabel(m_range.high));
    if (const std::uint64_t clipped = m_whole->clippedCount(); clipped > 0)
        text += u' ' + tr("%1 of %2 that were read are clipped.")
                           .arg(countLabel(clipped), countLabel(m_whole->read));
    if (m_whole->nan > 0)
        text += u' ' + tr("%1 are NaN.").arg(countLabel(m_whole->nan));
    return text;
}

std::optional<PlotTable> SliceContent::table(const Range& shown) const
{
    const Slice& slice = m_part ? *m_part : *m_whole;
    constexpr std::size_t mostRows = 200000;
    PlotTable table{
        .columns = {{tr("row")}, {tr("column")}, {tr("least")}, {tr("greatest")}, {tr("clipped")}}};
    for (std::size_t cell = 0; cell < slice.low.size() && table.rowCount() < mostRows; ++cell) {
        const std::uint64_t column = slice.firstColumn + cell % slice.columns * slice.columnStep;
        if (shown.contains(static_cast<double>(column)) &&
            (slice.marks[cell] & Slice::IsUnread) == 0)
            table.addRow(std::uint64_t{slice.firstRow + cell / slice.columns * slice.rowStep},
                         column, double{slice.low[cell]}, double{slice.high[cell]},
                         std::uint64_t{slice.clipped[cell]});
    }
    return table;
}

SlicePlot::SlicePlot(QWidget* parent) : ContentPlot(parent)
{
    connect(this, &PlotView::clicked, this, [this](const QPointF& values) {
        const double rows =
            shown().yAxes({{}, {}, QFontMetricsF(font())}).front().values.high + 0.5;
        const double columns = shown().fullRange().high + 0.5;
        const auto row = indexAt(values.y(), static_cast<std::uint64_t>(rows));
        const auto column = indexAt(values.x(), static_cast<std::uint64_t>(columns));
        if (row && column)
            Q_EMIT chosen(*row, *column);
    });
}

void SlicePlot::setChosen(std::uint64_t row, std::uint64_t column)
{
    setGhost([row, column](QPainter& painter, const PlotFrame& frame) {
        const AxisScale& x = frame.x.scale;
        const AxisScale& y = frame.y.front().scale;
        const QPointF low(x.toPixel(static_cast<double>(column) - 0.5),
                          y.toPixel(static_cast<double>(row) - 0.5));
        const QPointF high(x.toPixel(static_cast<double>(column) + 0.5),
                           y.toPixel(static_cast<double>(row) + 0.5));
        constexpr double least = 9.0;  // to be seen where a value is smaller
        QRectF ring(low, high);
        ring = QRectF(ring.center() - QPointF(std::max(ring.width(), least) / 2.0,
                                              std::max(ring.height(), least) / 2.0),
                      QSizeF(std::max(ring.width(), least), std::max(ring.height(), least)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(frame.colors.background, 3.0));
        painter.drawRect(ring);
        painter.setPen(QPen(frame.colors.text, 1.5));
        painter.drawRect(ring);
    });
}

void SlicePlot::reveal(std::uint64_t row, std::uint64_t column)
{
    PlotZoom now = zoom();
    const auto holdIn = [](std::optional<Range> shown, double place) {
        if (shown && !shown->contains(place)) {
            const double half = shown->width() / 2.0;
            shown = Range{place - half, place + half};
        }
        return shown;
    };
    const auto x = holdIn(now.x, static_cast<double>(column));
    const auto y = holdIn(now.y.empty() ? std::nullopt : std::optional(now.y.front()),
                          static_cast<double>(row));
    if (x == now.x && (!y || y == now.y.front()))
        return;
    now.x = x;
    if (y)
        now.y = {*y};
    setZoom(now);
}

bool SlicePlot::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        const bool isOwn = key.key() == Qt::Key_Up || key.key() == Qt::Key_Down ||
                           key.key() == Qt::Key_PageUp || key.key() == Qt::Key_PageDown;
        if (isOwn && (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0) {
            event->accept();
            return true;
        }
    }
    return ContentPlot::event(event);
}

void SlicePlot::keyPressEvent(QKeyEvent* event)
{
    constexpr int many = 10;
    const bool isPlain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    const int steps = event->modifiers().testFlag(Qt::ShiftModifier) ? many : 1;
    if (!isPlain || isEmpty())
        return ContentPlot::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: Q_EMIT moved(0, -steps); return;
    case Qt::Key_Right: Q_EMIT moved(0, steps); return;
    case Qt::Key_Up: Q_EMIT moved(-steps, 0); return;
    case Qt::Key_Down: Q_EMIT moved(steps, 0); return;
    case Qt::Key_PageUp: Q_EMIT turned(-steps); return;
    case Qt::Key_PageDown: Q_EMIT turned(steps); return;
    default: ContentPlot::keyPressEvent(event);
    }
}

}  // namespace calibscope
