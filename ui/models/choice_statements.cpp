#include "ui/models/choice_statements.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/report/describe/markdown.h"
#include "core/report/describe/sections.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

std::string sourceLine(std::string_view source)
{
    return source.empty() ? std::string()
                          : tr("Source: %1.")
                                    .arg(QString::fromUtf8(source.data(), std::ssize(source)))
                                    .toStdString() +
                                "\n\n";
}

std::string bold(std::string_view text)
{
    return "**" + std::string(text) + "**\n\n";
}

/// The hand-written definition; its parameters are in the form.
std::string definitionOf(std::string_view calibratorId)
{
    const std::string_view text = describe::writtenText("calibrator-" + std::string(calibratorId));
    return text.empty() ? std::string()
                        : describe::withPart(std::string(text) + "\n", "options", {});
}

/// How the histogram that it works on follows the range, where it has one.
std::string growthOf(const Choice& choice)
{
    const auto& entries = choice.settings.entries();
    const auto growth =
        std::ranges::find(entries, "growth", [](const auto& entry) { return entry.first; });
    if (growth == entries.end())
        return {};
    const std::string_view written = describe::writtenText("growth-" + growth->second);
    return bold(tr("Histogram: %1").arg(QString::fromStdString(growth->second)).toStdString()) +
           std::string(growthRule(growth->second).summary) + "\n\n" +
           (written.empty() ? std::string() : std::string(written) + "\n\n");
}

}  // namespace

ChoiceStatements statementsOf(const Choice& choice, std::span<const std::string> recipeIds)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    std::string states = std::string(algorithm.summary) + "\n\n" + sourceLine(algorithm.source);
    std::string chosen = definitionOf(algorithm.id) + "\n" + growthOf(choice);
    if (!choice.preset.empty()) {
        const auto found = std::ranges::find(presets(), choice.preset, &Preset::id);
        if (found != presets().end())
            states += bold(found->title) + sourceLine(found->source);
    }
    for (const std::string& id : recipeIds) {
        const Recipe& one = recipe(id);
        states += bold(one.title) + sourceLine(one.source) + markdown::points(one.states) + "\n";
        if (!one.chosen.empty())
            chosen += bold(one.title) + markdown::points(one.chosen) + "\n";
    }
    if (!choice.note.empty())
        chosen += choice.note + "\n";
    return {.states = QString::fromStdString(states).trimmed(),
            .chosen = QString::fromStdString(chosen).trimmed()};
}

}  // namespace calibscope
