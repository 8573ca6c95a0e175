#include "ui/charts/decimate.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// The points of one pixel column that have to be kept.
class ColumnPoints
{
public:
    [[nodiscard]] bool isEmpty() const { return m_count == 0; }

    void add(const QPointF& point)
    {
        if (m_count == 0)
            m_first = m_lowest = m_highest = {point, 0};
        m_last = {point, m_count};
        if (point.y() < m_lowest.point.y())
            m_lowest = m_last;
        if (point.y() > m_highest.point.y())
            m_highest = m_last;
        ++m_count;
    }

    /// Appends what was kept, in the order it came.
    void moveTo(QPolygonF& line)
    {
        const auto& [earlier, later] =
            std::minmax(m_lowest, m_highest,
                        [](const Kept& one, const Kept& other) { return one.index < other.index; });
        std::size_t appended = m_count;  // no index yet
        for (const Kept& kept : {m_first, earlier, later, m_last})
            if (m_count > 0 && kept.index != appended) {
                line.append(kept.point);
                appended = kept.index;
            }
        m_count = 0;
    }

private:
    struct Kept
    {
        QPointF point;
        std::size_t index = 0;
    };
    std::size_t m_count = 0;
    Kept m_first, m_lowest, m_highest, m_last;
};

void finishLine(ColumnPoints& points, QPolygonF& line, std::vector<QPolygonF>& lines)
{
    points.moveTo(line);
    if (!line.isEmpty())
        lines.push_back(line);
    line.clear();
}

/// Far outside the view a coordinate only costs the painter's precision.
double nearView(double pixel)
{
    constexpr double farAway = 1e5;
    return std::clamp(pixel, -farAway, farAway);
}

}  // namespace

std::vector<std::uint64_t> columnMaxima(const Histogram& histogram, const Range& shown, int columns)
{
    std::vector<std::uint64_t> maxima(static_cast<std::size_t>(std::max(columns, 0)), 0);
    if (maxima.empty())
        return maxima;
    const auto bins = static_cast<double>(histogram.counts.size());
    const double columnWidth = shown.width() / columns;
    if (histogram.width() >= columnWidth) {
        for (std::size_t column = 0; column < maxima.size(); ++column) {
            const double centre = shown.low + (static_cast<double>(column) + 0.5) * columnWidth;
            const double bin = std::floor((centre - histogram.low) / histogram.width());
            if (bin >= 0.0 && bin < bins)
                maxima[column] = histogram.counts[static_cast<std::size_t>(bin)];
        }
        return maxima;
    }
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const double column = std::floor((histogram.centre(bin) - shown.low) / columnWidth);
        if (column >= 0.0 && column < columns) {
            auto& maximum = maxima[static_cast<std::size_t>(column)];
            maximum = std::max(maximum, histogram.counts[bin]);
        }
    }
    return maxima;
}

std::vector<QPolygonF> curveLines(std::span<const double> x, std::span<const double> y,
                                  const AxisScale& xScale, const AxisScale& yScale)
{
    const std::size_t points = std::min(x.size(), y.size());
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(points);
    auto first = std::lower_bound(x.begin(), end, xScale.values().low);
    auto last = std::upper_bound(first, end, xScale.values().high);
    if (first != x.begin())
        --first;
    if (last != end)
        ++last;

    std::vector<QPolygonF> lines;
    QPolygonF line;
    ColumnPoints column;
    double columnPixel = 0.0;
    for (auto place = first; place != last; ++place) {
        const double value = y[static_cast<std::size_t>(place - x.begin())];
        if (!std::isfinite(value)) {
            finishLine(column, line, lines);
            continue;
        }
        const QPointF point(nearView(xScale.toPixel(*place)), nearView(yScale.toPixel(value)));
        if (!column.isEmpty() && std::floor(point.x()) != columnPixel)
            column.moveTo(line);
        columnPixel = std::floor(point.x());
        column.add(point);
    }
    finishLine(column, line, lines);
    return lines;
}

std::vector<Range> columnExtents(std::span<const double> values, int columns)
{
    std::vector<Range> extents(static_cast<std::size_t>(std::max(columns, 0)));
    for (std::size_t index = 0; index < values.size() && !extents.empty(); ++index) {
        const double value = values[index];
        if (!std::isfinite(value) || value <= 0.0)
            continue;
        Range& extent = extents[index * extents.size() / values.size()];
        extent = extent.high == 0.0 ? Range{value, value} : unitedRange(extent, {value, value});
    }
    return extents;
}

}  // namespace calibscope
