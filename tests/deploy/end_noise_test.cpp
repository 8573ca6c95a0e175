// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/deploy/check/check_steps.h"
#include "core/deploy/end_file.h"
#include "core/deploy/end_noise.h"
#include "core/report/tables/end_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace end_noise_test {

using namespace calibscope;
using namespace calibscope::deploy;
using test::Approx;

/// A direction along one of the parts, or between the first two.
std::vector<double> along(double first, double second)
{
    std::vector<double> parts(directionParts, 0.0);
    parts[0] = first;
    parts[1] = second;
    return parts;
}

EndChoice choiceOf(float scale, std::vector<double> power, std::vector<double> direction = {})
{
    return {.label = "min-max",
            .quantization = {.scales = {scale}, .zeroPoints = {0.0}},
            .power = std::move(power),
            .direction = std::move(direction)};
}

/// Two samples; layer p of 10 multiplications multiplies a by v, layer q of 30 b by w.
EndTable twoLayers()
{
    return {.end = "y",
            .signal = {600.0, 400.0},
            .layers = {{.output = "p", .multiplications = 10.0, .weightValues = 1.0},
                       {.output = "q", .multiplications = 30.0, .weightValues = 1.0}},
            .operands = {{.tensor = "a", .layers = {0}, .choices = {choiceOf(1.0F, {3.0, 3.0})}},
                         {.tensor = "v",
                          .isWeight = true,
                          .layers = {0},
                          .choices = {choiceOf(1.0F, {0.5, 0.5})}},
                         {.tensor = "b", .layers = {1}, .choices = {choiceOf(1.0F, {1.0, 1.0})}},
                         {.tensor = "w",
                          .isWeight = true,
                          .layers = {1},
                          .choices = {choiceOf(1.0F, {1.0, 0.0})}}},
            .mixes = {{.digest = "abc", .power = {2.0, 1.5}}}};
}

const EndMix all{0, 0, 0, 0};

TEST_CASE("a choice that was not run has a measured one's power times the ratio of adjoints")
{
    EndTable table = twoLayers();
    std::vector<EndChoice>& choices = table.operands[0].choices;
    choices.push_back(choiceOf(4.0F, {}));
    CHECK_FALSE(isKnownWithoutRun(table.operands[0], 1));
    choices[1].adjoint = {30.0, 10.0};
    CHECK_FALSE(isKnownWithoutRun(table.operands[0], 1));  // the measured one has none
    choices[0].adjoint = {5.0, 15.0};
    CHECK(isKnownWithoutRun(table.operands[0], 1));
    const EndPrediction end = predictedEnd(table, {1, 0, 0, 0});
    CHECK(end.shares[0].power == 12.0);  // 6 times 40 / 20
    CHECK(end.shares[0].isByAdjoint);
    CHECK_FALSE(end.shares[0].isScaled);
    CHECK(end.notMeasured == 0);
    CHECK(endRows(table, end, {})[0][11] == Cell(std::string("adjoint times measured")));
    choices[0].adjoint = choices[1].adjoint = {0.0, 0.0};  // to no gradient it matters
    CHECK(predictedEnd(table, {1, 0, 0, 0}).shares[0].power == 6.0);
    // What was run comes first, then a scale nearby.
    CHECK_FALSE(predictedEnd(table, all).shares[0].isByAdjoint);
    choices[1].quantization.scales = {1.02F};
    CHECK(predictedEnd(table, {1, 0, 0, 0}).shares[0].isScaled);
    const EndFile file{.modelSha256 = "m", .dumpSha256 = "d", .table = table};
    CHECK(parseEndFile(endFileJson(file), "end.json") == file);
    choices[1].adjoint = {1.0};
    CHECK_THROWS_AS(
        parseEndFile(endFileJson({.modelSha256 = "m", .dumpSha256 = "d", .table = table}),
                     "end.json"),
        Error);
}

