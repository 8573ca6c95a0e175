// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/check_report.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <limits>
#include <string>
#include <vector>

namespace check_report_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr double infinite = std::numeric_limits<double>::infinity();

CheckReport someReport()
{
    CheckReport report{
        .model = "m.onnx",
        .quantized = "q.onnx",
        .dump = "d.h5",
        .runtime = "fake 1",
        .samples = 4,
        .floatSeconds = 0.5,
        .writtenSeconds = 0.75,
        .fusedSeconds = 0.25,
        .outputs = {{.name = "y", .op = "Softmax", .recordedDb = 120.5}},
        .tensors = {{.name = "x/0",
                     .op = "Input",
                     .ownDb = 40.25,
                     .runningDb = infinite,
                     .medianDb = infinite,
                     .leastDb = infinite,
                     .maxError = 0.0,
                     .samples = 4},
                    {.name = "w", .op = "", .isWeight = true, .ownDb = 44.0, .maxError = 0.125},
                    {.name = "a",
                     .op = "Conv",
                     .ownDb = 33.0,
                     .outputSqnrDb = 30.0,
                     .runningDb = 20.0,
                     .medianDb = 22.0,
                     .leastDb = 17.0,
                     .dropDb = 10.0,
                     .maxError = 1.5,
                     .samples = 4}},
        .notes = {"a \"note\""}};
    report.outputs[0].asWritten = {.samples = 4,
                                   .sqnrDb = 20.0,
                                   .leastDb = 18.0,
                                   .medianDb = 21.0,
                                   .largestDb = 25.0,
                                   .maxError = 0.5,
                                   .meanError = 0.0625,
                                   .cosine = 0.99,
                                   .sameArgmax = 0.75};
    report.outputs[0].asFused = {.samples = 4, .sqnrDb = 17.5, .maxError = 0.75, .notFinite = 2};
    report.outputs[0].draws = {{.draw = 1, .agreement = {.samples = 4, .sqnrDb = 19.0}},
                               {.draw = 3, .agreement = {.samples = 4, .sqnrDb = 21.0}}};
    report.outputs[0].drawSummary = {
        .draws = 2, .meanDb = 19.5, .lowestDb = 19.0, .highestDb = 21.0, .sdDb = 1.5};
    return report;
}

TEST_CASE("a report of a check reads back from its JSON")
{
    const CheckReport report = someReport();
    CHECK(parseCheckReport(checkJson(report), "report") == report);
    CHECK_THAT(checkJson(report), containsText("\"running_db\": \"inf\"") &&
                                      containsText("\"fused_difference_db\": -2.5"));
    CHECK_THROWS_AS(parseCheckReport("{}", "report"), Error);
    CHECK_THROWS_AS(parseCheckReport("[]", "report"), Error);
}

TEST_CASE("the check's table has its columns, outputs first")
{
    std::string ids;
    for (const Column& column : checkColumns())
        ids += (ids.empty() ? "" : ",") + column.id;
    CHECK(ids == "tensor,op,kind,own_db,output_sqnr_db,running_db,median_db,least_db,max_error,"
                 "samples,draws,draw_mean_db,draw_lowest_db,draw_highest_db,draw_sd_db");

    std::string csv;
    TableWriter table([&](std::string_view text) { csv += text; }, TableFormat::Csv,
                      checkColumns());
    for (const std::vector<Cell>& row : checkRows(someReport()))
        table.row(row);
    table.finish();
    CHECK(csv == "tensor,op,kind,own_db,output_sqnr_db,running_db,median_db,least_db,max_error,"
                 "samples,draws,draw_mean_db,draw_lowest_db,draw_highest_db,draw_sd_db\n"
                 "y,Softmax,output,,,20,21,18,0.5,4,2,19.5,19,21,1.5\n"
                 "y,Softmax,draw,,,19,,,0,4,,,,,\n"
                 "y,Softmax,draw,,,21,,,0,4,,,,,\n"
                 "x/0,Input,activation,40.25,,inf,inf,inf,0,4,,,,,\n"
                 "w,,weight,44,,,,,0.125,,,,,,\n"
                 "a,Conv,activation,33,30,20,22,17,1.5,4,,,,,\n");
}

TEST_CASE("each output has a row as written and one as fused")
{
    const std::vector<std::vector<Cell>> rows = outputRows(someReport());
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].size() == outputColumns().size());
    CHECK(rows[0][1] == Cell(std::string("as written")));
    CHECK(rows[1][2] == Cell(17.5));
    CHECK(rows[1][10] == Cell(-2.5));
    CHECK(rows[3][1] == Cell(std::string("draw 3")));
    CHECK(rows[3][2] == Cell(21.0));
}

TEST_CASE("draws say which differences can be told from luck")
{
    CheckReport report = someReport();
    CHECK(drawSentence(report.outputs[0]) ==
          "output \"y\": 2 draws of rounding errors give 19.0 to 21.0 dB, 19.5 dB by the mean of "
          "their noise, sd 1.5 dB: models whose outputs differ by less than 3.0 dB (2 sd) are not "
          "distinguishable");
    report.outputs[0].drawSummary->sdDb.reset();
    CHECK_FALSE(drawSentence(report.outputs[0])->ends_with("distinguishable"));
    report.outputs[0].drawSummary.reset();
    CHECK_FALSE(drawSentence(report.outputs[0]));
}

TEST_CASE("tensors with the largest drop come first, the others keep their order")
{
    std::vector<TensorCheck> tensors{{.name = "a", .dropDb = 1.0},
                                     {.name = "b"},
                                     {.name = "c", .dropDb = 5.0},
                                     {.name = "d"},
                                     {.name = "e", .dropDb = 1.0}};
    sortByDrop(tensors);
    std::string order;
    for (const TensorCheck& tensor : tensors)
        order += tensor.name;
    CHECK(order == "caebd");
}

TEST_CASE("conditions are on the outputs' figures or the tensors'")
{
    const CheckReport report = someReport();
    const auto valuesOf = [&](std::string_view metric) {
        std::string text;
        for (const CheckValue& value : checkValues(report, metric))
            text += value.of + "=" + std::to_string(static_cast<int>(value.value)) + " ";
        return text;
    };
    CHECK(valuesOf("sqnr_db") == "y=20 ");
    CHECK(valuesOf("median_db") == "y=21 ");
    CHECK(valuesOf("least_db") == "y=18 ");
    CHECK(valuesOf("draw_mean_db") == "y=19 ");
    CHECK(valuesOf("fused_db") == "y=17 ");
    CHECK(valuesOf("fused_difference_db") == "y=-2 ");
    CHECK(valuesOf("own_db") == "x/0=40 w=44 a=33 ");
    CHECK(valuesOf("nothing").empty());
    for (const std::string& metric : checkMetrics()) {
        INFO(metric);
        CHECK_FALSE(checkValues(report, metric).empty());
    }
}

}  // namespace check_report_test
