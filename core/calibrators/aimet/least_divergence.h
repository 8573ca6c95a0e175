// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <span>

namespace calibscope {

/// How AIMET's window over a histogram becomes narrower.
struct ShrinkRule
{
    bool bothEnds = false;  ///< by one bin at each end; else by two bins where fewest counts are
                            ///< lost, at the other end where 0 would leave the window
};

/// The range of the window with the least divergence from its coarse form of 255 levels, the first
/// and widest of several (DlQuantization, EntropyEncodingAnalyzer::_optimizeKL). The window shrinks
/// from all bins to 255, or until it holds no count. P is the window with what lies outside in its
/// end bins; Q spreads each level's counts evenly over its bins that are not empty, level l from
/// bin ceil(l size / 255) on. Empty bins of either are given 1e-4 counts, taken from the others
/// unless that is a count or more each; both are divided by sums kept in float32. Ends are float32.
/// Requires 255 bins and a range with a width.
[[nodiscard]] Range leastDivergence(std::span<const double> counts, const Range& range,
                                    const ShrinkRule& rule);

}  // namespace calibscope
