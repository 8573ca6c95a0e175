// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <cstdint>

namespace calibscope {

/// Where the sums of an exact tally (ErrorSums) lie for certain, when the values are known by a
/// sketch alone. Both ends are included; equal ends are known but for the rounding of sums.
struct ErrorBounds
{
    std::uint64_t count = 0;  ///< finite values: known exactly
    Range clipped;            ///< number of values outside the clip range
    Range sumSquares;
    Range sumSquaresQuantized;
    Range squaredError;  ///< rounding and clipping together: narrower than the sum of their ranges
    Range squaredRounding;
    Range squaredClipping;
    Range maxError;
    Range levelsUsed;
    Range divergence;  ///< of the quantized from the recorded distribution (metric kl)
};

}  // namespace calibscope
