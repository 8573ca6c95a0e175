#include "ui/charts/heat_content.h"

#include "ui/charts/column_bins.h"
#include "ui/charts/heat_picture.h"
#include "ui/charts/threshold_layer.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/heat_colors.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

void HeatContent::setGrid(HeatGrid grid, Words words)
{
    m_grid = std::move(grid);
    m_words = std::move(words);
    m_rowsInUse.reset();
    m_key = m_grid.range.low < m_grid.range.high ? HeatKey(m_grid.counts) : HeatKey();
    m_reason = tr("There are no different values to show.");
}

void HeatContent::setEmpty(const QString& reason)
{
    m_grid = {};
    m_paths.clear();
    m_key = {};
    m_reason = reason;
}

Range HeatContent::fullRange() const
{
    return m_grid.range;
}

QString HeatContent::xTitle() const
{
    return m_grid.domain == Domain::Magnitude ? QStringLiteral("|x|") : QStringLiteral("x");
}

std::optional<LogX> HeatContent::logX() const
{
    if (m_grid.range.low < 0.0)
        return std::nullopt;
    const double least = m_grid.range.low > 0.0 ? m_grid.range.low : m_grid.edge(1);
    return LogX{least, least};
}

std::vector<AxisWish> HeatContent::yAxes(const AxisScale&, const QSizeF&,
                                         const QFontMetricsF&) const
{
    AxisWish request;
    request.title = m_words.row;
    request.numbers = TickNumbers::Ordinals;
    request.values = {0.5, static_cast<double>(m_grid.rows) + 0.5};
    return {request};
}

std::vector<LegendEntry> HeatContent::legend() const
{
    std::vector<LegendEntry> entries = m_key.legend(m_isDark);
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

QString HeatContent::summary() const
{
    if (isEmpty())
        return m_reason;
    return tr("Counts of %1 from %2 to %3 in each of %4 %5, at most %6 in a cell.")
        .arg(xTitle(), valueLabel(m_grid.range.low), valueLabel(m_grid.range.high),
             countLabel(m_grid.rows), m_words.rows, countLabel(m_key.most()));
}

std::optional<PlotTable> HeatContent::table(const Range& shown) const
{
    std::vector<std::uint64_t> rows;
    std::vector<double> from;
    std::vector<double> to;
    std::vector<std::uint64_t> counts;
    for (std::size_t row = 0; row < m_grid.rows; ++row)
        for (std::size_t column = 0; column < m_grid.columns; ++column) {
            if (m_grid.edge(column + 1) < shown.low || m_grid.edge(column) > shown.high)
                continue;
            rows.push_back(row + 1);
            from.push_back(m_grid.edge(column));
            to.push_back(m_grid.edge(column + 1));
            counts.push_back(m_grid.at(row, column));
        }
    return PlotTable{
        .columns = {
            {m_words.row, rows}, {tr("from"), from}, {tr("to"), to}, {tr("count"), counts}}};
}

}  // namespace calibscope
