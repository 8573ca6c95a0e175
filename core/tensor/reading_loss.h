// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace calibscope {

/// What became of a stored value that float32 does not hold as it is. The rounding of fractions is
/// none: it is what float32 is.
enum class ReadingLoss : std::uint8_t {
    Overflow,   ///< finite in the file, read as an infinity
    Underflow,  ///< not 0 in the file, read as 0
    Rounding,   ///< an integer beyond 2^24 in magnitude that lost digits; of float64 up to 2^53,
                ///< beyond which every value is whole
};

/// A value that lost more than a fraction's last digits when it was read.
struct LostValue
{
    std::uint32_t place = 0;  ///< in its block
    ReadingLoss loss = ReadingLoss::Overflow;

    bool operator==(const LostValue&) const = default;
};

}  // namespace calibscope
