// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/collect/analyse.h"
#include "core/dump/dump_file.h"
#include "core/recipes/decided_tensor.h"
#include "core/recipes/outcome.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// From what was decided to what leaves Calibscope: integers, scale files, Q/DQ models.
namespace calibscope::deploy {

/// The decided tensors of a dump, in its order, and what is to be said with them.
struct Decisions
{
    std::vector<DecidedTensor> tensors;  ///< without graph names
    /// Why tensors that were decided are missing, as sentences "file:path: why".
    std::vector<std::string> problems;
    std::vector<std::string> warnings;  ///< sentences that cost no tensor
};

struct DecisionOptions
{
    MetricEffort effort = MetricEffort::None;
    /// How a tensor is to be understood where that is not as the dump says; none: as it says.
    std::function<TensorInfo(const TensorInfo&)> understood = {};
    /// Whose decisions are wanted, as recorded; none: all. The others are left out.
    std::function<bool(const TensorInfo&)> wants = {};
    std::uint64_t firstBatches = 0;  ///< only so many of each tensor; 0: all
    /// Told of each tensor whose values are about to be read; may be called by several threads.
    std::function<void(const TensorInfo&)> begins = {};
    Progress progress = {};
    AskProgram ask = {};  ///< as in AnalyseOptions
};

/// The choice for a tensor as it is understood; nothing: none was decided.
using DecidedChoice = std::function<std::optional<Choice>(const TensorInfo& tensor)>;

/// Computes what `choiceOf` says of each tensor of a dump: scales as by analyse(), with the metrics
/// of the options' effort. A tensor that has a choice but can't be read or calibrated is a problem;
/// one without a choice is left out. Throws Error(Usage) for a layout that a tensor does not have,
/// and Cancelled.
[[nodiscard]] Decisions decidedBy(const DumpFile& dump, const DecidedChoice& choiceOf,
                                  const DecisionOptions& options = {});

}  // namespace calibscope::deploy
