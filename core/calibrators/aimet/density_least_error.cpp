// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/density_searches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace calibscope {

namespace {

/// A bin's middle and its share, in float32.
struct Middle
{
    float value;
    float share;
};

/// Left edges from the observed range, its low end first.
std::vector<float> edgesWithin(const AveragedDensity& density, float low, float high)
{
    const float width = density.width();
    const float last = density.left(AveragedDensity::bins - 1) + width;
    std::vector<float> edges{low};
    float edge = density.left(0);
    while (edge <= last) {
        if (edge >= low && edge <= high)
            edges.push_back(edge);
        const float next = edge + width;
        if (!(next > edge))
            break;  // the tool does not come to an end here
        edge = next;
    }
    return edges;
}

std::vector<Middle> middlesOf(const AveragedDensity& density, float low, std::size_t count)
{
    const float start = density.left(0);
    const float width = density.width();
    std::vector<Middle> middles;
    float value = low + width / 2.0F;
    for (; middles.size() < count; value += width) {
        const float place = std::floor((value - start) / width);
        const float bin = std::clamp(place, 0.0F, static_cast<float>(AveragedDensity::bins - 1));
        middles.push_back(
            {value, static_cast<float>(density.share(static_cast<std::size_t>(bin)))});
    }
    return middles;
}

float errorOf(const std::vector<Middle>& middles, const AimetEncoding& encoding, float low,
              float high)
{
    float sum = 0.0F;
    for (const auto& [value, share] : middles) {
        const auto clamped = static_cast<double>(std::max(low, std::min(value, high)));
        const double level = std::round(clamped / encoding.scale - encoding.offset);
        const auto became = static_cast<float>(encoding.scale * (level + encoding.offset));
        const auto error = static_cast<double>(value - became);
        sum = static_cast<float>(static_cast<double>(sum) +
                                 static_cast<double>(share) * (error * error));
    }
    return sum;
}

}  // namespace

AimetEncoding aimetEncoding(const Scheme& scheme, const Range& range)
{
    const double steps = scheme.highLevel() - scheme.lowLevel();
    if (!scheme.isAffine())
        return {.scale = std::max(range.high, -range.low) / std::floor(steps / 2.0),
                .offset = -std::ceil(steps / 2.0)};
    const double scale = range.width() / steps;
    if (range.low < 0.0 && range.high > 0.0)
        return {.scale = scale, .offset = -std::clamp(std::round(-range.low / scale), 0.0, steps)};
    return {.scale = scale, .offset = std::round(range.low / scale)};
}

Range densityLeastError(const AveragedDensity& density, const Scheme& scheme)
{
    const float low = density.observedLow();
    const float high = density.observedHigh() + density.width();
    const std::vector<float> edges = edgesWithin(density, low, high);
    const std::vector<Middle> middles = middlesOf(density, low, edges.size() - 1);
    std::vector<float> lows;
    std::vector<float> highs;
    for (const float edge : edges)
        if (edge != 0.0F)
            (edge < 0.0F ? lows : highs).push_back(edge);
    lows.push_back(0.0F);
    highs.push_back(0.0F);
    Range best{static_cast<double>(low), static_cast<double>(high)};
    float least = std::numeric_limits<float>::max();
    for (const float from : lows)
        for (const float to : highs) {
            if (from == to)
                continue;  // both 0
            const Range range{static_cast<double>(from), static_cast<double>(to)};
            const float error = errorOf(middles, aimetEncoding(scheme, range), from, to);
            if (error < least) {
                least = error;
                best = range;
            }
        }
    return best;
}

}  // namespace calibscope
