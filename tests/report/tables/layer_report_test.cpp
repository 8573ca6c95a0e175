// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/layer_report.h"

#include "tests/support/catch.h"

#include <limits>

namespace layer_report_test {

using namespace calibscope;

LayerResult computedLayer()
{
    return {.layer = "y",
            .path = "/activations/y",
            .op = "Conv",
            .input = {.tensor = "x", .path = "/activations/x", .candidate = "a", .label = "A"},
            .weight = {.tensor = "w", .path = "/weights/w"},
            .whyNot = {},
            .outputSqnrDb = 30.0,
            .positions = 4,
            .of = 8,
            .notes = {"estimated, seed 1"}};
}

TEST_CASE("a layer's row has a cell for each column, and says which operand is float")
{
    const LayerReport report{.dump = "d", .seed = 1, .layers = {computedLayer()}};
    const auto rows = layerRows(report);
    REQUIRE(rows.size() == 1);
    REQUIRE(rows[0].size() == layerColumns().size());
    CHECK(std::get<std::string>(rows[0].back()) ==
          "w has no decision: counts as float; estimated, seed 1");
    CHECK(std::get<double>(rows[0][4]) == 30.0);
    CHECK(std::holds_alternative<std::monostate>(rows[0][5]));
    CHECK(std::get<std::uint64_t>(rows[0][11]) == 8);
}

TEST_CASE("a layer without numbers has its reason, and no positions")
{
    LayerResult layer = computedLayer();
    layer.whyNot = "input x is not in the dump";
    const auto rows = layerRows({.dump = "d", .seed = 1, .layers = {layer}});
    CHECK(std::get<std::string>(rows[0].back()).starts_with("input x is not in the dump"));
    CHECK(std::holds_alternative<std::monostate>(rows[0][10]));
}

TEST_CASE("channels, candidates and pairs fill their columns")
{
    LayerResult layer = computedLayer();
    layer.channels = {.signal = {4.0, 0.0},
                      .noise = {0.0, 1.0},
                      .meanError = {0.0, 1.0},
                      .gainDb = {0.0, 3.0},
                      .isDead = {false, true}};
    const auto channels = layerChannelRows({.dump = "d", .seed = 1, .layers = {layer}});
    REQUIRE(channels.size() == 2);
    REQUIRE(channels[0].size() == layerChannelColumns().size());
    CHECK(std::get<double>(channels[0][4]) == std::numeric_limits<double>::infinity());
    CHECK(std::get<double>(channels[1][4]) == -std::numeric_limits<double>::infinity());
    CHECK(std::get<std::string>(channels[1][7]) == "yes");

    LayerCandidates candidates{.decided = computedLayer(), .input = {}, .weight = {}};
    candidates.input = {{.candidate = "a",
                         .label = "A",
                         .isDecided = true,
                         .outputSqnrDb = 30.0,
                         .differenceDb = 0.0}};
    candidates.weight = {
        {.candidate = "b", .label = "B", .outputSqnrDb = 31.0, .differenceDb = 1.0}};
    candidates.bestInput = candidates.bestWeight = 0;
    candidates.bestSqnrDb = 31.0;
    const auto tried = layerCandidateRows(candidates);
    REQUIRE(tried.size() == 3);
    for (const auto& row : tried)
        CHECK(row.size() == layerCandidateColumns().size());
    CHECK(std::get<std::string>(tried[2][3]) == "A and B");

    const Equalization pair{.first = "y",
                            .second = "z",
                            .activation = "x",
                            .through = {},
                            .secondBeforeDb = 20.0,
                            .secondAfterDb = 23.0,
                            .dominant = {{.channel = 5, .absMax = 9.0, .ratio = 8.0}}};
    const auto pairs = equalizationRows({pair});
    REQUIRE(pairs[0].size() == equalizationColumns().size());
    CHECK(std::get<double>(pairs[0][7]) == 3.0);
    CHECK(std::get<std::string>(pairs[0][10]) == "5");
}

}  // namespace layer_report_test
