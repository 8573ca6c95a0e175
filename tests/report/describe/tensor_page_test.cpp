// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/tensor_page.h"

#include "core/report/html/html.h"
#include "tests/report/describe/some_report.h"
#include "tests/support/catch.h"

namespace tensor_page_test {

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;

std::string pageOf(const ReportedTensor& part)
{
    const Report report = someReport();
    return html::page(tensorPage(part, {.source = &report.sources[0],
                                        .recipes = report.recipes,
                                        .previous = std::nullopt,
                                        .next = Neighbour{"other <tensor>", "tensor/other.html"}}));
}

TEST_CASE("a tensor's page leads back, on, and to its pictures")
{
    ReportedTensor part = somePart("t");
    part.pictures = {{.drawing = "<svg>drawn</svg>", .files = {"png/t-histogram.png"}},
                     {.drawing = {}, .files = {"png/t-channels.png", "svg/t-channels.svg"}}};
    const std::string page = pageOf(part);
    CHECK_THAT(page, containsText("href=\"../index.html\""));
    CHECK_THAT(page, containsText("href=\"../tensor/other.html\">other &lt;tensor&gt; →"));
    CHECK_THAT(page, containsText("<figure><div class=\"wide\"><svg>drawn</svg></div>"));
    CHECK_THAT(page, containsText("href=\"../png/t-histogram.png\">as png<"));
    CHECK_THAT(page, containsText("href=\"../png/t-channels.png\">as png<"));
    CHECK_THAT(page, containsText("href=\"../svg/t-channels.svg\">as svg<"));
}

TEST_CASE("the results name scheme, range, scale and recipes, and mark the highest SQNR")
{
    ReportedTensor part = somePart("t");
    part.results = {someResult("a", 40.0), someResult("b", 45.0)};
    const std::string page = pageOf(part);
    CHECK_THAT(page, containsText("symmetric-full, 8 bits, per tensor"));
    CHECK_THAT(page, containsText("<td class=\"n\">−2.5</td><td class=\"n\">2.5</td>"));
    CHECK_THAT(page, containsText("★ 45.00"));
    CHECK(page.find("★ 40.00") == std::string::npos);
    CHECK_THAT(page, containsText("background:#123456"));
}

TEST_CASE("equal results have no best, estimated metrics say so")
{
    ReportedTensor part = somePart("t");
    part.results = {someResult("a", 40.0), someResult("b", 40.0)};
    part.results[1].outcome.whole.hasExactMetrics = false;
    const std::string page = pageOf(part);
    CHECK(page.find("★") == std::string::npos);
    CHECK_THAT(page, containsText("≈40.00"));
}

TEST_CASE("a result with a problem is told among the notes, not in the table")
{
    ReportedTensor part = somePart("t");
    part.results = {someResult("a", 40.0)};
    part.results[0].outcome.problem = "it refuses affine schemes";
    const std::string page = pageOf(part);
    CHECK(page.find("class=\"swatch\"") == std::string::npos);
    CHECK_THAT(page, containsText("no result: it refuses affine schemes"));
}

TEST_CASE("statements are those of the calibrators and recipes on the page")
{
    ReportedTensor part = somePart("t");
    part.results = {someResult("b", 40.0)};
    const std::string page = pageOf(part);
    CHECK_THAT(page, containsText("Recipe B"));
    CHECK(page.find("Recipe A") == std::string::npos);
    CHECK_THAT(page, containsText("<code>min-max</code>"));
}

TEST_CASE("a tensor that no recipe chooses for still has its statistics")
{
    const std::string page = pageOf(somePart("t"));
    CHECK_THAT(page, containsText("No recipe of this report chooses for this tensor"));
    CHECK_THAT(page, containsText("<dt>Maximum</dt><dd>3</dd>"));
}

TEST_CASE("without finite values there are counts, but no range and no mean")
{
    ReportedTensor part = somePart("t");
    part.profile.moments.extents = {.nan = 4};
    part.profile.info.shape = {2, 3};
    part.profile.firstNotFinite.nan = 4;
    const std::string page = pageOf(part);
    CHECK_THAT(page, containsText("<dt>NaN</dt><dd>4, first at [1, 1]</dd>"));
    CHECK_THAT(page, containsText("<dt>Infinite</dt><dd>0</dd>"));
    CHECK(page.find("<dt>Mean</dt>") == std::string::npos);
}

TEST_CASE("a line over the plots says what is odd about a tensor, and what does better")
{
    ReportedTensor part = somePart("t");
    part.results = {someResult("a", 40.0), someResult("b", 45.0)};
    CHECK_THAT(pageOf(part),
               containsText("One-sided: nothing below 0; min-max of b gains 5.0 dB."));
    part.profile.moments.extents = {.finite = 3, .min = -2.0, .max = 3.0};
    part.results.pop_back();
    const std::string page = pageOf(part);
    CHECK(page.find("One-sided") == std::string::npos);
    CHECK(page.find("gains") == std::string::npos);
}

}  // namespace tensor_page_test
