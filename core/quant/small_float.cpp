// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/small_float.h"

#include <cmath>
#include <limits>

namespace calibscope {

static_assert(std::numeric_limits<float>::is_iec559, "float is taken for binary32");

float SmallFloat::valueOf(unsigned pattern) const
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const unsigned minusZero = patternCount() / 2;
    const auto mantissaBits = static_cast<unsigned>(bits - 1 - exponentBits);
    const unsigned magnitude = pattern % minusZero;
    const unsigned exponent = magnitude >> mantissaBits;
    const unsigned mantissa = magnitude & ((1U << mantissaBits) - 1);
    const float sign = pattern >= minusZero ? -1.0F : 1.0F;
    if (specials == FloatSpecials::NoMinusZero && pattern == minusZero)
        return nan;
    if (specials == FloatSpecials::NanOnly && magnitude == minusZero - 1)
        return nan;
    if (specials == FloatSpecials::Ieee &&
        exponent + 1 == 1U << static_cast<unsigned>(exponentBits))
        return mantissa == 0 ? sign * std::numeric_limits<float>::infinity() : nan;
    const unsigned digits = exponent == 0 ? mantissa : mantissa + (1U << mantissaBits);
    const int power =
        static_cast<int>(exponent == 0 ? 1 : exponent) - bias - static_cast<int>(mantissaBits);
    return sign * std::ldexp(static_cast<float>(digits), power);
}

}  // namespace calibscope
