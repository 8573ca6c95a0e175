// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/slice_content.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/ticks.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/translate.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

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

void SliceContent::setExtent(std::uint64_t rows, std::uint64_t columns)
{
    m_rows = rows;
    m_columns = columns;
}

void SliceContent::setSlices(Shared whole, Shared part)
{
    m_whole = std::move(whole);
    m_part = std::move(part);
}

void SliceContent::setRange(const Range& range)
{
    m_range = range;
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
    const SliceColors colors(m_range, isDark);
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
    const SliceColors colors(m_range, isDark);
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
    QString text = tr("%1 by %2 values, %3 down and %4 across, from %5 to %6.")
                       .arg(countLabel(m_rows), countLabel(m_columns), m_words.rows,
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
