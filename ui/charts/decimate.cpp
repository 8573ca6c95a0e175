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

/// First bin whose upper edge lies above the value.
std::size_t binAbove(const Histogram& histogram, double value)
{
    std::size_t low = 0;
    std::size_t high = histogram.counts.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (histogram.edge(middle + 1) > value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// Far outside the view a coordinate only costs the painter's precision.
double nearView(double pixel)
{
    constexpr double farAway = 1e5;
    return std::clamp(pixel, -farAway, farAway);
}

}  // namespace

std::vector<std::uint64_t> columnMaxima(const Histogram& histogram, const AxisScale& x,
                                        const PixelColumns& columns)
{
    std::vector<std::uint64_t> maxima(static_cast<std::size_t>(std::max(columns.count, 0)), 0);
    if (maxima.empty())
        return maxima;
    const std::size_t bins = histogram.counts.size();
    const std::size_t first = binAbove(histogram, x.toValue(columns.left));
    std::size_t bin = first;
    for (std::size_t column = 0; column < maxima.size(); ++column) {
        const double centre = x.toValue(columns.centre(column));
        while (bin < bins && histogram.edge(bin + 1) <= centre)
            ++bin;
        if (bin < bins && histogram.edge(bin) <= centre)
            maxima[column] = histogram.counts[bin];
    }
    // Ends of columns are ascending values like the bins: no logarithm for each bin.
    std::size_t column = 0;
    double end = x.toValue(columns.left + columns.width);
    const double start = x.toValue(columns.left);
    for (bin = first; bin < bins; ++bin) {
        const double centre = histogram.centre(bin);
        while (centre >= end && ++column < maxima.size())
            end = x.toValue(columns.left + static_cast<double>(column + 1) * columns.width);
        if (column >= maxima.size())
            break;
        if (centre >= start)
            maxima[column] = std::max(maxima[column], histogram.counts[bin]);
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
