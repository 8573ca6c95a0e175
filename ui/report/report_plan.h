// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/candidates.h"
#include "core/report/describe/report_data.h"
#include "ui/queries/engine_calls.h"
#include "ui/report/report_options.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// A report's request for a tensor, and the place of the answer.
struct PlannedTensor
{
    std::size_t source = 0;
    TensorInfo info;
    std::string fileName;               ///< of its page and pictures, without an ending
    std::vector<Candidate> candidates;  ///< those that a recipe asks for
    protocol::ViewRequest request;      ///< its choices: one for each recipe, in their order
};

/// The tensors of all sources, in file order; `dumps` goes with the sources of the report.
[[nodiscard]] std::vector<PlannedTensor> planTensors(std::span<const protocol::DumpOpened> dumps,
                                                     std::span<const Recipe> recipes);

/// Places of its pages, seen from the report's folder.
[[nodiscard]] std::string pageOf(const PlannedTensor& planned);
[[nodiscard]] std::string channelPageOf(const PlannedTensor& planned);

/// The engine's answer as the report tells it, without pages, pictures and snippets. A candidate's
/// outcome is that of its first recipe.
[[nodiscard]] report::ReportedTensor partOf(const PlannedTensor& planned,
                                            const protocol::TensorView& view, bool isDark = false);

/// Leaves the tensors that the options' names and filter mean. A filter that asks for numbers of a
/// tensor (`sqnr<30`, `is:flagged`) has the engine look at each one; SQNR is that of the first
/// recipe. Throws Error(Usage) for a filter that can't be understood, Error(Input) for a name that
/// is in none of the dumps, Cancelled.
void keepScope(std::vector<PlannedTensor>& planned, const std::vector<protocol::DumpOpened>& dumps,
               const ReportOptions& options, EngineCalls& calls);

}  // namespace calibscope
