// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/decimate.h"

#include "ui/plot/plot_content.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

void keepRows(PlotColumn& column, std::size_t first, std::size_t end)
{
    std::visit(
        [first, end](auto& cells) {
            using Cells = std::remove_reference_t<decltype(cells)>;
            const auto begin = cells.begin();
            cells = Cells(begin + static_cast<std::ptrdiff_t>(first),
                          begin + static_cast<std::ptrdiff_t>(end));
        },
        column.cells);
}

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

/// Finds bins by value; equal bins by a division.
class BinFinder
{
public:
    explicit BinFinder(const Histogram& histogram)
        : m_histogram(histogram), m_width(histogram.width())
    {}

    /// First bin whose upper edge lies above the value; the number of bins if there is none.
    [[nodiscard]] std::size_t reachingAbove(double value) const
    {
        if (m_histogram.edges.empty())
            return inside(std::floor((value - m_histogram.low) / m_width));
        return firstBin([&](std::size_t bin) { return m_histogram.edges[bin + 1] > value; });
    }

    /// First bin whose centre is not below the value; the number of bins if there is none.
    [[nodiscard]] std::size_t centredFrom(double value) const
    {
        if (m_histogram.edges.empty())
            return inside(std::ceil((value - m_histogram.low) / m_width - 0.5));
        return firstBin([&](std::size_t bin) { return m_histogram.centre(bin) >= value; });
    }

private:
    [[nodiscard]] std::size_t inside(double bin) const
    {
        const auto bins = static_cast<double>(m_histogram.counts.size());
        return static_cast<std::size_t>(std::clamp(bin, 0.0, bins));
    }

    /// Of bins in which the condition becomes true and stays so.
    template <typename Condition>
    [[nodiscard]] std::size_t firstBin(Condition isTrue) const
    {
        std::size_t low = 0;
        std::size_t high = m_histogram.counts.size();
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (isTrue(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    const Histogram& m_histogram;
    double m_width;
};

/// Greatest of the counts from `first` to before `end`, 0 if there are none.
std::uint64_t greatestOf(const Histogram& histogram, std::size_t first, std::size_t end)
{
    std::uint64_t most = 0;
    for (std::size_t bin = first; bin < end; ++bin)
        most = std::max(most, histogram.counts[bin]);
    return most;
}

/// Far outside the view a coordinate only costs the painter's precision.
double nearView(double pixel)
{
    constexpr double farAway = 1e5;
    return std::clamp(pixel, -farAway, farAway);
}

}  // namespace

std::vector<BinSpan> columnBins(const Range& range, std::size_t bins, const AxisScale& x,
                                const PixelColumns& columns)
{
    const double count = static_cast<double>(bins);
    const auto position = [&](double pixel) {
        return (x.toValue(pixel) - range.low) / range.width() * count;
    };
    // First bin whose centre does not lie before that place.
    const auto firstBehind = [&](double place) {
        return static_cast<std::size_t>(std::clamp(std::ceil(place - 0.5), 0.0, count));
    };
    std::vector<BinSpan> spans;
    spans.reserve(static_cast<std::size_t>(std::max(columns.count, 0)));
    std::size_t first = firstBehind(position(columns.left));
    for (int column = 0; column < columns.count; ++column) {
        const std::size_t end = firstBehind(position(columns.left + (column + 1) * columns.width));
        const double centre = position(columns.centre(static_cast<std::size_t>(column)));
        if (first < end)
            spans.push_back({first, end});
        else if (centre >= 0.0 && centre < count)
            spans.push_back(
                {static_cast<std::size_t>(centre), static_cast<std::size_t>(centre) + 1});
        else
            spans.push_back({});
        first = end;
    }
    return spans;
}

double largestIn(const Range& range, std::span<const double> values, const AxisScale& x,
                 const PixelColumns& columns)
{
    double most = 0.0;
    for (const BinSpan& span : columnBins(range, values.size(), x, columns))
        for (std::size_t bin = span.first; bin < span.end; ++bin)
            most = std::max(most, values[bin]);
    return most;
}

PlotTable binTable(const std::function<double(std::size_t bin)>& edge, const Range& shown,
                   std::vector<PlotColumn> columns)
{
    PlotTable table{.columns = std::move(columns)};
    const std::size_t bins = table.rowCount();
    std::size_t first = 0;
    while (first < bins && edge(first + 1) < shown.low)
        ++first;
    std::size_t end = first;
    std::vector<double> from;
    std::vector<double> to;
    for (; end < bins && edge(end) <= shown.high; ++end) {
        from.push_back(edge(end));
        to.push_back(edge(end + 1));
    }
    for (PlotColumn& column : table.columns)
        keepRows(column, first, end);
    table.columns.insert(table.columns.begin(), {{tr("from"), from}, {tr("to"), to}});
    return table;
}

std::vector<std::uint64_t> columnMaxima(const Histogram& histogram, const AxisScale& x,
                                        const PixelColumns& columns)
{
    std::vector<std::uint64_t> maxima(static_cast<std::size_t>(std::max(columns.count, 0)), 0);
    if (maxima.empty())
        return maxima;
    const BinFinder bins(histogram);
    std::size_t first = bins.centredFrom(x.toValue(columns.left));
    for (std::size_t column = 0; column < maxima.size(); ++column) {
        const double end = columns.left + static_cast<double>(column + 1) * columns.width;
        const std::size_t next = bins.centredFrom(x.toValue(end));
        maxima[column] = greatestOf(histogram, first, next);
        first = next;
        const double centre = x.toValue(columns.centre(column));
        const std::size_t around = bins.reachingAbove(centre);
        if (around < histogram.counts.size() && histogram.edge(around) <= centre)
            maxima[column] = std::max(maxima[column], histogram.counts[around]);
    }
    return maxima;
}

std::uint64_t greatestCount(const Histogram& histogram, const Range& shown)
{
    const BinFinder bins(histogram);
    if (shown.high < histogram.low)
        return 0;
    const std::size_t last = bins.reachingAbove(shown.high);
    return greatestOf(histogram, bins.reachingAbove(shown.low),
                      std::min(last + 1, histogram.counts.size()));
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
