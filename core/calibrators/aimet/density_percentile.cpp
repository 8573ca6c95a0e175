// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/density_searches.h"

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

Range percentileEnds(const AveragedDensity& density, float percent)
{
    constexpr std::size_t bins = AveragedDensity::bins;
    std::array<double, bins> upTo{};
    double sum = 0.0;
    for (std::size_t bin = 0; bin < bins; ++bin)
        upTo[bin] = sum += density.share(bin);
    const auto leftShare = static_cast<double>(1.0F - percent / 100.0F);
    const auto rightShare = static_cast<double>(percent / 100.0F);
    const float width = density.width();
    float low = density.left(0);
    float high = density.left(bins - 1) + width;
    const auto* const reached =
        std::ranges::find_if(upTo, [&](double share) { return share >= leftShare; });
    if (reached != upTo.end())
        low = density.left(static_cast<std::size_t>(reached - upTo.begin()));
    // Where values were left out the share may not be reached; the tool reads beyond its bins then.
    std::size_t bin = upTo[bins - 1] < rightShare ? 0 : bins - 1;
    while (bin > 0 && !(upTo[bin - 1] < rightShare))
        --bin;
    if (bin > 0)
        high = density.left(bin);
    if (low == high)
        high += width;
    return {static_cast<double>(low), static_cast<double>(high)};
}

}  // namespace

Range densityPercentile(const AveragedDensity& density, double percent)
{
    if (percent == 100.0)
        return {static_cast<double>(density.observedLow()),
                static_cast<double>(density.observedHigh())};
    const Range ends = percentileEnds(density, static_cast<float>(percent));
    return {std::min(ends.low, 0.0), std::max(ends.high, 0.0)};
}

}  // namespace calibscope
