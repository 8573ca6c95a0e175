// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/sections.h"

#include "core/base/embedded_text.h"
#include "core/base/number_text.h"
#include "core/report/describe/markdown.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace calibscope::describe {

namespace {

constexpr EmbeddedText texts[] = {
#include "describe.inc"
};

constexpr double largestFloat = static_cast<double>(std::numeric_limits<float>::max());

using markdown::code;
using markdown::codes;

std::string rangeText(const Parameter& parameter)
{
    const bool isWhole = parameter.kind == Parameter::Kind::Integer || parameter.isWhole;
    const std::string unit = parameter.unit == "%" ? " %" : "";
    const std::string lists =
        parameter.isPerChannel ? "; one for each channel, separated by blanks" : "";
    if (parameter.greatest >= largestFloat)
        return numberText(parameter.least) + " or more" + unit + lists;
    if (parameter.least <= -largestFloat)
        return numberText(parameter.greatest) + " or less" + unit + lists;
    return std::string(isWhole ? "whole numbers " : "") + numberText(parameter.least) + " to " +
           numberText(parameter.greatest) + unit + lists;
}

std::string acceptedText(const Parameter& parameter)
{
    switch (parameter.kind) {
    case Parameter::Kind::Number:
    case Parameter::Kind::Integer: return rangeText(parameter);
    case Parameter::Kind::Choice: return codes(parameter.words);
    case Parameter::Kind::NumberOrWord: return codes(parameter.words) + "; " + rangeText(parameter);
    }
    return {};
}

std::string heading(std::string_view title, std::string_view id)
{
    return "### " + std::string(title) + ": " + code(id) + "\n\n";
}

std::vector<std::string> presetsWith(std::string_view calibratorId)
{
    std::vector<std::string> ids;
    for (const Preset& preset : presets())
        if (preset.calibrator == calibratorId)
            ids.push_back(preset.id);
    return ids;
}

std::vector<std::string> recipesWith(std::string_view calibratorId)
{
    std::vector<std::string> ids;
    for (const Recipe& recipe : allRecipes())
        if (std::ranges::any_of(recipe.rules, [&](const RecipeRule& rule) {
                return rule.choice.calibrator == calibratorId;
            }))
            ids.push_back(recipe.id);
    return ids;
}

/// "`entropy`: `first-bin=discarded`": what differs from the defaults.
std::string choiceText(std::string_view calibratorId, const GivenSettings& settings)
{
    std::vector<Parameter> parameters = calibrator(calibratorId).parameters;
    parameters.insert(parameters.end(), schemeParameters().begin(), schemeParameters().end());
    std::vector<std::string> differing;
    for (const Parameter& parameter : parameters) {
        const auto given = settings.find(parameter.id);
        if (given != settings.end() && given->second != parameter.fallback)
            differing.push_back(parameter.id + "=" + given->second);
    }
    return code(calibratorId) + (differing.empty() ? "" : ": " + codes(differing));
}

std::string conditionText(const RecipeRule& rule)
{
    const std::string operators = (rule.ops.empty() ? "" : " of " + codes(rule.ops)) +
                                  (rule.ops.empty() || rule.feeds.empty() ? "" : ", and those") +
                                  (rule.feeds.empty() ? "" : " read by " + codes(rule.feeds));
    return (rule.role ? std::string(roleText(*rule.role)) + "s" : std::string("all")) + operators +
           (rule.name.empty() ? "" : " named " + code(rule.name));
}

std::string ruleTable(const Recipe& recipe)
{
    std::vector<std::vector<std::string>> rows;
    for (const RecipeRule& rule : recipe.rules) {
        const auto& entries = rule.choice.settings.entries();
        rows.push_back({conditionText(rule),
                        choiceText(rule.choice.calibrator, {entries.begin(), entries.end()}),
                        code(schemeText(rule.choice.scheme.kind)), rule.choice.granularity.text()});
    }
    return markdown::table({"tensors", "calibrator", "scheme", "granularity"}, rows);
}

std::string_view betterText(Metric::Better better)
{
    switch (better) {
    case Metric::Better::Higher: return "higher";
    case Metric::Better::Lower: return "lower";
    case Metric::Better::Neither: return "";
    }
    return "";
}

}  // namespace

