// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/small_float.h"

#include <cmath>
#include <stdexcept>

namespace calibscope {

namespace {

using Kind = ElementType::Kind;

/// Which patterns are not finite numbers.
enum class Specials {
    Ieee,        ///< the largest exponent: infinity with mantissa 0, NaN with any other
    NanOnly,     ///< all bits of exponent and mantissa set: NaN ("fn")
    NoMinusZero  ///< what would be -0: NaN ("fnuz")
};

struct Float8
{
    unsigned exponentBits;
    int bias;
    Specials specials;
};

Float8 formatOf(Kind kind)
{
    switch (kind) {
    // Micikevicius et al., "FP8 formats for deep learning", table 1; OCP 8-bit floating point 1.0
    case Kind::Float8E4m3fn: return {4, 7, Specials::NanOnly};
    case Kind::Float8E5m2: return {5, 15, Specials::Ieee};
    // Python package ml_dtypes, "Specifications of implemented floating point formats"
    case Kind::Float8E4m3: return {4, 7, Specials::Ieee};
    case Kind::Float8E4m3fnuz: return {4, 8, Specials::NoMinusZero};
    case Kind::Float8E5m2fnuz: return {5, 16, Specials::NoMinusZero};
    case Kind::Float8E4m3b11fnuz: return {4, 11, Specials::NoMinusZero};
    default: throw std::invalid_argument("only 8-bit floats have a table of values");
    }
}

float valueOf(const Float8& format, unsigned pattern)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const unsigned mantissaBits = 7 - format.exponentBits;
    const unsigned magnitude = pattern & 0x7fU;
    const unsigned exponent = magnitude >> mantissaBits;
    const unsigned mantissa = magnitude & ((1U << mantissaBits) - 1);
    const float sign = pattern >= 0x80 ? -1.0F : 1.0F;
    if (format.specials == Specials::NoMinusZero && pattern == 0x80)
        return nan;
    if (format.specials == Specials::NanOnly && magnitude == 0x7f)
        return nan;
    if (format.specials == Specials::Ieee && exponent + 1 == 1U << format.exponentBits)
        return mantissa == 0 ? sign * std::numeric_limits<float>::infinity() : nan;
    const unsigned digits = exponent == 0 ? mantissa : mantissa + (1U << mantissaBits);
    const int power = static_cast<int>(exponent == 0 ? 1 : exponent) - format.bias -
                      static_cast<int>(mantissaBits);
    return sign * std::ldexp(static_cast<float>(digits), power);
}

std::array<float, 256> tableOf(Kind kind)
{
    std::array<float, 256> values{};
    for (unsigned pattern = 0; pattern < values.size(); ++pattern)
        values[pattern] = valueOf(formatOf(kind), pattern);
    return values;
}

template <Kind kind>
const std::array<float, 256>& table()
{
    static const std::array<float, 256> values = tableOf(kind);
    return values;
}

}  // namespace

const std::array<float, 256>& float8Values(ElementType::Kind kind)
{
    switch (kind) {
    case Kind::Float8E4m3fn: return table<Kind::Float8E4m3fn>();
    case Kind::Float8E5m2: return table<Kind::Float8E5m2>();
    case Kind::Float8E4m3: return table<Kind::Float8E4m3>();
    case Kind::Float8E4m3fnuz: return table<Kind::Float8E4m3fnuz>();
    case Kind::Float8E5m2fnuz: return table<Kind::Float8E5m2fnuz>();
    case Kind::Float8E4m3b11fnuz: return table<Kind::Float8E4m3b11fnuz>();
    default: throw std::invalid_argument("only 8-bit floats have a table of values");
    }
}

}  // namespace calibscope