TEST_CASE("the end of a mix: powers add up, what is float adds nothing")
{
    const EndPrediction whole = predictedEnd(twoLayers(), all);
    CHECK(whole.signal == 1000.0);
    CHECK(whole.noise == 10.0);
    CHECK(whole.db == Approx(20.0));
    CHECK(whole.halfWidthDb == 1.5);  // of errors without directions
    REQUIRE(whole.shares.size() == 4);
    CHECK(whole.shares[0].operand == 0);
    CHECK(whole.shares[0].power == 6.0);
    CHECK(whole.shares[0].shareOfLargest == 0.5);
    CHECK(whole.shares[3].shareOfLargest == 1.0);  // all of it in one sample
    const EndPrediction part = predictedEnd(twoLayers(), {std::nullopt, 0, 0, 0});
    CHECK(part.db == Approx(10.0 * std::log10(1000.0 / 4.0)));
    const EndPrediction none = predictedEnd(twoLayers(), EndMix(4));
    CHECK(none.db == std::numeric_limits<double>::infinity());
    CHECK(none.halfWidthDb == 0.0);
    CHECK(none.shares.empty());
}

TEST_CASE("the end of a mix: what is not measured is counted, near scales stand in")
{
    EndTable table = twoLayers();
    table.operands[0].choices.push_back(choiceOf(1.04F, {}));
    table.operands[0].choices.push_back(choiceOf(1.06F, {}));
    const EndPrediction near = predictedEnd(table, {1, 0, 0, 0});
    CHECK(near.scaled == 1);
    CHECK(near.notMeasured == 0);
    CHECK(near.noise == Approx(4.0 + 6.0 * 1.04 * 1.04));
    CHECK(near.shares[0].isScaled);
    const EndPrediction far = predictedEnd(table, {2, 0, 0, 0});
    CHECK(far.scaled == 0);
    CHECK(far.notMeasured == 1);
    CHECK(far.noise == 4.0);
    CHECK(far.shares.back().operand == 0);
    CHECK(!far.shares.back().power);
    EndChoice moved = choiceOf(1.01F, {});
    moved.quantization.zeroPoints = {1.0};
    table.operands[0].choices.push_back(moved);
    CHECK(predictedEnd(table, {3, 0, 0, 0}).notMeasured == 1);
}

TEST_CASE("the interval: errors of one direction may add or cancel")
{
    EndTable table = twoLayers();
    const double slant = std::sqrt(0.5);
    table.operands[0].choices[0].direction = along(1.0, 0.0);
    table.operands[2].choices[0].direction = along(slant, slant);
    const EndMix mix{0, std::nullopt, 0, std::nullopt};  // powers 6 and 2
    const double r2 = 0.5 - 1.0 / static_cast<double>(directionParts);
    const double h = 1.96 * (10.0 / std::log(10.0)) * std::sqrt(2.0 * 2.0 * r2 * 6.0 * 2.0) / 8.0;
    CHECK(predictedEnd(table, mix).halfWidthDb == Approx(1.5 * h));
    table.operands[2].choices[0].direction = along(0.0, 1.0);
    CHECK(predictedEnd(table, mix).halfWidthDb == 1.5);
}

TEST_CASE("the best choices: one for an operand, as many bits, most noise saved first")
{
    EndTable table = twoLayers();
    const auto add = [&](std::size_t operand, float scale, std::vector<double> power,
                         const std::string& id) -> EndChoice& {
        EndChoice choice = choiceOf(scale, std::move(power));
        choice.choiceId = id;
        return table.operands[operand].choices.emplace_back(choice);
    };
    CHECK(bestChanges(table, all).empty());
    add(0, 2.0F, {2.0, 3.0}, "some");
    add(0, 3.0F, {1.0, 1.0}, "least");
    add(0, 4.0F, {0.0, 0.0}, "");  // an older file's
    add(0, 5.0F, {0.0, 0.0}, "finer").quantization.format = NumberFormat::integers(-32768, 32767);
    add(0, 6.0F, {}, "not measured");
    add(1, 2.0F, {3.0, 3.0}, "worse");
    add(2, 2.0F, {0.5, 0.5}, "half");
    const std::vector<EndChange> changes = bestChanges(table, all);
    REQUIRE(changes.size() == 2);
    CHECK(changes[0].operand == 0);
    CHECK(changes[0].choice == 2);
    CHECK(changes[0].predicted.noise == 6.0);  // of 10
    CHECK(changes[0].gainDb == Approx(10.0 * std::log10(10.0 / 6.0)));
    CHECK(changes[1].operand == 2);
    CHECK(changes[1].predicted.noise == 5.0);
    CHECK(changes[1].gainDb == Approx(10.0 * std::log10(6.0 / 5.0)));
    CHECK(bestChanges(table, {2, 0, 1, 0}).empty());
    CHECK(bestChanges(table, {5, 0, 1, 0}).empty());  // nothing is known of its own
    const auto rows = bestRows(table, predictedEnd(table, all), changes);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].back() == Cell(std::uint64_t{5}));  // measured and with an id
}

