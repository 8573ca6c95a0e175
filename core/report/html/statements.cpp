#include "core/report/html/statements.h"

#include "core/calibrators/calibrator.h"
#include "core/report/html/html.h"

#include <algorithm>
#include <set>

namespace calibscope::report {

namespace {

std::string sentences(std::string_view title, const std::vector<std::string>& texts)
{
    std::vector<std::string> items;
    std::ranges::transform(texts, std::back_inserter(items),
                           [](const std::string& text) { return html::escaped(text); });
    return items.empty()
               ? std::string()
               : "<div><h4>" + html::escaped(title) + "</h4>\n" + html::list(items) + "</div>\n";
}

}  // namespace

std::string recipeStatement(const Recipe& recipe)
{
    return "<article>\n<h3>" + html::escaped(recipe.title) + " <code>" + html::escaped(recipe.id) +
           "</code></h3>\n<p class=\"quiet\">" + html::escaped(recipe.source) +
           "</p>\n<div class=\"pair\">\n" + sentences("What the source states", recipe.states) +
           sentences("What was chosen where it is silent", recipe.chosen) + "</div>\n</article>\n";
}

std::string calibratorStatements(std::span<const Result> results)
{
    std::set<std::string> told;
    std::string statements;
    for (const Result& result : results) {
        const Calibrator& algorithm = calibrator(result.outcome.choice.calibrator);
        if (!told.insert(std::string(algorithm.id)).second)
            continue;
        statements += "<article>\n<h3>" + html::escaped(algorithm.title) + " <code>" +
                      html::escaped(algorithm.id) + "</code></h3>\n<p>" +
                      html::escaped(algorithm.summary) + "</p>\n<p class=\"quiet\">" +
                      html::escaped(algorithm.source) + "</p>\n</article>\n";
    }
    return statements;
}

}  // namespace calibscope::report
