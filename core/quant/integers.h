// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope {

/// Integers as programs store them: float32 values under a float32 scale, computed as the operator
/// QuantizeLinear of ONNX defines it. Metrics take Quantizer, which divides in double: the two
/// differ where a quotient lies within half a unit in the last place of float32 from a half step.
struct IntegerScale
{
    float scale = 1.0F;  ///< finite, above 0; may be subnormal
    int zeroPoint = 0;
    int low = -128;  ///< levels that are used, both included
    int high = 127;
};

/// clip(round-half-even(value / scale) + zeroPoint, low, high), the quotient in float32. Values
/// beyond the levels, infinite ones too, go to the nearer end. Requires a value that is a number.
[[nodiscard]] int integerOf(float value, const IntegerScale& scale);

/// The same for each value. Requires as many integers as values, and levels within their type.
template <std::integral Integer>
void toIntegers(std::span<const float> values, const IntegerScale& scale,
                std::span<Integer> integers)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        integers[i] = static_cast<Integer>(integerOf(values[i], scale));
}

/// scale (integer - zeroPoint), the product in float32: what DequantizeLinear gives.
[[nodiscard]] float fromInteger(int integer, const IntegerScale& scale);

}  // namespace calibscope
