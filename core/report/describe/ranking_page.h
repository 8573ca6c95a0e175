// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/page.h"
#include "core/report/describe/report_data.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope::report {

/// A result and its tensor.
struct RankedResult
{
    const TensorLine* line = nullptr;
    const ResultLine* result = nullptr;
};

/// The results with the lowest SQNR, the lowest first, no more than `most`; valid as long as the
/// report.
[[nodiscard]] std::vector<RankedResult> worstResults(const Report& report, std::size_t most);

/// A recipe's sum, beside the least one of those over most activations.
struct RankedSum
{
    const Recipe* recipe = nullptr;
    ErrorSum sum;
    std::optional<double> timesLeast;  ///< 1: it is the least one; nothing: over other activations
};

/// The recipes that have a sum: those over most activations first, then the least sum first.
[[nodiscard]] std::vector<RankedSum> rankedSums(const Report& report);

/// The page of the worst results and of the sums over the network.
[[nodiscard]] Page rankingPage(const Report& report);

}  // namespace calibscope::report
