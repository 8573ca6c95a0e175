// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/calibrators/entropy/entropy_plain.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace calibscope {

// What the settings of the calibrator "entropy" mean for a histogram.

[[nodiscard]] EntropyRule entropyRule(const CalibratorInput& input);

/// The counts after the rule for the first bin.
[[nodiscard]] std::vector<std::uint64_t> entropyCounts(const Histogram& histogram,
                                                       const Settings& settings);

/// First and last bin that are tried; there is none where the first lies beyond the last.
struct EntropyTrials
{
    std::size_t first = 0;
    std::size_t last = 0;
};
[[nodiscard]] EntropyTrials entropyTrials(const CalibratorInput& input, const Histogram& histogram,
                                          double absMax);

/// The threshold that stands for a trial.
[[nodiscard]] double entropyThreshold(std::size_t trial, const Histogram& histogram,
                                      const Settings& settings);

}  // namespace calibscope
