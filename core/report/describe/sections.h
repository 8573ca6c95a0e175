// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/stats/growth_rule.h"

#include <span>
#include <string>
#include <string_view>

/// The parts of the page of algorithms, as Markdown: each ends with one line feed.
namespace calibscope::describe {

/// The hand-written text of that name (resources/describe/NAME.md), without the line feed at its
/// end; empty if there is none.
[[nodiscard]] std::string_view writtenText(std::string_view name);

/// The text with the part in the line "{place}", which is gone. Throws std::invalid_argument if
/// there is no such line.
[[nodiscard]] std::string withPart(std::string text, std::string_view place, std::string_view part);

/// Id, default, accepted values and help of each parameter.
[[nodiscard]] std::string parameterTable(std::span<const Parameter> parameters);
/// Heading, summary, definition and parameters of a calibrator (calibrator-ID.md, whose line
/// "{options}" stands for the table of parameters), its source, and the presets and recipes that
/// use it.
[[nodiscard]] std::string calibratorSection(const Calibrator& calibrator);
/// Heading and source of a recipe, what the source states, what was chosen, and the rules.
[[nodiscard]] std::string recipeSection(const Recipe& recipe);
[[nodiscard]] std::string presetTable(std::span<const Preset> presets);
/// The rules, then the hand-written text of each (growth-ID.md).
[[nodiscard]] std::string growthRules(std::span<const GrowthRule> rules);
[[nodiscard]] std::string metricTable(std::span<const Metric> metrics);

}  // namespace calibscope::describe
