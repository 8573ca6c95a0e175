#pragma once

#include "core/recipes/recipe.h"
#include "core/report/html/report_data.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope::report {

/// What the recipe's source states and what was chosen where it is silent, as HTML.
[[nodiscard]] std::string recipeStatement(const Recipe& recipe);

/// What each calibrator of the results does, and where it comes from; each once.
[[nodiscard]] std::string calibratorStatements(std::span<const Result> results);

}  // namespace calibscope::report
