// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/small_float.h"

#include "core/quant/small_float.h"

#include <stdexcept>

namespace calibscope {

namespace {

using Kind = ElementType::Kind;

std::array<float, 256> tableOf(const SmallFloat& format)
{
    std::array<float, 256> values{};
    for (unsigned pattern = 0; pattern < values.size(); ++pattern)
        values[pattern] = format.valueOf(pattern);
    return values;
}

template <int exponentBits, int bias, FloatSpecials specials>
const std::array<float, 256>& table()
{
    static const std::array<float, 256> values = tableOf({8, exponentBits, bias, specials});
    return values;
}

}  // namespace

const std::array<float, 256>& float8Values(ElementType::Kind kind)
{
    switch (kind) {
    // Micikevicius et al., "FP8 formats for deep learning", table 1; OCP 8-bit floating point 1.0
    case Kind::Float8E4m3fn: return table<4, 7, FloatSpecials::NanOnly>();
    case Kind::Float8E5m2: return table<5, 15, FloatSpecials::Ieee>();
    // Python package ml_dtypes, "Specifications of implemented floating point formats"
    case Kind::Float8E4m3: return table<4, 7, FloatSpecials::Ieee>();
    case Kind::Float8E4m3fnuz: return table<4, 8, FloatSpecials::NoMinusZero>();
    case Kind::Float8E5m2fnuz: return table<5, 16, FloatSpecials::NoMinusZero>();
    case Kind::Float8E4m3b11fnuz: return table<4, 11, FloatSpecials::NoMinusZero>();
    default: throw std::invalid_argument("only 8-bit floats have a table of values");
    }
}

}  // namespace calibscope
