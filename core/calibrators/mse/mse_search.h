// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/calibrators/mse/quantization_error.h"
#include "core/quant/scheme.h"

#include <span>
#include <vector>

namespace calibscope {

/// Errors of symmetric thresholds on a histogram: those within 1e-6 of the least as
/// quantizationError() gives them, the others within sweptTolerance.
[[nodiscard]] std::vector<SplitError> thresholdErrors(const HistogramMass& mass,
                                                      const Scheme& scheme,
                                                      std::span<const double> thresholds);
/// Error of an affine clip range, by quantizationError().
[[nodiscard]] SplitError rangeError(const HistogramMass& mass, const Scheme& scheme,
                                    const Range& range);

/// The clip range with the least error in two stages: both ends of `full` (which holds 0) in steps
/// of a 128th, all pairs; then the 9 x 9 pairs around the best at a quarter of that step, not
/// beyond `full`. Of equal ones the first is taken, widest first. An end at 0 stays there.
[[nodiscard]] Range bestRange(const HistogramMass& mass, const Scheme& scheme, const Range& full);

/// Ends in steps of a 128th from `end` to 0 (left out), and `best`; ascending, none twice.
[[nodiscard]] std::vector<double> endsUpTo(double end, double best);

}  // namespace calibscope