TEST_CASE("the budget: most noise for its cost first, layers that share an operand together")
{
    EndTable table = twoLayers();
    addInt16Choices(table, all);
    CHECK(table.operands[0].choices.size() == 2);
    CHECK(table.operands[1].choices.size() == 1);  // a weight stays
    addInt16Choices(table, all);
    CHECK(table.operands[0].choices.size() == 2);
    const std::vector<BudgetPoint> curve = budgetCurve(table, all, {});
    REQUIRE(curve.size() >= 4);
    CHECK(curve[0].cost == 1.0);
    CHECK(curve[0].predicted.noise == 10.0);
    // int16 of p saves 6 (1 - 2^-16) for 10 of 40 multiplications, float 7 for 30.
    CHECK(curve[1].cost == 1.25);
    CHECK(curve[1].layers == std::vector{EndPrecision::Int16, EndPrecision::Int8});
    CHECK(curve[1].predicted.noise == Approx(4.0 + 6.0 / 65536.0));
    CHECK(curve[1].predicted.scaled == 1);
    CHECK(curve.back().cost == 4.0);
    CHECK(curve.back().predicted.noise == 0.0);
    for (std::size_t point = 1; point < curve.size(); ++point) {
        CHECK(curve[point].cost > curve[point - 1].cost);
        CHECK(curve[point].predicted.db > curve[point - 1].predicted.db);
    }
    const EndMix mix = mixAt(table, all, curve[1]);
    CHECK(mix == EndMix{1, 0, 0, 0});
    CHECK(scalesOf(table, {.operand = 0, .choice = 1}).quantization.scales[0] == 1.0F / 256.0F);
    CHECK(scalesOf(table, {.operand = 0, .choice = 1}).quantization.format.bits() == 16);
    table.operands[0].layers = {0, 1};  // one input of both
    for (const BudgetPoint& point : budgetCurve(table, all, {}))
        CHECK(point.layers[0] == point.layers[1]);
}

TEST_CASE("the budget: a layer with an operand that is not measured stays; own costs count")
{
    EndTable table = twoLayers();
    table.operands[1].choices[0].power.clear();
    addInt16Choices(table, all);
    for (const BudgetPoint& point : budgetCurve(table, all, {}))
        CHECK(point.layers[0] == EndPrecision::Int8);
    EndTable free = twoLayers();
    addInt16Choices(free, all);
    const auto curve = budgetCurve(free, all, {.isOfWeights = true, .int16 = 1.0, .inFloat = 4.0});
    CHECK(curve[0].cost == 1.0);  // 16 bits cost nothing: both inputs have them at once
    CHECK(curve[0].predicted.noise == Approx(2.0).epsilon(1e-4));
    CHECK(curve.back().cost == 4.0);
}

TEST_CASE("the table's file: written and read, and what contradicts itself is refused")
{
    EndFile file{.modelSha256 = "m", .dumpSha256 = "d", .samples = 2, .table = twoLayers()};
    file.table.operands[0].choices[0].direction = along(1.0, 0.0);
    file.table.operands[0].choices[0].whyNot = "why";
    file.table.operands[0].choices[0].choiceId = "mse:1";
    file.table.operands[1].choices[0].quantization = {
        .scales = {0.5F, 0.25F}, .zeroPoints = {0.0, 0.0}, .axis = 1, .group = 2};
    const std::string text = endFileJson(file);
    CHECK(parseEndFile(text, "f") == file);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        const std::size_t found = other.find(from);
        REQUIRE(found != std::string::npos);
        return other.replace(found, from.size(), to);
    };
    CHECK(parseEndFile(changed("\"choice_id\":\"mse:1\",", ""), "f")
              .table.operands[0]
              .choices[0]
              .choiceId.empty());  // of an older version
    EndTable older = twoLayers();
    EndChoice known = older.operands[1].choices[0];
    known.choiceId = "mse:1";
    const EndPosition at = addedChoice(older, older.operands[1], known);
    CHECK(older.operands[at.operand].choices[at.choice].choiceId == "mse:1");
    CHECK(older.operands[1].choices.size() == 1);
    CHECK_THROWS_AS(parseEndFile(changed("\"version\":1", "\"version\":2"), "f"), Error);
    CHECK_THROWS_AS(parseEndFile(changed("[3.0,3.0]", "[3.0]"), "f"), Error);
    CHECK_THROWS_AS(parseEndFile(changed("[3.0,3.0]", "[3.0,-3.0]"), "f"), Error);
    CHECK_THROWS_AS(parseEndFile(changed("\"layers\":[0]", "\"layers\":[2]"), "f"), Error);
    CHECK_THROWS_AS(parseEndFile(changed("\"scale\":1.0", "\"scale\":0.0"), "f"), Error);
    EndFile other = file;
    other.table.end = "z";
    CHECK_THROWS_AS(requireSameEnd(file, other, "f"), Error);
    CHECK_NOTHROW(requireSameEnd(file, file, "f"));
    CHECK(mixDigest(file.table, all) != mixDigest(file.table, {std::nullopt, 0, 0, 0}));
}