std::string_view writtenText(std::string_view name)
{
    const std::string fileName = std::string(name) + ".md";
    const auto* const found = std::ranges::find(texts, fileName, &EmbeddedText::fileName);
    if (found == std::end(texts))
        return {};
    return found->content.substr(0, found->content.find_last_not_of('\n') + 1);
}

std::string withPart(std::string text, std::string_view place, std::string_view part)
{
    const std::string line = "\n{" + std::string(place) + "}\n";
    const std::size_t found = text.find(line);
    if (found == std::string::npos)
        throw std::invalid_argument("the text lacks the line {" + std::string(place) + "}");
    return text.replace(found + 1, line.size() - 1, part);
}

std::string parameterTable(std::span<const Parameter> parameters)
{
    std::vector<std::vector<std::string>> rows;
    for (const Parameter& parameter : parameters)
        rows.push_back({code(parameter.id), code(parameter.fallback), acceptedText(parameter),
                        parameter.help});
    return markdown::table({"parameter", "default", "accepted", "meaning"}, rows);
}

std::string calibratorSection(const Calibrator& calibrator)
{
    const std::string name = "calibrator-" + std::string(calibrator.id);
    std::string text = heading(calibrator.title, calibrator.id) + std::string(calibrator.summary) +
                       (calibrator.isSymmetricOnly ? " Symmetric schemes only." : "") + "\n\n";
    const std::string options = parameterTable(calibrator.parameters);
    const std::string_view definition = writtenText(name);
    text +=
        definition.empty() ? options : withPart(std::string(definition) + "\n", "options", options);
    text += "\nSource: " + std::string(calibrator.source) + ".\n";
    if (const auto ids = presetsWith(calibrator.id); !ids.empty())
        text += "\nPresets: " + codes(ids) + ".\n";
    if (const auto ids = recipesWith(calibrator.id); !ids.empty())
        text += "\nRecipes: " + codes(ids) + ".\n";
    return text;
}

std::string recipeSection(const Recipe& recipe)
{
    std::string text = heading(recipe.title, recipe.id);
    if (!recipe.source.empty())
        text += "Source: " + recipe.source + ".\n\n";
    if (!recipe.states.empty())
        text += "What the source states:\n\n" + markdown::points(recipe.states) + "\n";
    if (!recipe.chosen.empty())
        text += "What was chosen:\n\n" + markdown::points(recipe.chosen) + "\n";
    return text + ruleTable(recipe) +
           (recipe.propagates ? "\nRanges are propagated from outputs to inputs.\n" : "");
}

std::string presetTable(std::span<const Preset> presets)
{
    std::vector<std::vector<std::string>> rows;
    for (const Preset& preset : presets)
        rows.push_back({code(preset.id), choiceText(preset.calibrator, preset.settings),
                        preset.scheme ? code(schemeText(*preset.scheme)) : std::string(),
                        preset.granularity ? preset.granularity->text() : std::string(),
                        preset.source});
    return markdown::table({"preset", "calibrator", "scheme", "granularity", "source"}, rows);
}

std::string growthRules(std::span<const GrowthRule> rules)
{
    std::vector<std::vector<std::string>> rows;
    std::string written;
    for (const GrowthRule& rule : rules) {
        rows.push_back({code(rule.id), std::to_string(rule.bins),
                        rule.domain == Domain::Magnitude ? "a" : "x", std::string(rule.summary)});
        const std::string_view text = writtenText("growth-" + std::string(rule.id));
        written += text.empty() ? "" : "\n" + std::string(text) + "\n";
    }
    return markdown::table({"rule", "bins", "of", "what it does"}, rows) + written;
}

std::string metricTable(std::span<const Metric> metrics)
{
    std::vector<std::vector<std::string>> rows;
    for (const Metric& metric : metrics)
        rows.push_back({code(metric.id), std::string(metric.unit),
                        std::string(betterText(metric.better)), std::string(metric.summary)});
    return markdown::table({"metric", "unit", "better", "meaning"}, rows);
}

}  // namespace calibscope::describe
