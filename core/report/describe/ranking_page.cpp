// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/ranking_page.h"

#include "core/report/describe/page_parts.h"

#include <algorithm>
#include <tuple>

namespace calibscope::report {

namespace {

constexpr std::size_t mostWorst = 100;

Page::Table sumTable(const Report& report)
{
    Page::Table table{{{"Recipe"},
                       {"Activations", true},
                       {"Sum of squared errors", true},
                       {"Times the least", true}},
                      {}};
    for (const RankedSum& ranked : rankedSums(report))
        table.rows.push_back({textLine(ranked.recipe->title),
                              {piece::count(ranked.sum.activations)},
                              {piece::number(ranked.sum.squaredError, 6)},
                              !ranked.timesLeast ? textLine("–")
                              : *ranked.timesLeast == 1.0
                                  ? Page::Line{piece::text("★ least", Page::Piece::Kind::Strong)}
                                  : Page::Line{piece::number(*ranked.timesLeast)}});
    return table;
}

Page::Table worstTable(const Report& report)
{
    Page::Table table{{{"Tensor"},
                       {"Role"},
                       {"Result"},
                       {"SQNR, dB", true},
                       {"Squared error", true},
                       {"Clipped", true}},
                      {}};
    for (const auto& [line, result] : worstResults(report, mostWorst))
        table.rows.push_back(
            {tensorLink(report, *line),
             textLine(std::string(roleText(line->info.role))),
             textLine(result->label),
             {piece::sqnr(result->sqnrDb, result->hasExactMetrics, report.limits)},
             {piece::result(resultColumn("squared_error"), result->squaredError)},
             {piece::result(resultColumn("clipped_share"), result->clippedShare)}});
    return table;
}

}  // namespace

std::vector<RankedResult> worstResults(const Report& report, std::size_t most)
{
    std::vector<RankedResult> ranked;
    for (const TensorLine& line : report.lines)
        for (const ResultLine& result : line.results)
            if (result.sqnrDb)
                ranked.push_back({&line, &result});
    std::ranges::stable_sort(ranked, {},
                             [](const RankedResult& entry) { return *entry.result->sqnrDb; });
    ranked.resize(std::min(ranked.size(), most));
    return ranked;
}

std::vector<RankedSum> rankedSums(const Report& report)
{
    std::vector<RankedSum> ranked;
    for (const Recipe& recipe : report.recipes)
        if (const ErrorSum sum = report.errorSum(recipe.id); sum.activations > 0)
            ranked.push_back({.recipe = &recipe, .sum = sum});
    std::ranges::stable_sort(ranked, [](const RankedSum& a, const RankedSum& b) {
        return std::tuple(b.sum.activations, a.sum.squaredError) <
               std::tuple(a.sum.activations, b.sum.squaredError);
    });
    // Sums over different activations can't be compared.
    for (RankedSum& entry : ranked) {
        const ErrorSum& least = ranked.front().sum;
        if (entry.sum.lines == least.lines)
            entry.timesLeast =
                least.squaredError > 0.0 ? entry.sum.squaredError / least.squaredError : 1.0;
    }
    return ranked;
}

Page rankingPage(const Report& report)
{
    const Page::Paragraph how{textLine("Added up over the network. Sums over different "
                                       "activations are not compared."),
                              true};
    return {.title = "Ranking",
            .links = {piece::link("index.html", "All tensors")},
            .sections = {{.title = "Squared errors of all activations",
                          .blocks = {how, sumTable(report)}},
                         {.title = "Worst results", .blocks = {worstTable(report)}}},
            .isDark = report.isDark};
}

}  // namespace calibscope::report
