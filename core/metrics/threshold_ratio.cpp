// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/threshold_ratio.h"

#include "core/metrics/sketched_ratio.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// Three quarters at multiples of a step, the others below it at equal ratios.
std::vector<double> thresholdsUpTo(double largest, std::size_t points)
{
    constexpr double leastRatio = 1e-3;  // of the lowest threshold to the step
    const std::size_t below = points / 4;
    const std::size_t even = points - below;
    const double step = 1.0 / static_cast<double>(even);
    std::vector<double> thresholds;
    for (std::size_t point = 0; point < below; ++point)
        thresholds.push_back(
            largest * step *
            std::pow(leastRatio, 1.0 - static_cast<double>(point) / static_cast<double>(below)));
    for (std::size_t point = 1; point <= even; ++point)
        thresholds.push_back(largest * static_cast<double>(point) * step);
    thresholds.back() = largest;
    std::erase_if(thresholds, [](double threshold) { return !(threshold > 0.0); });
    return thresholds;
}

}  // namespace

Quantizer quantizerAt(const Scheme& scheme, const Range& dataEnds, double threshold)
{
    const Scheme own = schemeFor(scheme, dataEnds);
    if (!own.isAffine())
        return makeQuantizer(own, {.threshold = threshold}).quantizer;
    const Range clip{std::max(std::min(dataEnds.low, 0.0), -threshold),
                     std::min(std::max(dataEnds.high, 0.0), threshold)};
    return makeQuantizer(own, {.range = clip}).quantizer;
}

ThresholdRatio thresholdRatio(const TensorProfile& profile, const Scheme& scheme,
                              std::size_t points)
{
    const Extents& extents = profile.extents();
    if (profile.sketch.count() == 0 || !(extents.absMax() > 0.0))
        return {};
    const SketchedRatio ratio(profile.sketch);
    ThresholdRatio found{.threshold =
                             thresholdsUpTo(extents.absMax(), std::max<std::size_t>(points, 8)),
                         .sqnrDb = {}};
    for (const double threshold : found.threshold)
        found.sqnrDb.push_back(
            ratio.sqnrDb(quantizerAt(scheme, {extents.min, extents.max}, threshold)).value_or(0.0));
    return found;
}

}  // namespace calibscope
