// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/end_report.h"

#include "core/base/join.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

double endDecibels(double numerator, double denominator)
{
    return 10.0 * std::log10(numerator / denominator);
}

std::string layersText(const EndTable& table, const EndOperand& operand)
{
    return joinedText(operand.layers, "; ",
                      [&](std::size_t layer) { return table.layers[layer].output; });
}

Cell multiplicationsCell(const EndTable& table, const EndOperand& operand)
{
    double sum = 0.0;
    for (const std::size_t layer : operand.layers)
        sum += table.layers[layer].multiplications;
    return sum > 0.0 ? Cell(sum) : Cell();
}

std::string stateOf(const EndShare& share)
{
    return !share.power        ? "not measured"
           : share.isByAdjoint ? "adjoint times measured"
           : share.isScaled    ? "scaled"
                               : "measured";
}

}  // namespace

const std::vector<Column>& endColumns()
{
    static const std::vector<Column> columns{
        {.id = "rank", .title = "Rank", .isNumeric = true},
        {.id = "tensor", .title = "Tensor"},
        {.id = "kind", .title = "Kind"},
        {.id = "layers", .title = "Layers"},
        {.id = "choice", .title = "Choice"},
        {.id = "alone_db", .title = "Alone dB", .isNumeric = true},
        {.id = "share", .title = "Share %", .isNumeric = true},
        {.id = "cumulative_db", .title = "Cumulative dB", .isNumeric = true},
        {.id = "change_db", .title = "Change dB", .isNumeric = true},
        {.id = "largest_sample", .title = "Largest sample %", .isNumeric = true},
        {.id = "multiplications", .title = "Multiplications", .isNumeric = true},
        {.id = "state", .title = "State"},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> endRows(const EndTable& table, const EndPrediction& mix,
                                       const std::optional<DrawSummary>& luck)
{
    constexpr double percent = 100.0;
    std::vector<std::vector<Cell>> rows;
    double noise = 0.0;
    std::uint64_t rank = 0;
    for (const EndShare& share : mix.shares) {
        const EndOperand& operand = table.operands[share.operand];
        const auto add = [&](const EndChoice& choice, std::optional<double> power,
                             std::optional<double> with, const std::string& state) {
            const bool isOwn = state != "other choice";
            const auto cell = [&](bool isThere, double value) {
                return isThere && power ? Cell(value) : Cell();
            };
            const double own = share.power.value_or(0.0);
            std::optional<double> change;
            if (with && share.power && mix.noise > 0.0)
                change = endDecibels(mix.noise, std::max(0.0, mix.noise - own + *with));
            const bool isLuck =
                luck && change && std::abs(*change) < 2.0 * luck->sdDb.value_or(0.0);
            rows.push_back(
                {isOwn ? Cell(++rank) : Cell(), operand.tensor,
                 std::string(operand.isWeight ? "weight" : "input"),
                 textCell(layersText(table, operand)), textCell(choice.label),
                 cell(true, endDecibels(mix.signal, power.value_or(0.0))),
                 cell(isOwn && mix.noise > 0.0, percent * power.value_or(0.0) / mix.noise),
                 cell(isOwn, endDecibels(mix.signal, noise + own)), optionalCell(change),
                 isOwn && share.shareOfLargest ? Cell(percent * *share.shareOfLargest) : Cell(),
                 multiplicationsCell(table, operand), state,
                 textCell(isLuck ? "its change is too small to tell" : choice.whyNot)});
        };
        add(operand.choices[share.choice], share.power, 0.0, stateOf(share));
        noise += share.power.value_or(0.0);
        for (std::size_t other = 0; other < operand.choices.size(); ++other) {
            const EndChoice& choice = operand.choices[other];
            if (other == share.choice || choice.power.empty())
                continue;
            const double power = std::accumulate(choice.power.begin(), choice.power.end(), 0.0);
            add(choice, power, power, "other choice");
        }
    }
    return rows;
}

std::vector<OperandShare> parseEndShares(std::string_view text, const std::string& origin)
{
    constexpr double percent = 100.0;
    std::vector<OperandShare> shares;
    for (const nlohmann::json& value : parseJson(text, origin)) {
        const JsonObject object(value, origin);
        if (object.requiredText("state") == "other choice")
            continue;
        shares.push_back(
            {.tensor = object.requiredText("tensor"), .isWeight = object.text("kind") == "weight"});
        if (const std::optional<double> share = object.numberIfThere("share");
            share && std::isfinite(*share))
            shares.back().share = *share / percent;
    }
    return shares;
}

std::string endSentence(const EndTable& table, const EndPrediction& mix)
{
    constexpr double most = 0.95;
    std::size_t count = 0;
    for (double sum = 0.0; count < mix.shares.size() && sum < most * mix.noise; ++count)
        sum += mix.shares[count].power.value_or(0.0);
    std::string text =
        "ranked by the noise at `" + table.end +
        "` with that operand alone quantized: " + numberText(static_cast<std::uint64_t>(count)) +
        " of " + countText(mix.shares.size(), "operand", "operands") + " bring 95 % of the sum";
    if (mix.notMeasured > 0)
        text += "; " + numberText(static_cast<std::uint64_t>(mix.notMeasured)) +
                " not measured, and not in it";
    return text;
}

const std::vector<Column>& mixColumns()
{
    static const std::vector<Column> columns{
        {.id = "predicted_db", .title = "Predicted dB", .isNumeric = true},
        {.id = "low_db", .title = "From dB", .isNumeric = true},
        {.id = "high_db", .title = "To dB", .isNumeric = true},
        {.id = "measured_db", .title = "Measured dB", .isNumeric = true},
        {.id = "draws_db", .title = "Draws dB", .isNumeric = true},
        {.id = "draws_sd_db", .title = "Sd dB", .isNumeric = true},
        {.id = "operands", .title = "Operands", .isNumeric = true},
        {.id = "scaled", .title = "Scaled", .isNumeric = true},
        {.id = "not_measured", .title = "Not measured", .isNumeric = true},
        {.id = "samples", .title = "Samples", .isNumeric = true},
        {.id = "end", .title = "End"}};
    return columns;
}

namespace {

/// The SQNR that is predicted and the ends of its interval. Where an operand was not measured it is what
/// the end has at most, without an interval; nothing where none was.
std::array<Cell, 3> predictedCells(const EndPrediction& mix)
{
    if (!mix.shares.empty() && mix.notMeasured == mix.shares.size())
        return {};
    if (mix.notMeasured > 0)
        return {Cell(mix.db), Cell(), Cell()};
    return {Cell(mix.db), Cell(mix.db - mix.halfWidthDb), Cell(mix.db + mix.halfWidthDb)};
}

}  // namespace

std::vector<Cell> mixRow(const EndTable& table, const EndPrediction& mix,
                         std::optional<double> measuredDb, const std::optional<DrawSummary>& luck)
{
    const auto [db, low, high] = predictedCells(mix);
    return {db,
            low,
            high,
            optionalCell(measuredDb),
            luck ? Cell(luck->meanDb) : Cell(),
            luck ? optionalCell(luck->sdDb) : Cell(),
            static_cast<std::uint64_t>(mix.shares.size()),
            static_cast<std::uint64_t>(mix.scaled),
            static_cast<std::uint64_t>(mix.notMeasured),
            static_cast<std::uint64_t>(table.signal.size()),
            table.end};
}

const std::vector<Column>& bestColumns()
{
    static const std::vector<Column> columns{
        {.id = "rank", .title = "Rank", .isNumeric = true},
        {.id = "tensor", .title = "Tensor"},
        {.id = "kind", .title = "Kind"},
        {.id = "choice", .title = "Choice"},
        {.id = "choice_id", .title = "Choice ID"},
        {.id = "gain_db", .title = "Gain dB", .isNumeric = true},
        {.id = "predicted_db", .title = "Predicted dB", .isNumeric = true},
        {.id = "low_db", .title = "From dB", .isNumeric = true},
        {.id = "high_db", .title = "To dB", .isNumeric = true},
        {.id = "not_measured", .title = "Not measured", .isNumeric = true},
        {.id = "other_choices", .title = "Other choices", .isNumeric = true}};
    return columns;
}

std::vector<std::vector<Cell>> bestRows(const EndTable& table, const EndPrediction& mix,
                                        const std::vector<EndChange>& changes)
{
    std::uint64_t others = 0;
    for (const EndShare& share : mix.shares) {
        const std::vector<EndChoice>& choices = table.operands[share.operand].choices;
        for (std::size_t choice = 0; choice < choices.size(); ++choice)
            others += choice != share.choice && !choices[choice].power.empty() &&
                      !choices[choice].choiceId.empty();
    }
    const auto first = predictedCells(mix);
    std::vector<std::vector<Cell>> rows{{std::uint64_t{0},
                                         {},
                                         {},
                                         std::string("as decided"),
                                         {},
                                         {},
                                         first[0],
                                         first[1],
                                         first[2],
                                         static_cast<std::uint64_t>(mix.notMeasured),
                                         others}};
    for (const EndChange& change : changes) {
        const EndOperand& operand = table.operands[change.operand];
        const EndChoice& choice = operand.choices[change.choice];
        const auto [db, low, high] = predictedCells(change.predicted);
        rows.push_back({static_cast<std::uint64_t>(rows.size()), operand.tensor,
                        std::string(operand.isWeight ? "weight" : "input"), textCell(choice.label),
                        choice.choiceId, change.gainDb, db, low, high,
                        static_cast<std::uint64_t>(change.predicted.notMeasured), Cell()});
    }
    return rows;
}

std::vector<BestRow> parseBestRows(std::string_view text, const std::string& origin)
{
    std::vector<BestRow> rows;
    for (const nlohmann::json& value : parseJson(text, origin)) {
        const JsonObject object(value, origin);
        rows.push_back({.tensor = object.text("tensor"),
                        .isWeight = object.text("kind") == "weight",
                        .choiceId = object.text("choice_id"),
                        .gainDb = object.number("gain_db"),
                        .predictedDb = object.numberIfThere("predicted_db"),
                        .lowDb = object.numberIfThere("low_db"),
                        .highDb = object.numberIfThere("high_db"),
                        .notMeasured = object.count("not_measured"),
                        .otherChoices = object.count("other_choices")});
    }
    return rows;
}

const std::vector<Column>& budgetColumns()
{
    static const std::vector<Column> columns{
        {.id = "cost", .title = "Cost", .isNumeric = true},
        {.id = "predicted_db", .title = "Predicted dB", .isNumeric = true},
        {.id = "low_db", .title = "From dB", .isNumeric = true},
        {.id = "high_db", .title = "To dB", .isNumeric = true},
        {.id = "measured_db", .title = "Measured dB", .isNumeric = true},
        {.id = "int16", .title = "In int16", .isNumeric = true},
        {.id = "float", .title = "In float", .isNumeric = true},
        {.id = "layers_int16", .title = "Layers in int16"},
        {.id = "layers_float", .title = "Layers in float"},
        {.id = "not_measured", .title = "Not measured", .isNumeric = true},
        {.id = "inputs_int16", .title = "Inputs in int16"},
        {.id = "operands_float", .title = "Operands in float"}};
    return columns;
}

namespace {

/// A name in a list with "; " between: ";" and "\" in it have a "\" before them.
std::string escapedName(const std::string& name)
{
    std::string escaped;
    for (const char letter : name) {
        if (letter == ';' || letter == '\\')
            escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

}  // namespace

std::vector<Cell> budgetRow(const EndTable& table, const BudgetPoint& point)
{
    const auto namesOf = [&](EndPrecision precision) {
        std::vector<std::string> names;
        for (std::size_t layer = 0; layer < point.layers.size(); ++layer)
            if (point.layers[layer] == precision)
                names.push_back(table.layers[layer].output);
        return names;
    };
    const std::vector<std::string> int16 = namesOf(EndPrecision::Int16);
    const std::vector<std::string> inFloat = namesOf(EndPrecision::Float);
    std::vector<std::string> inputsInt16;
    std::vector<std::string> operandsFloat;
    for (const EndOperand& operand : table.operands) {
        if (operand.layers.empty() || operand.layers.front() >= point.layers.size())
            continue;
        const EndPrecision precision = point.layers[operand.layers.front()];  // as all of them
        if (precision == EndPrecision::Float)
            operandsFloat.push_back(operand.tensor);
        else if (precision == EndPrecision::Int16 && !operand.isWeight)
            inputsInt16.push_back(operand.tensor);
    }
    const auto [db, low, high] = predictedCells(point.predicted);
    return {point.cost,
            db,
            low,
            high,
            optionalCell(point.measuredDb),
            static_cast<std::uint64_t>(int16.size()),
            static_cast<std::uint64_t>(inFloat.size()),
            textCell(joinedText(int16, "; ", escapedName)),
            textCell(joinedText(inFloat, "; ", escapedName)),
            static_cast<std::uint64_t>(point.predicted.notMeasured),
            textCell(joinedText(inputsInt16, "; ", escapedName)),
            textCell(joinedText(operandsFloat, "; ", escapedName))};
}

std::vector<BudgetRow> parseBudgetRows(std::string_view text, const std::string& origin)
{
    std::vector<BudgetRow> rows;
    for (const nlohmann::json& value : parseJson(text, origin)) {
        const JsonObject object(value, origin);
        const auto names = [&object](const char* id) {
            std::vector<std::string> parts;
            const std::string joined = object.text(id);
            for (std::size_t index = 0; index < joined.size(); ++index) {
                const bool isEnd = joined[index] == ';';
                if (parts.empty() || isEnd)
                    parts.emplace_back();
                if (isEnd || (joined[index] == '\\' && index + 1 < joined.size()))
                    ++index;  // the space behind it, or the letter as it is
                if (!isEnd)
                    parts.back() += joined[index];
            }
            return parts;
        };
        rows.push_back({.cost = object.number("cost"),
                        .predictedDb = object.numberIfThere("predicted_db"),
                        .lowDb = object.numberIfThere("low_db"),
                        .highDb = object.numberIfThere("high_db"),
                        .int16 = names("layers_int16"),
                        .inFloat = names("layers_float"),
                        .inputsInt16 = names("inputs_int16"),
                        .operandsFloat = names("operands_float"),
                        .notMeasured = object.count("not_measured")});
    }
    return rows;
}

}  // namespace calibscope
