// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/calibrators/l2/scale_sum_source.h"

namespace calibscope {

/// When an iteration over scales ends.
struct L2Limits
{
    double tolerance = 0.0;    ///< relative change of the scale that counts as none
    std::uint64_t cap = 1000;  ///< updates
    int passes = 20;           ///< over a file
};

/// Why it ended.
enum class L2End {
    Converged,  ///< an update changed the scale by no more than the tolerance
    Cap,        ///< the updates were used up
    Passes,     ///< the passes were used up
    NoLevels,   ///< every value has level 0: there is no update
};

struct L2Iteration
{
    Trace trace;  ///< at least one step
    L2End end = L2End::Converged;
};

/// Alternates levels and scale from `start` (above 0): z = clip(round(x / s)), then s = sum x z /
/// sum z^2. The result is the last scale of the trace.
[[nodiscard]] L2Iteration iterateL2(ScaleSumSource& sums, double start, const L2Limits& limits);

}  // namespace calibscope
