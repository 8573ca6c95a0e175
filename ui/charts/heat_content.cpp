// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_content.h"

#include "ui/charts/column_bins.h"
#include "ui/charts/threshold_layer.h"
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

}  // namespace calibscope
