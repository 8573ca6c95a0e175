#include "core/report/html/ranking_page.h"

#include "core/report/html/html.h"
#include "core/report/html/tensor_link.h"

#include <algorithm>
#include <tuple>

namespace calibscope::report {

namespace {

constexpr std::size_t mostWorst = 100;

std::string sumTable(const Report& report)
{
    html::Table table;
    table.column("Recipe");
    table.column("Activations", true);
    table.column("Sum of squared errors", true);
    table.column("Times the least", true);
    for (const RankedSum& ranked : rankedSums(report))
        table.row({html::escaped(ranked.recipe->title), html::count(ranked.sum.activations),
                   html::number(ranked.sum.squaredError, 6),
                   ranked.timesLeast == 1.0 ? "<strong>★ least</strong>"
                                            : html::number(ranked.timesLeast)});
    return table.html();
}

std::string worstTable(const Report& report)
{
    html::Table table;
    table.column("Tensor");
    table.column("Role");
    table.column("Result");
    table.column("SQNR, dB", true);
    table.column("Squared error", true);
    table.column("Clipped", true);
    for (const auto& [line, result] : worstResults(report, mostWorst))
        table.row({tensorLink(report, *line), std::string(roleText(line->info.role)),
                   html::escaped(result->label),
                   html::sqnrBar(result->sqnrDb, result->hasExactMetrics),
                   html::result(resultColumn("squared_error"), result->squaredError),
                   html::result(resultColumn("clipped_share"), result->clippedShare)});
    return table.html();
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
    // Sums over other numbers of activations say nothing beside each other.
    const RankedSum* least = nullptr;
    for (RankedSum& entry : ranked) {
        if (least == nullptr || least->sum.activations != entry.sum.activations)
            least = &entry;
        if (least->sum.squaredError > 0.0)
            entry.timesLeast = entry.sum.squaredError / least->sum.squaredError;
    }
    return ranked;
}

std::string rankingPage(const Report& report)
{
    const std::string body =
        "<nav>" + html::link("index.html", "All tensors") +
        "</nav>\n<header>\n<h1>Ranking</h1>\n</header>\n<main>\n" +
        html::section("Squared errors of all activations",
                      "<p class=\"quiet\">Added up over the network; compare sums over the same "
                      "number of activations.</p>\n" +
                          sumTable(report)) +
        html::section("Worst results", worstTable(report)) + "</main>\n" + html::footer();
    return html::page("Ranking", body, report.isDark);
}

}  // namespace calibscope::report
