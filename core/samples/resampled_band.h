// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <cstdint>
#include <vector>

namespace calibscope::samples {

/// Resamples that are made where each costs a calibration on the values: the least and the greatest
/// of 39 hold 95 %.
constexpr std::uint64_t fewestResamples = 39;

/// The share of resamples below a 95 % band, likewise above it. The scatter of n drawn units is
/// that of n values about their own mean, too small by sqrt((n - 1) / n), and known no better than
/// n units tell, so that the normal distribution's 2.5 % become
/// Phi(-sqrt(n / (n - 1)) t(97.5 %, n - 1)) (the expanded percentile interval: Hesterberg 2015, The
/// American Statistician 69, section 3.2). Requires n > 1.
[[nodiscard]] double tailShare(std::uint64_t units);

/// The band of these results: from the floor((R + 1) tailShare(units))-th smallest, at least the
/// smallest, to the like from above. Requires at least one result.
[[nodiscard]] Range resampledBand(std::vector<double> results, std::uint64_t units);

}  // namespace calibscope::samples
