// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_content.h"

#include "ui/charts/threshold_layer.h"
#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace calibscope {

namespace {

/// The largest count of each column span in some rows.
std::vector<std::uint64_t> largestCounts(const HeatGrid& grid, std::span<const BinSpan> columns,
                                         const BinSpan& rows)
{
    std::vector<std::uint64_t> cells(
        grid.counts.begin() + static_cast<std::ptrdiff_t>(rows.first * grid.columns),
        grid.counts.begin() + static_cast<std::ptrdiff_t>((rows.first + 1) * grid.columns));
    for (std::size_t row = rows.first + 1; row < rows.end; ++row)
        for (std::size_t column = 0; column < grid.columns; ++column)
            cells[column] = std::max(cells[column], grid.at(row, column));
    std::vector<std::uint64_t> largest;
    largest.reserve(columns.size());
    for (const BinSpan& span : columns) {
        std::uint64_t most = 0;
        for (std::size_t column = span.first; column < span.end; ++column)
            most = std::max(most, cells[column]);
        largest.push_back(most);
    }
    return largest;
}

/// The strip with its columns as rows and its rows, in order, as columns.
HeatGrid turned(const Strip& strip, Domain domain, std::span<const std::size_t> order)
{
    HeatGrid grid{.domain = domain,
                  .range = strip.range,
                  .rows = strip.columns,
                  .columns = order.size(),
                  .counts = std::vector<std::uint64_t>(strip.columns * order.size())};
    for (std::size_t place = 0; place < order.size(); ++place) {
        const std::span<const std::uint64_t> row = strip.row(order[place]);
        for (std::size_t column = 0; column < row.size(); ++column)
            grid.counts[column * order.size() + place] = row[column];
    }
    return grid;
}

/// As a grid numbers its rows: edge(row) of `rows` equal parts.
double edgeOf(const HeatGrid& grid, std::size_t row)
{
    return grid.range.low +
           static_cast<double>(row) / static_cast<double>(grid.rows) * grid.range.width();
}

}  // namespace

HeatKey::HeatKey(std::span<const std::uint64_t> counts)
    : m_most(counts.empty() ? 0 : std::ranges::max(counts))
{}

double HeatKey::share(std::uint64_t count) const
{
    return m_most > 1 ? std::log(static_cast<double>(count)) / std::log(static_cast<double>(m_most))
                      : 1.0;
}

std::vector<LegendEntry> HeatKey::legend() const
{
    std::vector<LegendEntry> entries;
    const auto add = [&](const QString& text, std::uint64_t count) {
        entries.push_back(
            {.text = text, .color = {}, .sign = LegendEntry::Sign::Swatch, .heat = share(count)});
    };
    constexpr std::array<std::uint64_t, 5> steps = {1, 10, 1000, 100000, 10000000};
    for (const std::uint64_t count : steps)
        if (count < m_most / 2 || count == 1)  // "1 000" beside "1 003" says nothing
            add(countLabel(count), count);
    if (m_most > 1)
        add(tr("%1 values in a cell").arg(countLabel(m_most)), m_most);
    return entries;
}

void HeatContent::setGrid(HeatGrid grid, Words words)
{
    m_grid = std::move(grid);
    m_words = std::move(words);
    m_rowsInUse.reset();
    m_key = m_grid.range.low < m_grid.range.high ? HeatKey(m_grid.counts) : HeatKey();
    m_reason = tr("There are no distinct values to show.");
}

void HeatContent::clear()
{
    m_grid = {};
    m_paths.clear();
    m_key = {};
}

XAxis HeatContent::xAxis() const
{
    return {.all = m_grid.range,
            .title = valueTitle(m_grid.domain),
            .log = positiveLog(m_grid.range.low, m_grid.edge(1))};
}

std::vector<YAxis> HeatContent::yAxes(const PlotRoom&) const
{
    YAxis request;
    request.title = m_words.row;
    request.numbers = TickNumbers::Ordinals;
    request.values = {0.5, static_cast<double>(m_grid.rows) + 0.5};
    return {request};
}

std::vector<LegendEntry> HeatContent::legend() const
{
    std::vector<LegendEntry> entries = m_key.legend();
    for (const HeatPath& path : m_paths)
        entries.push_back({.text = path.label, .color = path.color, .style = path.style});
    return entries;
}

void HeatContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const double ratio = deviceRatio(painter);
    const QPointF corner(snapped(frame.area.left(), ratio), snapped(frame.area.top(), ratio));
    const PixelColumns across{.left = corner.x(),
                              .width = 1.0 / ratio,
                              .count = static_cast<int>(std::ceil(frame.area.width() * ratio))};
    const int lines = static_cast<int>(std::ceil(frame.area.height() * ratio));
    const AxisScale& y = frame.y.front().scale;
    // Rows from the bottom, as an ascending scale has them; the picture starts at the top.
    const AxisScale upward(ScaleKind::Linear,
                           {y.toValue(corner.y() + lines / ratio), y.toValue(corner.y())}, 0.0,
                           lines);
    auto rows = columnBins({0.5, static_cast<double>(m_grid.rows) + 0.5}, m_grid.rows, upward,
                           {.left = 0.0, .width = 1.0, .count = lines});
    std::ranges::reverse(rows);
    const QImage image = heatPicture(
        m_grid, columnBins(m_grid.range, m_grid.columns, frame.x.scale, across), rows,
        [&](std::uint64_t count) { return heatColor(m_key.share(count), frame.colors.isDark); });
    painter.drawImage(
        QRectF(corner, QSizeF(across.count / ratio, static_cast<double>(lines) / ratio)), image);
    paintVeil(painter, frame);
    paintPaths(painter, frame);
}

void HeatContent::paintVeil(QPainter& painter, const PlotFrame& frame) const
{
    if (!m_rowsInUse || *m_rowsInUse >= m_grid.rows)
        return;
    const double end = frame.y.front().scale.toPixel(static_cast<double>(*m_rowsInUse) + 0.5);
    const QRectF rest(frame.area.topLeft(), QPointF(frame.area.right() + 1.0, end));
    QColor veil = frame.colors.background;
    veil.setAlphaF(0.72F);
    painter.fillRect(rest.intersected(frame.area.adjusted(0, 0, 1, 0)), veil);
    const double ratio = deviceRatio(painter);
    painter.fillRect(QRectF(frame.area.left(), snapped(end, ratio) - 1.0, frame.area.width(), 2.0),
                     frame.colors.text);
}

void HeatContent::paintPaths(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& y = frame.y.front().scale;
    for (const HeatPath& path : m_paths) {
        const std::size_t rows = std::min(path.clips.size(), m_grid.rows);
        const auto placesOf = [&](std::size_t row) {
            return markPlaces({.label = {}, .color = {}, .clip = path.clips[row]}, m_grid.domain);
        };
        for (std::size_t row = 0; row < rows; ++row)
            for (const double place : placesOf(row)) {
                if (!frame.x.scale.values().contains(place))
                    continue;
                const double number = static_cast<double>(row) + 1.0;
                const Range band{y.toPixel(number + 0.5), y.toPixel(number - 0.5)};
                const double pixel = frame.x.scale.toPixel(place);
                // On the ground's colour, so that it is seen over any cell.
                drawVerticalLine(painter, pixel, band, frame.colors.background, 4.0, Qt::SolidLine);
                drawVerticalLine(painter, pixel, band, path.color, 2.0, Qt::SolidLine);
            }
    }
}

std::optional<std::size_t> HeatContent::rowAt(double y) const
{
    const double row = std::floor(y - 0.5);
    if (!(row >= 0.0) || row >= static_cast<double>(m_grid.rows))
        return std::nullopt;
    return static_cast<std::size_t>(row);
}

std::size_t HeatContent::columnOf(double x) const
{
    const double share = (x - m_grid.range.low) / m_grid.range.width();
    return std::min(static_cast<std::size_t>(share * static_cast<double>(m_grid.columns)),
                    m_grid.columns - 1);
}

QString HeatContent::cellText(std::size_t row, std::size_t column) const
{
    return tr("%1 %2   %3 from %4 to %5   count %6")
        .arg(m_words.row, countLabel(row + 1), xTitle(), valueLabel(m_grid.edge(column)),
             valueLabel(m_grid.edge(column + 1)), countLabel(m_grid.at(row, column)));
}

QString HeatContent::readout(double x, const PlotFrame&) const
{
    if (!m_grid.range.contains(x))
        return {};
    const std::size_t column = columnOf(x);
    std::uint64_t count = 0;
    std::size_t rows = 0;
    for (std::size_t row = 0; row < m_grid.rows; ++row) {
        count += m_grid.at(row, column);
        rows += m_grid.at(row, column) > 0 ? 1U : 0U;
    }
    return tr("%1 from %2 to %3   count %4 in %5 of %6 %7")
        .arg(xTitle(), valueLabel(m_grid.edge(column)), valueLabel(m_grid.edge(column + 1)),
             countLabel(count), countLabel(rows), countLabel(m_grid.rows), m_words.rows);
}

QString HeatContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const double x = frame.x.scale.toValue(point.x());
    const auto row = rowAt(frame.y.front().scale.toValue(point.y()));
    return row && m_grid.range.contains(x) ? cellText(*row, columnOf(x)) : QString();
}

QString HeatContent::sentences() const
{
    return tr("Counts of %1 from %2 to %3 in each of %4 %5, at most %6 in a cell.")
        .arg(xTitle(), valueLabel(m_grid.range.low), valueLabel(m_grid.range.high),
             countLabel(m_grid.rows), m_words.rows, countLabel(m_key.most()));
}

