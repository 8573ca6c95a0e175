// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace calibscope {

/// Patterns of a small float that are no finite numbers.
enum class FloatSpecials {
    None,        ///< every pattern is a number
    Ieee,        ///< the largest exponent: infinity with mantissa 0, NaN with any other
    NanOnly,     ///< all bits of exponent and mantissa set: NaN ("fn")
    NoMinusZero  ///< the pattern of -0: NaN ("fnuz")
};

/// A binary float of at most 16 bits: sign, exponent, mantissa, from the highest bit on.
struct SmallFloat
{
    int bits = 8;
    int exponentBits = 4;
    int bias = 7;
    FloatSpecials specials = FloatSpecials::None;

    /// 2 to the number of bits.
    [[nodiscard]] unsigned patternCount() const { return 1U << static_cast<unsigned>(bits); }
    /// Exact; -0 is one. Requires pattern < patternCount().
    [[nodiscard]] float valueOf(unsigned pattern) const;
};

}  // namespace calibscope
