// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/recipe.h"
#include "core/report/describe/page.h"
#include "core/report/describe/report_data.h"

#include <span>
#include <vector>

/// What several pages of a report have.
namespace calibscope::report {

/// A line of one text; nothing for an empty one.
[[nodiscard]] Page::Line textLine(std::string text);

/// A tensor's name, linked to its page if it has one; with its file where there are several.
[[nodiscard]] Page::Line tensorLink(const Report& report, const TensorLine& line);

/// What the recipe's source states, what was chosen where it is silent, and its settings.
[[nodiscard]] Page::Statement recipeStatement(const Recipe& recipe);

/// What each calibrator of the results does, and where it comes from; each once.
[[nodiscard]] std::vector<Page::Statement> calibratorStatements(std::span<const Result> results);

}  // namespace calibscope::report
