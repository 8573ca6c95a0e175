#include "ui/panels/manual_range.h"

#include "ui/charts/threshold_layer.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// Where the plot draws that end.
double placeOf(const Range& range, const PlacedEnd& end)
{
    if (end.domain == Domain::Signed)
        return end.isLow ? range.low : range.high;
    return markPlaces({.label = {}, .color = {}, .clip = range}, Domain::Magnitude).front();
}

/// A symmetric scheme's low end may lie a level beyond the threshold: it keeps its share of it.
double thresholdBehind(const Range& range, double place, double value)
{
    return place == range.high || place == 0.0 ? std::abs(value)
                                               : range.high * std::abs(value / place);
}

}  // namespace

Range withMovedEnd(const Range& range, const PlacedEnd& end, double value)
{
    const double place = placeOf(range, end);
    if (!end.isAffine) {
        const double threshold = thresholdBehind(range, place, value);
        return {-threshold, threshold};
    }
    const bool isLow = end.domain == Domain::Magnitude ? place != range.high : end.isLow;
    if (isLow)
        return {std::min(end.domain == Domain::Magnitude ? -value : value, 0.0), range.high};
    return {range.low, std::max(value, 0.0)};
}

}  // namespace calibscope
