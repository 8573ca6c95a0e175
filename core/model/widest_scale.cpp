// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/widest_scale.h"

#include "core/base/range.h"

#include <algorithm>
#include <cmath>

namespace calibscope::model {

namespace {

Range rangeOf(const TensorQuantization& of, std::size_t channel)
{
    const auto scale = static_cast<double>(of.scales[channel]);
    return {scale * (of.format.least() - of.zeroPoints[channel]),
            scale * (of.format.largest() - of.zeroPoints[channel])};
}

/// A scale and zero point whose levels hold the range, and 0.
void setOver(TensorQuantization& of, std::size_t channel, const Range& range)
{
    const double low = of.format.least();
    const double high = of.format.largest();
    const double scale = (range.high - range.low) / (high - low);
    of.scales[channel] = static_cast<float>(scale);
    of.zeroPoints[channel] = std::clamp(std::nearbyint(low - range.low / scale), low, high);
}

/// As it was decided, if that is known and the scale is still that one.
double unroundedScale(const TensorScales& scales, std::size_t channel)
{
    const float scale = scales.quantization.scales[channel];
    return channel < scales.unrounded.size() &&
                   static_cast<float>(scales.unrounded[channel]) == scale
               ? scales.unrounded[channel]
               : static_cast<double>(scale);
}

}  // namespace

TensorScales widestOf(std::span<const TensorScales> scales)
{
    Range all = rangeOf(scales.front().quantization, 0);
    const TensorScales* widest = &scales.front();
    int bits = 0;
    for (const TensorScales& one : scales) {
        const Range range = rangeOf(one.quantization, 0);
        all = {std::min(all.low, range.low), std::max(all.high, range.high)};
        bits = std::max(bits, one.quantization.format.bits());
        if (one.quantization.scales.front() > widest->quantization.scales.front())
            widest = &one;
    }
    TensorScales result = *widest;
    // Symmetric ranges that differ in their lowest level alone are held by the widest as well.
    const bool isSymmetric = std::ranges::all_of(
        scales, [](const TensorScales& one) { return one.quantization.zeroPoints.front() == 0.0; });
    const Range own = rangeOf(widest->quantization, 0);
    const bool areUnlike = bits != widest->quantization.format.bits();
    if (areUnlike || (!isSymmetric && (own.low > all.low || own.high < all.high))) {
        const int end = 1 << (bits - 1);
        result.quantization.format = NumberFormat::integers(-end, end - 1);
        setOver(result.quantization, 0, all);
    }
    result.tensor = scales.front().tensor;
    result.scope = scales.front().scope;
    result.dumpName = scales.front().dumpName;
    return result;
}

TensorScales perTensor(const TensorScales& scales)
{
    std::vector<TensorScales> channels;
    const TensorQuantization& all = scales.quantization;
    for (std::size_t channel = 0; channel < all.scales.size(); ++channel) {
        TensorScales& one = channels.emplace_back(scales);
        one.quantization.scales = {all.scales[channel]};
        one.quantization.zeroPoints = {all.zeroPoints[channel]};
        one.quantization.axis.reset();
        one.quantization.group = 1;
        one.unrounded = {unroundedScale(scales, channel)};
    }
    return widestOf(channels);
}

TensorScales withinLevels(const TensorScales& scales, int mostLevel)
{
    const TensorQuantization& given = scales.quantization;
    if (given.format.high() <= mostLevel && given.format.low() >= -mostLevel)
        return scales;
    TensorScales result = scales;
    result.quantization.format = NumberFormat::integers(-mostLevel, mostLevel);
    for (std::size_t channel = 0; channel < given.scales.size(); ++channel) {
        if (given.zeroPoints[channel] == 0.0)
            result.quantization.scales[channel] = static_cast<float>(
                unroundedScale(scales, channel) * given.format.high() / mostLevel);
        else
            setOver(result.quantization, channel, rangeOf(given, channel));
    }
    return result;
}

}  // namespace calibscope::model
