// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/calibrators/own_program.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace calibscope {

/// How metrics are computed.
enum class MetricEffort {
    None,
    Estimate,  ///< from the sketch, with bounds, marked as estimated; per channel: none
    Bounded,   ///< the same where the SQNR's bar is at most 0.1 dB (mostBarDb), else exactly
    Budget,    ///< exactly where the values fit the budget, else as Bounded
    Exact,     ///< exactly, by a further pass
};

struct AnalyseOptions
{
    MetricEffort effort = MetricEffort::Budget;
    bool channelMetrics = false;  ///< metrics for each channel of a per-channel outcome
    bool channelTraces = false;   ///< the trace of each channel of a per-channel outcome
    std::uint64_t memoryBytes = std::uint64_t{160} << 20;
    /// The values of another tensor of the dump, by its path, for choices that take its range.
    /// Throws Error(Input) where there is none.
    std::function<ValueSource(const std::string& path)> otherTensor = {};
    AskProgram ask = {};  ///< has programs of the user's own asked
};

/// Whether metrics of that tensor are to be computed from its values, whatever the sketch tells.
[[nodiscard]] bool wantsExactMetrics(const AnalyseOptions& options, const TensorInfo& tensor);

/// Runs the choices on a tensor. The profile is completed as they need it (passes over the source)
/// and may be kept for the next call. A choice that fails has its outcome's `problem` set; the
/// others are not lost. Outcomes are in the order of the choices; equal computations are done once.
/// Throws Cancelled, and Error(Input) where the values can't be read.
[[nodiscard]] std::vector<Outcome> analyse(const ValueSource& source, TensorProfile& profile,
                                           std::span<const Choice> choices,
                                           const AnalyseOptions& options = {},
                                           const Progress& progress = {});

}  // namespace calibscope