std::optional<PlotTable> HeatContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{m_words.row}, {tr("from")}, {tr("to")}, {tr("count")}}};
    for (std::size_t row = 0; row < m_grid.rows; ++row)
        for (std::size_t column = 0; column < m_grid.columns; ++column)
            if (m_grid.edge(column + 1) >= shown.low && m_grid.edge(column) <= shown.high)
                table.addRow(std::uint64_t{row + 1}, m_grid.edge(column), m_grid.edge(column + 1),
                             m_grid.at(row, column));
    return table;
}

QImage heatPicture(const HeatGrid& grid, std::span<const BinSpan> columns,
                   std::span<const BinSpan> rows,
                   const std::function<QColor(std::uint64_t)>& colorOf)
{
    const auto width = static_cast<int>(columns.size());
    QImage image(width, static_cast<int>(rows.size()), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    for (std::size_t line = 0; line < rows.size(); ++line) {
        if (rows[line].isEmpty())
            continue;
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(line)));
        const bool isRepeated = line > 0 && rows[line].first == rows[line - 1].first &&
                                rows[line].end == rows[line - 1].end;
        if (isRepeated) {
            std::memcpy(pixels, image.constScanLine(static_cast<int>(line) - 1),
                        static_cast<std::size_t>(width) * sizeof(QRgb));
            continue;
        }
        const auto counts = largestCounts(grid, columns, rows[line]);
        for (std::size_t column = 0; column < counts.size(); ++column)
            if (counts[column] > 0)
                pixels[column] = colorOf(counts[column]).rgb();
    }
    return image;
}

HeatPlot::HeatPlot(QWidget* parent) : ContentPlot(parent)
{
    connect(this, &PlotView::clicked, this, [this](const QPointF& values) {
        if (const auto row = shown().rowAt(values.y()))
            Q_EMIT rowClicked(*row);
    });
}

void ChannelHeatContent::setStrip(const Strip& strip, Domain domain, std::vector<std::size_t> order,
                                  const QString& xTitle)
{
    setOrder(std::move(order));
    m_grid = turned(strip, domain, m_order);
    m_xTitle = xTitle;
    m_drawn.reset();
    m_key = m_grid.range.low < m_grid.range.high ? HeatKey(m_grid.counts) : HeatKey();
    m_reason = tr("There are no distinct values to show.");
}

void ChannelHeatContent::clear()
{
    m_grid = {};
    setOrder({});
    m_drawn.reset();
    m_key = {};
}

std::vector<YAxis> ChannelHeatContent::yAxes(const PlotRoom&) const
{
    YAxis request;
    request.title = valueTitle(m_grid.domain);
    request.values = m_grid.range;
    if (m_grid.domain == Domain::Magnitude && m_grid.range.low == 0.0) {
        request.kind = ScaleKind::Log;
        request.zeroAt = edgeOf(m_grid, 1) / 2.0;
        request.values.low = *request.zeroAt;
    }
    return {request};
}

QImage ChannelHeatContent::picture(const PlotFrame& frame, const QSize& pixels, const AxisScale& x,
                                   const AxisScale& y) const
{
    if (m_drawn && m_drawn->pixels == pixels && m_drawn->x == x.values() &&
        m_drawn->y == y.values() && m_drawn->isDark == frame.colors.isDark)
        return m_drawn->image;
    std::array<QColor, 256> colors;
    for (std::size_t step = 0; step < colors.size(); ++step)
        colors[step] = heatColor(static_cast<double>(step) / 255.0, frame.colors.isDark);
    auto rows = columnBins(m_grid.range, m_grid.rows, y,
                           {.left = 0.0, .width = 1.0, .count = pixels.height()});
    std::ranges::reverse(rows);  // the picture starts at the top
    const Range places{-0.5, static_cast<double>(m_order.size()) - 0.5};
    const auto columns =
        columnBins(places, m_order.size(), x, {.left = 0.0, .width = 1.0, .count = pixels.width()});
    const QImage image = heatPicture(m_grid, columns, rows, [&](std::uint64_t count) {
        return colors[static_cast<std::size_t>(std::lround(255.0 * m_key.share(count)))];
    });
    m_drawn = Drawn{.pixels = pixels,
                    .x = x.values(),
                    .y = y.values(),
                    .isDark = frame.colors.isDark,
                    .image = image};
    return image;
}

void ChannelHeatContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const double ratio = deviceRatio(painter);
    const QPointF corner(snapped(frame.area.left(), ratio), snapped(frame.area.top(), ratio));
    const QSize pixels(static_cast<int>(std::ceil(frame.area.width() * ratio)),
                       static_cast<int>(std::ceil(frame.area.height() * ratio)));
    const QSizeF size = QSizeF(pixels) / ratio;
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    // Both scales anew over the picture's own pixels, y ascending.
    const AxisScale across(x.kind(), {x.toValue(corner.x()), x.toValue(corner.x() + size.width())},
                           0.0, pixels.width());
    const AxisScale upward(y.kind(), {y.toValue(corner.y() + size.height()), y.toValue(corner.y())},
                           0.0, pixels.height());
    painter.drawImage(QRectF(corner, size), picture(frame, pixels, across, upward));
    paintTensorClip(painter, frame);
    paintChosen(painter, frame);
}

void ChannelHeatContent::paintTensorClip(QPainter& painter, const PlotFrame& frame) const
{
    if (!m_tensorClip)
        return;
    const AxisScale& y = frame.y.front().scale;
    for (const double end : {m_tensorClip->low, m_tensorClip->high}) {
        const double value = m_grid.domain == Domain::Magnitude ? std::abs(end) : end;
        if (!y.values().contains(value) || value == 0.0)
            continue;
        const double pixel = std::round(y.toPixel(value));
        const QLineF line(frame.area.left(), pixel, frame.area.right(), pixel);
        // On the ground's colour, so that it is seen over any cell.
        painter.setPen(QPen(frame.colors.background, 3.0));
        painter.drawLine(line);
        painter.setPen(QPen(frame.colors.text, 1.5, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(line);
    }
}

void ChannelHeatContent::paintChosen(QPainter& painter, const PlotFrame& frame) const
{
    for (const ChosenChannel& chosen : m_chosen) {
        if (chosen.channel >= m_placeOf.size())
            continue;
        const auto place = static_cast<double>(m_placeOf[chosen.channel]);
        // Around the channel's column where that is wide enough to be seen.
        const double left = frame.x.scale.toPixel(place - 0.5);
        const double right = frame.x.scale.toPixel(place + 0.5);
        const Range height{frame.area.top(), frame.area.bottom()};
        for (const double x :
             right - left > 4.0 ? std::vector{left, right} : std::vector{(left + right) / 2.0}) {
            drawVerticalLine(painter, x, height, frame.colors.background, 3.0, Qt::SolidLine);
            drawVerticalLine(painter, x, height, chosen.color, 1.5, Qt::SolidLine);
        }
    }
}

QString ChannelHeatContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> place = placeAt(x);
    if (!place)
        return {};
    std::size_t first = m_grid.rows;
    std::size_t last = 0;
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < m_grid.rows; ++row) {
        if (m_grid.at(row, *place) == 0)
            continue;
        first = std::min(first, row);
        last = row + 1;
        count += m_grid.at(row, *place);
    }
    const QString channel = tr("channel %1").arg(m_order[*place]);
    if (count == 0)
        return tr("%1   no finite value").arg(channel);
    return tr("%1   %2 values, %3 within %4 to %5")
        .arg(channel, countLabel(count), valueTitle(m_grid.domain),
             valueLabel(edgeOf(m_grid, first)), valueLabel(edgeOf(m_grid, last)));
}

QString ChannelHeatContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const std::optional<std::size_t> place = placeAt(frame.x.scale.toValue(point.x()));
    const double value = frame.y.front().scale.toValue(point.y());
    if (!place || !m_grid.range.contains(value))
        return {};
    const double share = (value - m_grid.range.low) / m_grid.range.width();
    const auto row = std::min(static_cast<std::size_t>(share * static_cast<double>(m_grid.rows)),
                              m_grid.rows - 1);
    return tr("channel %1\n%2 from %3 to %4\ncount %5")
        .arg(m_order[*place])
        .arg(valueTitle(m_grid.domain), valueLabel(edgeOf(m_grid, row)),
             valueLabel(edgeOf(m_grid, row + 1)), countLabel(m_grid.at(row, *place)));
}

QString ChannelHeatContent::sentences() const
{
    return tr("Counts of %1 from %2 to %3 in each of %4 channels, at most %5 in a cell.")
        .arg(valueTitle(m_grid.domain), valueLabel(m_grid.range.low), valueLabel(m_grid.range.high),
             countLabel(m_order.size()), countLabel(m_key.most()));
}

std::optional<PlotTable> ChannelHeatContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("channel")}, {tr("from")}, {tr("to")}, {tr("count")}}};
    for (std::size_t place = 0; place < m_order.size(); ++place)
        for (std::size_t row = 0; row < m_grid.rows; ++row)
            if (shown.contains(static_cast<double>(place)) && m_grid.at(row, place) > 0)
                table.addRow(std::uint64_t{m_order[place]}, edgeOf(m_grid, row),
                             edgeOf(m_grid, row + 1), m_grid.at(row, place));
    return table;
}

}  // namespace calibscope
