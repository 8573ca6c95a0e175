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
    std::vector<float> scales = {};       ///< one, or one for each index along `axis`
    std::vector<double> zeroPoints = {};  ///< as many
    std::optional<int> axis = {};         ///< of the tensor as stored; none: one scale
    NumberFormat format = {};
    /// Zero points need not be whole: round(x / s + z) in place of round(x / s) + z.
    bool roundsWithZeroPoint = false;

    /// Where the scales change in a tensor of that shape. Requires an axis within the shape.
    [[nodiscard]] ChannelAxis axisIn(std::span<const std::uint64_t> shape) const;
    /// One of the scales, for integers. Requires a whole zero point and integers.
    [[nodiscard]] IntegerScale integerScale(std::size_t index) const;

    bool operator==(const TensorQuantization&) const = default;
};

/// scale (clip(round-half-even(x / scale) + zero point) - zero point), quotient and product in
/// float32, of each value: what QuantizeLinear and DequantizeLinear of ONNX give. `values` begin at
/// index 0 of the axis; NaN stays NaN. Requires finite scales above 0, integers, and as many results
/// as values.
void fakeQuantize(std::span<const float> values, const TensorQuantization& quantization,
                  const ChannelAxis& axis, std::span<float> results);

}  // namespace calibscope
