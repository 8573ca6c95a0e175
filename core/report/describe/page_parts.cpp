// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/page_parts.h"

#include "core/calibrators/calibrator.h"

#include <set>

namespace calibscope::report {

Page::Line textLine(std::string text)
{
    return text.empty() ? Page::Line() : Page::Line{piece::text(std::move(text))};
}

Page::Line tensorLink(const Report& report, const TensorLine& line)
{
    Page::Line pieces;
    if (report.sources.size() > 1)
        pieces = {piece::text(fileName(report.sources[line.source]), piece::Kind::Aside),
                  piece::text(" ")};
    pieces.push_back(piece::link(line.page, line.info.name));
    return pieces;
}

Page::Statement recipeStatement(const Recipe& recipe)
{
    std::vector<std::string> settings;
    for (const RecipeRule& rule : recipe.rules)
        settings.push_back(rule.choice.calibrator + ": " + rule.choice.settings.toText());
    return {.title = recipe.title,
            .id = recipe.id,
            .summary = {},
            .source = recipe.source,
            .lists = {{{"What the source states", recipe.states},
                       {"What was chosen where it is silent", recipe.chosen}}},
            .settings = std::move(settings)};
}

std::vector<Page::Statement> calibratorStatements(std::span<const Result> results)
{
    std::set<std::string> told;
    std::vector<Page::Statement> statements;
    for (const Result& result : results) {
        const Calibrator& algorithm = calibrator(result.outcome.choice.calibrator);
        if (told.insert(std::string(algorithm.id)).second)
            statements.push_back({.title = std::string(algorithm.title),
                                  .id = std::string(algorithm.id),
                                  .summary = std::string(algorithm.summary),
                                  .source = std::string(algorithm.source)});
    }
    return statements;
}

}  // namespace calibscope::report
