// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/analyse.h"
#include "core/metrics/estimate.h"

#include <span>
#include <vector>

namespace calibscope {

/// Fills outcomes whose choices have one scale for the tensor: collects what their calibrators
/// need, calibrates, and computes the metrics as the options say.
void fillTensorOutcomes(std::span<Outcome* const> outcomes, const ValueSource& source,
                        TensorProfile& profile, const AnalyseOptions& options,
                        const Progress& progress);

/// The errors of a tensor's values under a quantizer.
struct Measured
{
    ErrorEstimate errors;  ///< without bounds where they are exact
    bool isExact = false;
};

/// The errors under each of the quantizers, as the options' effort says (not None), by one pass
/// over the source where one is needed. The profile's sketch and extents have to be those of the
/// source.
[[nodiscard]] std::vector<Measured> measuredUnder(std::span<const Quantizer> quantizers,
                                                  const ValueSource& source,
                                                  const TensorProfile& profile,
                                                  const AnalyseOptions& options,
                                                  const Progress& progress);

}  // namespace calibscope
