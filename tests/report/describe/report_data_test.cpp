// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/report_data.h"

#include "core/base/error.h"

#include "tests/report/describe/some_report.h"
#include "tests/support/catch.h"

#include <limits>

namespace report_data_test {

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;

TEST_CASE("the lowest SQNR of any recipe comes first, tensors without one last")
{
    Report report = someReport();
    CHECK(report.ranking() == std::vector<std::size_t>{1, 0, 2});
    ReportedTensor lossless = somePart("lossless");
    lossless.results = {someResult("a", std::numeric_limits<double>::infinity())};
    report.lines.push_back(lineOf(lossless));
    CHECK(report.ranking() == std::vector<std::size_t>{1, 0, 3, 2});
}

TEST_CASE("equal tensors keep their order in the file, unreadable ones have no rank")
{
    Report report = someReport();
    report.lines[0].results = report.lines[1].results;
    CHECK(report.ranking() == std::vector<std::size_t>{0, 1, 2});
    report.lines[0].problem = "its filter is missing";
    CHECK(report.ranking() == std::vector<std::size_t>{1, 2});
}

TEST_CASE("a report is complete unless a file, a tensor or a result has a problem")
{
    CHECK(someReport().isComplete());
    Report file = someReport();
    file.sources[0].problem = "no such file";
    CHECK_FALSE(file.isComplete());
    Report tensor = someReport();
    tensor.lines[2].problem = "its filter is missing";
    CHECK_FALSE(tensor.isComplete());
    Report result = someReport();
    result.lines[0].results[1].problem = "it refuses affine schemes";
    CHECK_FALSE(result.isComplete());
}

TEST_CASE("the line of a tensor holds what the front page needs")
{
    ReportedTensor part = somePart("t");
    part.results = {someResult("a", 40.0)};
    part.results[0].outcome.choice.note = "of the rule";
    part.results[0].outcome.whole.notes = {"of the outcome"};
    const TensorLine line = lineOf(part);
    CHECK(line.page == "tensor/t.html");
    CHECK(line.worstSqnr() == 40.0);
    REQUIRE(line.resultOf("a") != nullptr);
    CHECK(line.resultOf("a")->notes == std::vector<std::string>{"of the rule", "of the outcome"});
    CHECK(line.resultOf("b") == nullptr);
    // Bins 0 and 2 of three, drawn in 32 columns.
    REQUIRE(line.sparkline.size() == 32);
    CHECK(line.sparkline[0] == 1.0);
    CHECK(line.sparkline[21] == 2.0);
}

TEST_CASE("a note that the outcome repeats is told once")
{
    Result result = someResult("a", 1.0);
    result.outcome.choice.note = "taken for an activation";
    result.outcome.whole.notes = {"taken for an activation", "all zero"};
    CHECK(notesOf(result) == result.outcome.whole.notes);
}

TEST_CASE("contents and formats are read from words between commas")
{
    CHECK(parseContents("summary,environment") ==
          std::set<Content>{Content::Summary, Content::Environment});
    CHECK(parseFormats("pdf") == std::set<Format>{Format::Pdf});
}

TEST_CASE("each content and format is read from its own word")
{
    for (const Content content : contents())
        CHECK(parseContents(contentWord(content)) == std::set<Content>{content});
    for (const Format format : formats())
        CHECK(parseFormats(formatWord(format)) == std::set<Format>{format});
}

TEST_CASE("an unknown word, an empty one and a repeated one are refused with the known ones")
{
    CHECK_THROWS_WITH(parseFormats("html,docx"), containsText("html, csv, json, png, svg, pdf"));
    CHECK_THROWS_AS(parseFormats(""), Error);
    CHECK_THROWS_AS(parseContents("summary,"), Error);
    CHECK_THROWS_AS(parseContents("summary,summary"), Error);
}

}  // namespace report_data_test
