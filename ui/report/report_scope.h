#pragma once

#include "ui/queries/engine_calls.h"
#include "ui/report/report_options.h"
#include "ui/report/report_plan.h"

#include <vector>

namespace calibscope {

/// Leaves the tensors that the options' names and filter mean. A filter that asks for numbers of a
/// tensor (`sqnr<30`, `is:flagged`) has the engine look at each one; SQNR is that of the first
/// recipe. Throws Error(Usage) for a filter that can't be understood, Error(Input) for a name that
/// is in none of the dumps, Cancelled.
void keepScope(std::vector<PlannedTensor>& planned, const std::vector<protocol::DumpOpened>& dumps,
               const ReportOptions& options, EngineCalls& calls);

}  // namespace calibscope
