// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/outcome.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

Granularity parseGranularity(std::string_view text)
{
    const Granularity granularity = parseGranularity(text, "a candidate");
    if (granularity.kind == Granularity::Kind::Tile)
        throw Error(Fault::Usage, "a candidate has no scales for tiles, {}; formats have", text);
    return granularity;
}

bool Choice::isSameComputation(const Choice& other) const
{
    return calibrator == other.calibrator && settings == other.settings && scheme == other.scheme &&
           granularity == other.granularity && rangeFrom == other.rangeFrom;
}

std::optional<double> metricIn(const MetricValues& metrics, std::string_view id)
{
    const auto found = std::ranges::find(metrics, id, &MetricValues::value_type::first);
    return found == metrics.end() ? std::nullopt : std::optional{found->second};
}

std::optional<Range> MetricBounds::of(std::string_view id) const
{
    const std::optional<double> low = metricIn(least, id);
    const std::optional<double> high = metricIn(most, id);
    return low && high ? std::optional(Range{*low, *high}) : std::nullopt;
}

double barOf(double estimate, const Range& bound)
{
    const auto distance = [estimate](double end) {
        return end == estimate ? 0.0 : std::abs(end - estimate);
    };
    return std::max(distance(bound.low), distance(bound.high));
}

std::optional<double> ScaleRow::metric(std::string_view id) const
{
    return metricIn(metrics, id);
}

std::optional<double> ScaleRow::bar(std::string_view id) const
{
    const std::optional<double> value = metric(id);
    const std::optional<Range> bound = bounds.of(id);
    return value && bound && !hasExactMetrics ? std::optional(barOf(*value, *bound)) : std::nullopt;
}

}  // namespace calibscope
