#include "core/model/widest_scale.h"

#include "core/base/range.h"

#include <algorithm>
#include <cmath>

namespace calibscope::model {

namespace {

Range rangeOf(const TensorScales& scales, std::size_t channel)
{
    const auto scale = static_cast<double>(scales.scales[channel]);
    return {scale * (scales.low - scales.zeroPoints[channel]),
            scale * (scales.high - scales.zeroPoints[channel])};
}

/// A scale and zero point whose levels hold the range, and 0.
void setOver(TensorScales& scales, std::size_t channel, const Range& range)
{
    const double levels = scales.high - scales.low;
    const double scale = (range.high - range.low) / levels;
    scales.scales[channel] = static_cast<float>(scale);
    const double zero = std::nearbyint(scales.low - range.low / scale);
    scales.zeroPoints[channel] = static_cast<int>(
        std::clamp(zero, static_cast<double>(scales.low), static_cast<double>(scales.high)));
}

/// As it was decided, if that is known and the scale is still that one.
double unroundedScale(const TensorScales& scales, std::size_t channel)
{
    const float scale = scales.scales[channel];
    return channel < scales.unrounded.size() &&
                   static_cast<float>(scales.unrounded[channel]) == scale
               ? scales.unrounded[channel]
               : static_cast<double>(scale);
}

}  // namespace

TensorScales widestOf(std::span<const TensorScales> scales)
{
    Range all = rangeOf(scales.front(), 0);
    const TensorScales* widest = &scales.front();
    for (const TensorScales& one : scales) {
        const Range range = rangeOf(one, 0);
        all = {std::min(all.low, range.low), std::max(all.high, range.high)};
        if (one.scales.front() > widest->scales.front())
            widest = &one;
    }
    TensorScales result = *widest;
    // Symmetric ranges that differ in their lowest level alone are held by the widest as well.
    const bool isSymmetric = std::ranges::all_of(
        scales, [](const TensorScales& one) { return one.zeroPoints.front() == 0; });
    const Range own = rangeOf(*widest, 0);
    if (!isSymmetric && (own.low > all.low || own.high < all.high)) {
        result.low = -128;
        result.high = 127;
        setOver(result, 0, all);
    }
    result.tensor = scales.front().tensor;
    result.scope = scales.front().scope;
    result.dumpName = scales.front().dumpName;
    return result;
}

TensorScales perTensor(const TensorScales& scales)
{
    std::vector<TensorScales> channels;
    for (std::size_t channel = 0; channel < scales.scales.size(); ++channel) {
        TensorScales& one = channels.emplace_back(scales);
        one.scales = {scales.scales[channel]};
        one.unrounded = {unroundedScale(scales, channel)};
        one.zeroPoints = {scales.zeroPoints[channel]};
        one.axis.reset();
    }
    return widestOf(channels);
}

TensorScales withinLevels(const TensorScales& scales, int mostLevel)
{
    if (scales.high <= mostLevel && scales.low >= -mostLevel)
        return scales;
    TensorScales result = scales;
    result.low = -mostLevel;
    result.high = mostLevel;
    for (std::size_t channel = 0; channel < scales.scales.size(); ++channel) {
        if (scales.zeroPoints[channel] == 0)
            result.scales[channel] =
                static_cast<float>(unroundedScale(scales, channel) * scales.high / mostLevel);
        else
            setOver(result, channel, rangeOf(scales, channel));
    }
    return result;
}

}  // namespace calibscope::model
