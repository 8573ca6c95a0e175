// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/recipes/sample_study.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope::samples {

/// Resamples that are made where each costs a calibration on the values: the least and the greatest
/// of 39 hold 95 %.
constexpr std::uint64_t fewestResamples = 39;

/// The share of resamples below a 95 % band, likewise above it. The scatter of n drawn units is
/// that of n values about their own mean, too small by sqrt((n - 1) / n), and known no better than
/// n units tell, so that the normal distribution's 2.5 % become
/// Phi(-sqrt(n / (n - 1)) t(97.5 %, n - 1)) (the expanded percentile interval: Hesterberg 2015, The
/// American Statistician 69, section 3.2). `units`: independent ones, more than 1.
[[nodiscard]] double tailShare(double units);

/// The band of these results: from the floor((R + 1) tailShare(units))-th smallest, at least the
/// smallest, to the like from above. Requires at least one result.
[[nodiscard]] Range resampledBand(std::vector<double> results, double units);

/// Runs of neighbouring units whose own thresholds are found: so many, or one for each unit.
constexpr std::size_t mostRuns = 64;

/// How the logarithms of the runs' own thresholds scatter.
struct RunScatter
{
    double runs = 0.0;  ///< with a threshold above 0
    double mean = 0.0;
    double deviation = 0.0;    ///< of the sample
    double correlation = 0.0;  ///< as NeighbourLikeness
    double independent = 0.0;  ///< runs, as NeighbourLikeness; from 2 to `runs`
};

/// From thresholds in recorded order. Those that are not above 0 (of units that are all zeros) are
/// passed by; nothing where fewer than fewestUnitsForBand are left.
[[nodiscard]] std::optional<RunScatter> runScatter(std::span<const double> thresholds);

/// The band of resamples that holds, too, what resampling does not see. Its ends are moved from the
/// threshold by sqrt(runs / independent ones) on the logarithmic scale, since resampling takes
/// units that are alike for independent ones. What a recording gives lies above the runs' own mean
/// because some of them reach farther than others, and how many do so is known no better than a
/// variance is: the upper end is moved further, as squares are added, by (threshold over mean, as
/// logarithms) (v / chi2(2.5 %, v) - 1) with v = independent - 1, at least 5, times the share, at
/// most 1, of the runs' scatter that the results have: deviation(results) sqrt(runs) / deviation.
/// So a threshold that does not move with the units has no wider band. `results`: of resamples of
/// `share` times the recorded units.
[[nodiscard]] Range widenedBand(const Range& band, double threshold,
                                std::span<const double> results, const RunScatter& scatter,
                                double share);

}  // namespace calibscope::samples
