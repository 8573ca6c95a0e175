// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/page.h"
#include "core/report/describe/report_data.h"

#include <optional>
#include <string>

namespace calibscope::report {

/// A tensor on another page.
struct Neighbour
{
    std::string name;
    std::string page;  ///< as in ReportedTensor
};

/// Input of a tensor's page from its surroundings.
struct PageContext
{
    const Source* source = nullptr;
    std::vector<Recipe> recipes;  ///< of the whole report
    std::optional<Neighbour> previous;
    std::optional<Neighbour> next;
    bool isDark = false;
    bool hasStatements = true;
};

/// The page of a tensor: its plots, its results and their notes, statistics, where it comes from;
/// on the screen also programs that compute the same, and who says so.
[[nodiscard]] Page tensorPage(const ReportedTensor& part, const PageContext& context);

}  // namespace calibscope::report
