#pragma once

#include "core/report/html/report_data.h"

#include <optional>
#include <string>

namespace calibscope::report {

/// A tensor on another page.
struct Neighbour
{
    std::string name;
    std::string page;  ///< as in ReportedTensor
};

/// What a tensor's page needs from its surroundings.
struct PageContext
{
    const Source* source = nullptr;
    std::vector<Recipe> recipes;  ///< of the whole report
    std::optional<Neighbour> previous;
    std::optional<Neighbour> next;
    bool isDark = false;
    bool hasStatements = true;
};

/// The page of a tensor as HTML.
[[nodiscard]] std::string tensorPage(const ReportedTensor& part, const PageContext& context);

}  // namespace calibscope::report
