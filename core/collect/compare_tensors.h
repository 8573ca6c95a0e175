// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/analyse.h"
#include "core/compare/comparison.h"

#include <functional>
#include <span>
#include <string>

namespace calibscope {

/// A recording of a tensor and what was collected of it.
struct Recording
{
    const ValueSource& source;
    TensorProfile& profile;  ///< is completed as the choices need it
    /// As AnalyseOptions::otherTensor, of this recording's dump.
    std::function<ValueSource(const std::string& path)> otherTensor = {};
};

/// Runs the choices on both recordings, and A's scales on B's values. Scales per channel are
/// applied where B has as many channels; scales per row are not. The options' otherTensor is not
/// used. The divergence of the drift is computed from the values where the sketches leave more than
/// 1 % of it open, with MetricEffort::Exact where they leave anything open. Throws as analyse()
/// does.
[[nodiscard]] TensorComparison compareTensors(const Recording& a, const Recording& b,
                                              std::span<const Choice> choices,
                                              const AnalyseOptions& options = {},
                                              const Progress& progress = {});

}  // namespace calibscope
