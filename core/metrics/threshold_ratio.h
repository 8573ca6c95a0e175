// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"
#include "core/quant/scheme.h"
#include "core/stats/profile.h"

#include <cstddef>
#include <vector>

namespace calibscope {

/// Signal to noise as a function of the threshold.
struct ThresholdRatio
{
    std::vector<double> threshold;  ///< above 0, ascending, the last one the largest magnitude
    std::vector<double> sqnrDb;     ///< at each; infinite where nothing is lost
};

/// The quantizer that a threshold stands for: [-t, t] under a symmetric scheme; under an affine one
/// the data's range, widened to hold 0, as far as it lies in [-t, t]. Requires a finite t >= 0.
[[nodiscard]] Quantizer quantizerAt(const Scheme& scheme, const Range& dataEnds, double threshold);

/// Signal to noise under quantizerAt() of about `points` (at least 8) thresholds up to the largest
/// magnitude: most of them evenly apart, some at equal ratios below the first, for a logarithmic
/// axis. Estimated from the sketch, where every value counts as the mean of its bin: for up to 8
/// bits within 0.1 dB of the exact one (threshold_ratio_test.cpp); with more bits levels come as
/// close as values of a bin, and the estimate is too good. Empty without a value other than 0.
/// Cost: points times bins of the sketch, some nanoseconds each.
[[nodiscard]] ThresholdRatio thresholdRatio(const TensorProfile& profile, const Scheme& scheme,
                                            std::size_t points);

}  // namespace calibscope
