// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/scales_table.h"

#include "core/recipes/make_choice.h"

#include "tests/support/catch.h"

#include <limits>
#include <stdexcept>

namespace scales_table_test {

using namespace calibscope;
using calibscope::test::containsText;

Outcome outcomeOf(Granularity granularity)
{
    const ScaleRow row{
        .clip = {.threshold = 1.27},
        .quantizer = {.scale = 0.01, .clip = {-1.27, 1.27}},
        .extents = {.finite = 8, .zeros = 1, .nan = 2, .min = -1.0, .max = 1.27},
        .metrics = {{"sqnr_db", std::numeric_limits<double>::infinity()}, {"mse", 0.0}},
        .notes = {"one", "two; three"}};
    Outcome outcome{.file = "a,b.h5",
                    .tensor = "x",
                    .role = Role::Weight,
                    .op = "Conv",
                    .choice =
                        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, granularity),
                    .whole = row};
    if (granularity == Granularity::Channel)
        outcome.channels = {row, row};
    return outcome;
}

std::string csvOf(const Outcome& outcome, bool withChannels)
{
    std::string text;
    TableWriter writer([&](std::string_view part) { text += part; }, TableFormat::Csv,
                       scaleColumns());
    for (const auto& row : scaleRows(outcome, withChannels))
        writer.row(row);
    writer.finish();
    return text;
}

Outcome outcome(Role role, const std::string& recipe, double squaredError)
{
    Outcome made;
    made.role = role;
    made.choice.recipe = recipe;
    made.choice.calibrator = "min-max";
    made.whole.metrics = {{"squared_error", squaredError}};
    return made;
}

TEST_CASE("the columns are those that scripts rely on")
{
    std::string ids;
    for (const Column& column : scaleColumns())
        ids += (ids.empty() ? "" : ",") + column.id;
    CHECK(ids == "file,tensor,role,op,channel,recipe,preset,calibrator,settings,histogram,scheme,"
                 "bits,low,high,"
                 "threshold,scale,zero_point,exactness,values,nan,inf,zeros,min,max,sqnr_db,mse,"
                 "mse_rounding,"
                 "mse_clipping,clipped_share,max_error,cosine,kl,levels_used,squared_error,"
                 "sqnr_bound_db,bounds,notes");
}

TEST_CASE("a column is of the choice or of the row, and has an id of its own")
{
    for (const ResultColumn& column : resultColumns()) {
        CHECK((column.ofChoice != nullptr) != static_cast<bool>(column.ofRow));
        CHECK(&resultColumn(column.id) == &column);
    }
    CHECK_THROWS_AS(resultColumn("no such"), std::invalid_argument);
}

TEST_CASE("every metric is shown to people, and says which values of it are better")
{
    for (const Metric& metric : metrics()) {
        const ResultColumn& column = resultColumn(metric.id);
        CHECK(column.isOnPages);
        CHECK(column.windowOrder > 0);
        CHECK(column.better == metric.better);
    }
}

TEST_CASE("a scale per tensor is one row")
{
    const std::string csv = csvOf(outcomeOf(Granularity::Tensor), true);
    CHECK(
        csv.substr(csv.find('\n') + 1) ==
        "\"a,b.h5\",x,weight,Conv,,,,min-max,"
        "fraction=1;least-range=0;zero-in-range=yes;divisor=qmax;rounding=half-even;scale-floor=0;"
        "zero-scale=floor;"
        "power-of-two=no;bits=8;unsigned=no;integers=scheme;zero-point=from-low;"
        "arithmetic=double,,"
        "symmetric-restricted,8,-1.27,1.27,1.27,0.01,0,exact,10,2,0,1,-1,1.27,inf,0,,,,,,,,,,,one; "
        "two; three\n");
}

TEST_CASE("an estimate comes with its bar, for scripts and for people; an exact number has none")
{
    Outcome outcome = outcomeOf(Granularity::Tensor);
    ScaleRow& row = outcome.whole;
    row.metrics = {{"sqnr_db", 29.5}, {"mse", 0.25}};
    row.bounds = {.least = {{"sqnr_db", 29.25}, {"mse", 0.125}},
                  .most = {{"sqnr_db", 29.625}, {"mse", 0.5}}};
    const ResultColumn& sqnr = resultColumn("sqnr_db");
    row.hasExactMetrics = true;
    CHECK(resultColumn("sqnr_bound_db").ofRow(row) == Cell{});
    CHECK(sqnr.bar(row).empty());
    row.hasExactMetrics = false;
    CHECK(resultColumn("sqnr_bound_db").ofRow(row) == Cell{0.25});  // the farther end
    CHECK(resultColumn("bounds").ofRow(row) ==
          Cell{std::string("sqnr_db=29.25..29.625;mse=0.125..0.5")});
    CHECK(sqnr.bar(row) == " ± 0.25");
    CHECK(resultColumn("mse").bar(row).empty());
    CHECK(row.bar("mse") == 0.25);
    CHECK_FALSE(row.bar("cosine"));
    CHECK_THAT(outcomeJson(outcome, true, true), containsText("\"sqnr_bound_db\":0.25"));
    CHECK(std::ranges::count(scaleColumns(), "+- dB", &Column::title) == 1);
}

