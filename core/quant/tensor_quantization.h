// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/integers.h"
#include "core/quant/number_format.h"
#include "core/tensor/channel_runs.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Whether a scale quantizes anything: finite and above 0.
[[nodiscard]] inline bool isUsableScale(float scale)
{
    return std::isfinite(scale) && scale > 0.0F;
}

/// The scales of a tensor as programs apply them, from a calibrator's choice to a written file: a
/// number n of the format stands for scale (n - zero point).
struct TensorQuantization
{
    std::vector<float> scales = {};       ///< one, or one for each index along `axis`, or group
    std::vector<double> zeroPoints = {};  ///< as many
    std::optional<int> axis = {};         ///< of the tensor as stored; none: one scale
    /// Neighbours along `axis` that share a scale, if it is above 1: then scales are those of all
    /// values but for that, row by row, as the blocks of DequantizeLinear (opset 21).
    std::uint64_t group = 1;
    NumberFormat format = {};
    /// Zero points need not be whole: round(x / s + z) in place of round(x / s) + z.
    bool roundsWithZeroPoint = false;

    /// Shape of the scales in a tensor of that shape, which has the axis: {} for one.
    [[nodiscard]] std::vector<std::uint64_t> scaleShape(std::span<const std::uint64_t> shape) const;
    /// Where the scales change in a tensor of that shape. Requires an axis within the shape.
    [[nodiscard]] ChannelAxis axisIn(std::span<const std::uint64_t> shape) const;
    /// One of the scales, for integers. Requires a whole zero point and integers.
    [[nodiscard]] IntegerScale integerScale(std::size_t index) const;

    bool operator==(const TensorQuantization&) const = default;
};

/// How a weight is rounded, in the order in which it is stored.
struct WeightRounding
{
    std::vector<std::int16_t> integers = {};  ///< empty: to nearest, as decided
    TensorQuantization quantization = {};
    bool operator==(const WeightRounding&) const = default;
};

/// scale (clip(round-half-even(x / scale) + zero point) - zero point), quotient and product in
/// float32, of each value: what QuantizeLinear and DequantizeLinear of ONNX give. `values` begin at
/// index 0 of the axis; NaN stays NaN. Requires finite scales above 0, integers, and as many results
/// as values.
void fakeQuantize(std::span<const float> values, const TensorQuantization& quantization,
                  const ChannelAxis& axis, std::span<float> results);

/// scale (integer - zero point) of each in float32: what DequantizeLinear of ONNX gives. As
/// fakeQuantize().
[[nodiscard]] std::vector<float> dequantized(std::span<const std::int16_t> integers,
                                             const TensorQuantization& quantization,
                                             const ChannelAxis& axis);

}  // namespace calibscope
