#include "core/engine/sparkline.h"

#include "core/base/range.h"

#include <algorithm>
#include <cmath>

namespace calibscope::engine {

namespace {

std::size_t columnOf(double value, const Range& shown)
{
    const double columns = static_cast<double>(sparklineColumns);
    const double place = (value / shown.width() - shown.low / shown.width()) * columns;
    return static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, columns - 1.0));
}

/// Spreads a count over the part of `bin` that is shown.
void spread(std::vector<double>& columns, const Range& shown, const Range& bin, double count)
{
    const double low = std::clamp(bin.low, shown.low, shown.high);
    const double high = std::clamp(bin.high, low, shown.high);
    const std::size_t first = columnOf(low, shown);
    const std::size_t last = columnOf(high, shown);
    if (first == last || high == low) {
        columns[first] += count;
        return;
    }
    const double width = shown.width() / static_cast<double>(sparklineColumns);
    for (std::size_t column = first; column <= last; ++column) {
        const double columnLow = shown.low + static_cast<double>(column) * width;
        const double part = std::min(high, columnLow + width) - std::max(low, columnLow);
        columns[column] += count * std::max(part, 0.0) / (high - low);
    }
}

}  // namespace

std::vector<double> sparkline(const MagnitudeSketch& sketch, const Extents& extents)
{
    std::vector<double> columns(sparklineColumns, 0.0);
    const Range shown{extents.min, extents.max};
    if (extents.finite == 0)
        return columns;
    if (!(shown.width() > 0.0)) {
        columns[sparklineColumns / 2] = static_cast<double>(extents.finite);
        return columns;
    }
    for (const SketchBin& bin : sketch.negative)
        spread(columns, shown, {-bin.highEdge(), -bin.lowEdge()}, static_cast<double>(bin.count));
    if (sketch.zeros > 0)
        columns[columnOf(0.0, shown)] += static_cast<double>(sketch.zeros);
    for (const SketchBin& bin : sketch.positive)
        spread(columns, shown, {bin.lowEdge(), bin.highEdge()}, static_cast<double>(bin.count));
    return columns;
}

}  // namespace calibscope::engine