TEST_CASE("scales per channel are a row for all, then one each if asked for")
{
    CHECK(scaleRows(outcomeOf(Granularity::Channel), false).size() == 1);
    const auto rows = scaleRows(outcomeOf(Granularity::Channel), true);
    REQUIRE(rows.size() == 3);
    CHECK(std::get<std::string>(rows[0][4]) == "*");
    CHECK(std::get<std::uint64_t>(rows[2][4]) == 1);
}

TEST_CASE("in JSON absent values are absent, infinity is a text and channels are arrays")
{
    const std::string json = outcomeJson(outcomeOf(Granularity::Channel), true, true);
    CHECK_THAT(json, containsText("\"sqnr_db\":\"inf\""));
    CHECK_THAT(json, containsText("\"channels\":{\"low\":[-1.27,-1.27]"));
    CHECK(json.find("\"mse_rounding\":0") == std::string::npos);
    CHECK(json.find("\"recipe\"") == std::string::npos);
    CHECK(json.find("\"curve\"") == std::string::npos);
}

TEST_CASE("a curve goes along where it is asked for")
{
    Outcome outcome = outcomeOf(Granularity::Tensor);
    outcome.curve = {.objective = "KL divergence",
                     .unit = "nats",
                     .threshold = {0.5, 1.0},
                     .value = {std::numeric_limits<double>::infinity(), 0.25},
                     .chosen = 1,
                     .plateau = {1.0, 1.0}};
    CHECK_THAT(outcomeJson(outcome, false, true),
               containsText("\"curve\":{\"objective_name\":\"KL "
                            "divergence\",\"unit\":\"nats\",\"threshold\":[0.5,1],"
                            "\"objective\":[\"inf\",0.25],\"chosen\":1,\"ties\":[],"
                            "\"plateau\":[1,1]}"));
    CHECK(outcomeJson(outcome, false, false).find("curve") == std::string::npos);
}

TEST_CASE("an iteration is summed up, with its steps where curves are asked for")
{
    Outcome outcome = outcomeOf(Granularity::Tensor);
    outcome.trace = {.objective = "squared error",
                     .scale = {0.5, 0.25},
                     .error = {3.0, 1.5},
                     .iterations = 2,
                     .hasConverged = true,
                     .gridScale = 0.125,
                     .gridError = 1.0};
    const std::string summary = "\"trace\":{\"objective_name\":\"squared error\",\"iterations\":2,"
                                "\"converged\":true,\"error_start\":3,\"error_end\":1.5,"
                                "\"grid_scale\":0.125,\"grid_error\":1,\"grid_ratio\":1.5";
    CHECK_THAT(outcomeJson(outcome, false, false), containsText(summary + "}"));
    CHECK_THAT(outcomeJson(outcome, false, true),
               containsText(summary + ",\"scale\":[0.5,0.25],\"error\":[3,1.5]}"));
}

TEST_CASE("traces of channels are a list with null for a channel without steps")
{
    Outcome outcome = outcomeOf(Granularity::Channel);
    outcome.channelTraces.resize(2);
    outcome.channelTraces[1] = {.objective = "squared error", .scale = {0.5}, .error = {3.0}};
    CHECK_THAT(outcomeJson(outcome, false, true),
               containsText("\"channel_traces\":[null,{\"objective_name\":\"squared error\","
                            "\"iterations\":0,\"converged\":false,\"error_start\":3,"
                            "\"error_end\":3,\"scale\":[0.5],\"error\":[3]}]"));
    CHECK(outcomeJson(outcome, false, false).find("traces") == std::string::npos);
}

TEST_CASE("an outcome with a problem has no row")
{
    Outcome outcome = outcomeOf(Granularity::Tensor);
    outcome.problem = "no";
    CHECK(scaleRows(outcome, true).empty());
}

TEST_CASE("squared errors of activations are added up for each recipe, weights left out")
{
    ErrorTotals totals;
    totals.add(outcome(Role::Activation, "one", 0.5));
    totals.add(outcome(Role::Activation, "two", 8.0));
    totals.add(outcome(Role::Weight, "one", 100.0));
    totals.add(outcome(Role::Unknown, "one", 0.25));
    CHECK(totals.json() == R"([{"recipe":"one","activations":2,"squared_error":0.75},)"
                           R"({"recipe":"two","activations":1,"squared_error":8}])");
}

TEST_CASE("an outcome with a problem, or without the metric, adds nothing")
{
    ErrorTotals totals;
    Outcome failed = outcome(Role::Activation, "one", 1.0);
    failed.problem = "it failed";
    totals.add(failed);
    Outcome empty = outcome(Role::Activation, "one", 1.0);
    empty.whole.metrics.clear();
    totals.add(empty);
    CHECK(totals.json() == "[]");
}

TEST_CASE("presets and calibrators are told apart from recipes")
{
    ErrorTotals totals;
    Outcome preset = outcome(Role::Activation, "", 1.0);
    preset.choice.preset = "p";
    totals.add(preset);
    totals.add(outcome(Role::Activation, "", 2.0));
    CHECK(totals.json() == R"([{"preset":"p","activations":1,"squared_error":1},)"
                           R"({"calibrator":"min-max:","activations":1,"squared_error":2}])");
}

}  // namespace scales_table_test