TEST_CASE("what lacks an operand has no interval, and what lacks all no number")
{
    const EndTable table = twoLayers();
    EndPrediction mix{.shares = {{.power = 1.0}, {.power = std::nullopt}},
                      .db = 30.0,
                      .halfWidthDb = 2.0,
                      .notMeasured = 1};
    const auto numbers = [](const std::vector<Cell>& row, std::size_t first) {
        std::vector<bool> are;
        for (std::size_t cell = first; cell < first + 3; ++cell)
            are.push_back(std::holds_alternative<double>(row.at(cell)));
        return are;
    };
    const auto inBoth = [&](const std::vector<bool>& expected) {
        CHECK(numbers(mixRow(table, mix, {}, {}), 0) == expected);
        CHECK(numbers(budgetRow(table, {.cost = 1.0, .layers = {}, .predicted = mix}), 1) ==
              expected);
    };
    inBoth({true, false, false});
    mix.notMeasured = 2;
    inBoth({false, false, false});
    mix.notMeasured = 0;
    inBoth({true, true, true});
}

TEST_CASE("the budget's rows: names with the separator in them, shares that are not finite")
{
    EndTable table = twoLayers();
    table.layers[0].output = "a; b\\";
    table.layers[1].output = ";";
    const std::vector<Cell> row = budgetRow(
        table,
        {.cost = 1.0, .layers = {EndPrecision::Float, EndPrecision::Float}, .predicted = {}});
    nlohmann::json object{{"cost", 1.0}};
    for (std::size_t column = 0; column < row.size(); ++column)
        if (const auto* text = std::get_if<std::string>(&row[column]))
            object[budgetColumns()[column].id] = *text;
    const std::vector<BudgetRow> rows = parseBudgetRows(nlohmann::json{object}.dump(), "f");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].inFloat == std::vector<std::string>{"a; b\\", ";"});
    CHECK(rows[0].operandsFloat == std::vector<std::string>{"a", "v", "b", "w"});
    CHECK(rows[0].int16.empty());
    const std::vector<OperandShare> shares =
        parseEndShares(R"([{"tensor": "a", "state": "measured", "share": "inf"}])", "f");
    REQUIRE(shares.size() == 1);
    CHECK(!shares[0].share);
}

TEST_CASE("a file of the end with numbers that can't be is refused")
{
    EndFile file{.modelSha256 = "m", .dumpSha256 = "d", .samples = 2, .table = twoLayers()};
    CHECK_NOTHROW(parseEndFile(endFileJson(file), "f"));
    EndFile silent = file;
    silent.table.signal = {0.0, 1.0};
    CHECK_THROWS_WITH(parseEndFile(endFileJson(silent), "f"), test::containsText("signal"));
    EndFile negative = file;
    negative.table.layers.front().multiplications = -5.0;
    CHECK_THROWS_WITH(parseEndFile(endFileJson(negative), "f"), test::containsText("below 0"));
    EndFile wide = file;
    wide.table.operands.front().choices.front().direction =
        std::vector<double>(directionParts, 1e6);
    CHECK_THROWS_WITH(parseEndFile(endFileJson(wide), "f"), test::containsText("longer than 1"));
}

}  // namespace end_noise_test
