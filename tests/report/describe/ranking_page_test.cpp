// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/ranking_page.h"

#include "core/report/html/html.h"
#include "tests/report/describe/some_report.h"
#include "tests/support/catch.h"

namespace ranking_page_test {

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;

/// The report of which each result has that squared error.
Report withErrors(double ofA, double ofB)
{
    Report report = someReport();
    for (TensorLine& line : report.lines)
        for (ResultLine& result : line.results)
            result.squaredError = result.recipes.front() == "a" ? ofA : ofB;
    return report;
}

TEST_CASE("the worst results come first, and no more than asked for")
{
    const Report report = someReport();
    const std::vector<RankedResult> worst = worstResults(report, 2);
    REQUIRE(worst.size() == 2);
    CHECK(worst[0].line->info.name == "poor");
    CHECK(worst[1].line->info.name == "fine");
    CHECK(worst[1].result->label == "min-max of a");
    CHECK(worstResults(report, 100).size() == 3);  // "empty" has no SQNR
}

TEST_CASE("squared errors are added up over the activations of a recipe")
{
    Report report = withErrors(2.0, 0.5);
    CHECK(report.errorSum("a").activations == 3);
    CHECK(report.errorSum("a").squaredError == 6.0);
    CHECK(report.errorSum("b").activations == 1);
    report.lines[0].info.role = Role::Weight;
    CHECK(report.errorSum("a").squaredError == 4.0);
    CHECK(report.errorSum("c").activations == 0);
}

TEST_CASE("sums are compared with those over the same activations alone")
{
    Report report = withErrors(2.0, 0.5);
    std::vector<RankedSum> ranked = rankedSums(report);
    REQUIRE(ranked.size() == 2);
    CHECK(ranked[0].recipe->id == "a");  // over more
    CHECK(ranked[0].timesLeast == 1.0);
    CHECK_FALSE(ranked[1].timesLeast);  // of one alone: not the least

    for (TensorLine& line : report.lines) {
        line.results.push_back(line.results.front());
        line.results.back().recipes = {"b"};
        line.results.back().squaredError = 1.0;
        if (line.info.name == "fine")
            line.results.erase(line.results.begin() + 1);
    }
    ranked = rankedSums(report);
    CHECK(ranked[0].recipe->id == "b");
    CHECK(ranked[1].timesLeast == 2.0);

    const auto isOf = [](const std::string& recipe) {
        return [recipe](const ResultLine& result) { return result.recipes.front() == recipe; };
    };
    std::erase_if(report.lines[0].results, isOf("a"));
    std::erase_if(report.lines[1].results, isOf("b"));
    ranked = rankedSums(report);
    CHECK(ranked[0].sum.activations == ranked[1].sum.activations);
    CHECK(ranked[0].timesLeast == 1.0);
    CHECK_FALSE(ranked[1].timesLeast);  // as many, but others
}

TEST_CASE("the ranking page links to the tensors and marks the least sum")
{
    const std::string page = html::page(rankingPage(withErrors(2.0, 0.5)));
    CHECK_THAT(page, containsText("href=\"tensor/poor.html\""));
    CHECK_THAT(page, containsText("★ least"));
    CHECK_THAT(page, containsText("href=\"index.html\""));
}

}  // namespace ranking_page_test
