// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/tensor_quantization.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// One scale, its levels counted from the zero point.
struct CentredLevels
{
    float scale = 1.0F;
    float low = -128.0F;
    float high = 127.0F;
};

/// Adding and taking away 1.5 x 2^23 rounds a float32 below 2^22 half to even, in vector
/// instructions that every processor has; a level is below 2^17.
constexpr float roundingShift = 12582912.0F;

/// Clipping before rounding gives the same, as the ends are whole; NaN stays NaN.
void quantizeRun(std::span<const float> values, const CentredLevels& levels, float* results)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        float level = values[i] / levels.scale;
        level = level < levels.low ? levels.low : level;
        level = level > levels.high ? levels.high : level;
        results[i] = levels.scale * ((level + roundingShift) - roundingShift);
    }
}

void quantizeRealRun(std::span<const float> values, const TensorQuantization& quantization,
                     std::size_t index, float* results)
{
    const float step = quantization.scales[index];
    const double zero = quantization.zeroPoints[index];
    const double least = quantization.format.least();
    const double largest = quantization.format.largest();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double level = std::nearbyint(static_cast<double>(values[i] / step) + zero);
        results[i] = step * static_cast<float>(std::clamp(level, least, largest) - zero);
    }
}

CentredLevels levelsOf(const TensorQuantization& quantization, std::size_t index)
{
    const double zero = quantization.zeroPoints[index];
    return {.scale = quantization.scales[index],
            .low = static_cast<float>(quantization.format.low() - zero),
            .high = static_cast<float>(quantization.format.high() - zero)};
}

}  // namespace

std::vector<std::uint64_t>
TensorQuantization::scaleShape(std::span<const std::uint64_t> shape) const
{
    if (!axis)
        return {};
    const auto index = static_cast<std::size_t>(*axis);
    if (group <= 1)
        return {shape[index]};
    std::vector<std::uint64_t> result(shape.begin(), shape.end());
    result[index] /= group;
    return result;
}

ChannelAxis TensorQuantization::axisIn(std::span<const std::uint64_t> shape) const
{
    if (!axis)
        return {};
    return group > 1 ? groupsWithin(shape, *axis, group) : axisWithin(shape, *axis);
}

IntegerScale TensorQuantization::integerScale(std::size_t index) const
{
    return {.scale = scales[index],
            .zeroPoint = static_cast<int>(zeroPoints[index]),
            .low = format.low(),
            .high = format.high()};
}

void fakeQuantize(std::span<const float> values, const TensorQuantization& quantization,
                  const ChannelAxis& axis, std::span<float> results)
{
    forEachRun(quantization.scales.size() == 1 ? ChannelAxis{} : axis, 0, values.size(),
               [&](std::size_t index, std::uint64_t first, std::uint64_t count) {
                   const auto run = values.subspan(first, count);
                   if (quantization.roundsWithZeroPoint)
                       quantizeRealRun(run, quantization, index, results.data() + first);
                   else
                       quantizeRun(run, levelsOf(quantization, index), results.data() + first);
               });
}

std::vector<float> dequantized(std::span<const std::int16_t> integers,
                               const TensorQuantization& quantization, const ChannelAxis& axis)
{
    std::vector<float> values(integers.size());
    forEachRun(quantization.scales.size() == 1 ? ChannelAxis{} : axis, 0, integers.size(),
               [&](std::size_t index, std::uint64_t first, std::uint64_t count) {
                   const IntegerScale scale = quantization.integerScale(index);
                   for (std::uint64_t i = first; i < first + count; ++i)
                       values[i] = fromInteger(integers[i], scale);
               });
    return values;
}

}  // namespace calibscope
