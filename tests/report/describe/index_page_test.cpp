// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/index_page.h"

#include "core/report/html/html.h"
#include "tests/report/describe/some_report.h"
#include "tests/support/catch.h"

namespace index_page_test {

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;

bool inOrder(const std::string& text, const std::vector<std::string>& parts)
{
    std::size_t from = 0;
    for (const std::string& part : parts) {
        const std::size_t found = text.find(part, from);
        if (found == std::string::npos)
            return false;
        from = found + part.size();
    }
    return true;
}

TEST_CASE("the front page lists the tensors with the worst first, linked to their pages")
{
    const std::string page = html::page(indexPage(someReport()));
    const std::size_t tensors = page.find("<h2>Tensors</h2>");
    REQUIRE(tensors != std::string::npos);
    CHECK(inOrder(page.substr(tensors),
                  {"href=\"tensor/poor.html\"", ">12.0<", "href=\"tensor/fine.html\"", ">40.0<",
                   ">45.0<", "href=\"tensor/empty.html\""}));
}

TEST_CASE("each recipe is summed up: tensors, lowest, median, where it is the best")
{
    const std::string page = html::page(indexPage(someReport()));
    CHECK(inOrder(page, {"<h2>Recipes</h2>", "Recipe A", ">2<", ">12.0<", "poor", ">40.0<", ">1<",
                         "Recipe B", ">1<", ">45.0<", "fine", ">45.0<", ">1<"}));
}

TEST_CASE("what could not be read stands before the tensors, with its reason")
{
    Report report = someReport();
    report.sources.push_back({.identity = {.path = "/d/gone.h5"}, .problem = "gone.h5: no file"});
    report.lines.push_back(
        {.source = 0, .info = {.name = "odd"}, .problem = "odd: its filter 32015 is missing"});
    const std::string page = html::page(indexPage(report));
    CHECK(inOrder(page, {">unreadable<", "gone.h5: no file", "filter 32015", "<h2>Tensors</h2>"}));
    CHECK(page.find("tensor/odd") == std::string::npos);
}

TEST_CASE("odd data and notes are warned of, equal sentences once")
{
    Report report = someReport();
    for (TensorLine& line : report.lines)
        line.results[0].notes = {"follows the source literally"};
    report.lines[0].extents.nan = 2;
    report.lines[1].info.isGuess = true;
    const std::string page = html::page(indexPage(report));
    CHECK(inOrder(page, {"<h2>Warnings</h2>", "Holds NaN or infinities", "fine"}));
    CHECK_THAT(page, containsText("Role and axes are guessed (attributes)"));
    CHECK_THAT(page, containsText("Holds no finite value"));
    const std::string note = "follows the source literally";
    CHECK(page.find(note) == page.rfind(note));
    CHECK_THAT(page, containsText("with NaN or infinities"));
}

TEST_CASE("gates that failed are listed with their offenders")
{
    Report report = someReport();
    report.gates = {parseGate("sqnr<20")};
    CHECK_THAT(html::page(indexPage(report)), containsText("<b>passed</b>"));
    report.offences = {{.gate = "sqnr<20",
                        .metric = "sqnr_db",
                        .line = 1,
                        .label = "min-max of a",
                        .value = 12.0}};
    const std::string page = html::page(indexPage(report));
    CHECK(inOrder(page, {"<b>failed</b>", "<h2>Failed gates</h2>", "sqnr&lt;20", "poor",
                         "min-max of a", ">12<"}));
}

TEST_CASE("where a report is about several files, tensors are told with theirs")
{
    Report report = someReport();
    CHECK(html::page(indexPage(report)).find("dump.<wbr>h5</span>") == std::string::npos);
    report.sources.push_back({.identity = {.path = "/d/other.h5"}});
    CHECK_THAT(html::page(indexPage(report)), containsText("dump.<wbr>h5</span>"));
}

TEST_CASE("names and attributes of a file are not markup")
{
    const std::string page = html::page(indexPage(someReport()));
    CHECK_THAT(page, containsText("a &lt;model&gt;"));
    CHECK(page.find("<model>") == std::string::npos);
}

TEST_CASE("remedies that were chosen are listed with their gain, change and reason")
{
    Report report = someReport();
    CHECK(html::page(indexPage(report)).find("Improvements") == std::string::npos);
    report.improvements = {{.dump = "a.h5",
                            .layers = {{.decided = {.layer = "y", .op = "Conv"},
                                        .rows = {{.remedy = "decided"},
                                                 {.remedy = "channels", .gainDb = 0.02},
                                                 {.remedy = "bias",
                                                  .setting = "local",
                                                  .gainDb = 3.15157,
                                                  .intervalDb = 0.189489,
                                                  .isChosen = true,
                                                  .changes = "bias of `y`: 48 channels moved",
                                                  .notes = {"recorded in 16 bits"}}}}}}};
    const std::string page = html::page(indexPage(report));
    CHECK(inOrder(page, {"<h2>Improvements</h2>", "bias", "local", "3.15", "0.19",
                         "48 channels moved", "recorded in 16 bits", "<h2>Tensors</h2>"}));
    CHECK(page.find("0.02") == std::string::npos);
    CHECK(page.find("At the network") == std::string::npos);
    report.ladders = {
        {{.step = "+ channels",
          .figures = LadderFigures{.pooledDb = 34.1, .medianDb = 34.4, .leastDb = 30.2},
          .samples = 57,
          .note = "as drawn"}}};
    CHECK(inOrder(html::page(indexPage(report)),
                  {"<h2>Improvements</h2>", "48 channels moved", "+ channels", "34.1", "34.4",
                   "30.2", ">57<", "as drawn"}));
    report.contents.erase(Content::Summary);
    CHECK(html::page(indexPage(report)).find("Improvements") == std::string::npos);
}

TEST_CASE("a report of nothing is a page too")
{
    CHECK_THAT(html::page(indexPage(Report{})), containsText("<h1>Calibration report</h1>"));
}

}  // namespace index_page_test
