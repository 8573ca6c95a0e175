#pragma once

#include "core/collect/analyse.h"

#include <span>

namespace calibscope {

/// Fills outcomes whose choices have one scale for the tensor: collects what their calibrators
/// need, calibrates, and computes the metrics as the options say.
void fillTensorOutcomes(std::span<Outcome* const> outcomes, const ValueSource& source,
                        TensorProfile& profile, const AnalyseOptions& options,
                        const Progress& progress);

}  // namespace calibscope
