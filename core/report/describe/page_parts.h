// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/recipe.h"
#include "core/report/describe/page.h"
#include "core/report/describe/report_data.h"

#include <span>
#include <vector>

/// Parts that several pages of a report share.
namespace calibscope::report {

/// A line of one text; nothing for an empty one.
[[nodiscard]] Page::Line textLine(std::string text);

/// A tensor's name, linked to its page if it has one; with its file where there are several.
[[nodiscard]] Page::Line tensorLink(const Report& report, const TensorLine& line);

/// The recipe's source, the choices where it is silent, and the settings.
[[nodiscard]] Page::Statement recipeStatement(const Recipe& recipe);

/// Description and source of each calibrator of the results; each once.
[[nodiscard]] std::vector<Page::Statement> calibratorStatements(std::span<const Result> results);

}  // namespace calibscope::report
