// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/layer_report.h"

#include "core/base/json_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

Cell notesCell(const std::vector<std::string>& notes)
{
    return textCell(joinedNotes(notes));
}

double decibels(double signal, double noise)
{
    if (noise == 0.0)
        return std::numeric_limits<double>::infinity();
    return 10.0 * std::log10(signal / noise);
}

void addUndecided(const LayerOperand& operand, std::vector<std::string>& notes)
{
    if (!operand.tensor.empty() && !operand.isDecided())
        notes.push_back(operand.tensor + " has no decision: counts as float");
    else if (!operand.decidedBy.empty())
        notes.push_back(operand.tensor + " has the scale of " + operand.decidedBy +
                        ", whose values it moves");
}

std::vector<Cell> effectRow(const LayerCandidates& candidates, const char* operand,
                            const std::string& tensor, const CandidateEffect& effect)
{
    return {candidates.decided.layer,
            std::string(operand),
            tensor,
            effect.label,
            std::string(effect.isDecided ? "yes" : "no"),
            optionalCell(effect.outputSqnrDb),
            optionalCell(effect.differenceDb),
            textCell(effect.problem)};
}

std::string dominantText(const std::vector<DominantChannel>& channels)
{
    constexpr std::size_t mostNamed = 8;
    std::string text;
    for (std::size_t place = 0; place < channels.size() && place < mostNamed; ++place)
        text += (place == 0 ? "" : " ") + std::to_string(channels[place].channel);
    if (channels.size() > mostNamed)
        text += " and " + std::to_string(channels.size() - mostNamed) + " more";
    return text;
}

}  // namespace

std::string errorShareText(const std::vector<double>& shares, std::size_t mostNamed)
{
    constexpr double leastShare = 0.01;
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t channel) { return shares[channel]; });
    std::string text;
    for (std::size_t i = 0; i < std::min(mostNamed, order.size()); ++i)
        if (const double share = shares[order[i]]; share >= leastShare)
            text += fmt::format("{}{} ({:.0f} %)", i == 0 ? "" : ", ", order[i], 100.0 * share);
    return text.empty() ? text : "share of input channels in the error: " + text;
}

std::vector<std::string> layerNotes(const LayerResult& result)
{
    std::vector<std::string> notes;
    if (!result.whyNot.empty())
        notes.push_back(result.whyNot);
    if (result.whyNot.empty()) {
        addUndecided(result.input, notes);
        addUndecided(result.weight, notes);
    }
    notes.insert(notes.end(), result.notes.begin(), result.notes.end());
    return notes;
}

const std::vector<Column>& layerColumns()
{
    static const std::vector<Column> columns{
        {.id = "layer", .title = "Layer"},
        {.id = "op", .title = "Op"},
        {.id = "input", .title = "Input"},
        {.id = "weight", .title = "Weight"},
        {.id = "output_sqnr_db", .title = "Output dB", .isNumeric = true},
        {.id = "interval_db", .title = "+- dB", .isNumeric = true},
        {.id = "output_ac_db", .title = "AC dB", .isNumeric = true},
        {.id = "input_db", .title = "Input dB", .isNumeric = true},
        {.id = "weight_db", .title = "Weight dB", .isNumeric = true},
        {.id = "residual", .title = "Residual", .isNumeric = true},
        {.id = "positions", .title = "Positions", .isNumeric = true},
        {.id = "of", .title = "Of", .isNumeric = true},
        {.id = "attributes", .title = "Attributes"},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> layerRows(const LayerReport& report)
{
    std::vector<std::vector<Cell>> rows;
    for (const LayerResult& layer : report.layers) {
        const bool isComputed = layer.whyNot.empty();
        rows.push_back({layer.layer, textCell(layer.op), textCell(layer.input.tensor),
                        textCell(layer.weight.tensor), optionalCell(layer.outputSqnrDb),
                        optionalCell(layer.intervalDb), optionalCell(layer.outputAcDb),
                        optionalCell(layer.inputDb), optionalCell(layer.weightDb),
                        optionalCell(layer.residual), isComputed ? Cell(layer.positions) : Cell(),
                        isComputed ? Cell(layer.of) : Cell(), textCell(layer.attributes),
                        notesCell(layerNotes(layer))});
    }
    return rows;
}

const std::vector<Column>& layerChannelColumns()
{
    static const std::vector<Column> columns{
        {.id = "layer", .title = "Layer"},
        {.id = "channel", .title = "Channel", .isNumeric = true},
        {.id = "signal", .title = "Signal", .isNumeric = true},
        {.id = "noise", .title = "Noise", .isNumeric = true},
        {.id = "sqnr_db", .title = "SQNR dB", .isNumeric = true},
        {.id = "mean_error", .title = "Mean error", .isNumeric = true},
        {.id = "gain_db", .title = "Gain dB", .isNumeric = true},
        {.id = "dead", .title = "Dead"}};
    return columns;
}

std::vector<std::vector<Cell>> layerChannelRows(const LayerReport& report)
{
    std::vector<std::vector<Cell>> rows;
    for (const LayerResult& layer : report.layers) {
        const LayerChannels& all = layer.channels;
        for (std::size_t channel = 0; channel < all.size(); ++channel)
            rows.push_back({layer.layer, static_cast<std::uint64_t>(channel), all.signal[channel],
                            all.noise[channel], decibels(all.signal[channel], all.noise[channel]),
                            all.meanError[channel], all.gainDb[channel],
                            std::string(all.isDead[channel] ? "yes" : "no")});
    }
    return rows;
}

const std::vector<Column>& layerCandidateColumns()
{
    static const std::vector<Column> columns{
        {.id = "layer", .title = "Layer"},
        {.id = "operand", .title = "Operand"},
        {.id = "tensor", .title = "Tensor"},
        {.id = "candidate", .title = "Candidate"},
        {.id = "decided", .title = "Decided"},
        {.id = "output_sqnr_db", .title = "Output dB", .isNumeric = true},
        {.id = "difference_db", .title = "Difference dB", .isNumeric = true},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> layerCandidateRows(const LayerCandidates& candidates)
{
    std::vector<std::vector<Cell>> rows;
    const LayerResult& decided = candidates.decided;
    for (const CandidateEffect& effect : candidates.input)
        rows.push_back(effectRow(candidates, "input", decided.input.tensor, effect));
    for (const CandidateEffect& effect : candidates.weight)
        rows.push_back(effectRow(candidates, "weight", decided.weight.tensor, effect));
    if (candidates.bestInput && candidates.bestWeight) {
        const CandidateEffect& input = candidates.input[*candidates.bestInput];
        const CandidateEffect& weight = candidates.weight[*candidates.bestWeight];
        rows.push_back({decided.layer, std::string("both"), Cell(),
                        input.label + " and " + weight.label,
                        std::string(input.isDecided && weight.isDecided ? "yes" : "no"),
                        optionalCell(candidates.bestSqnrDb),
                        optionalCell(candidates.bestDifferenceDb), Cell()});
    }
    if (!decided.whyNot.empty())
        rows.push_back({decided.layer, Cell(), Cell(), Cell(), Cell(), Cell(), Cell(),
                        notesCell(layerNotes(decided))});
    return rows;
}

const std::vector<Column>& equalizationColumns()
{
    static const std::vector<Column> columns{
        {.id = "first", .title = "First"},
        {.id = "second", .title = "Second"},
        {.id = "activation", .title = "Activation"},
        {.id = "first_before_db", .title = "First before dB", .isNumeric = true},
        {.id = "first_after_db", .title = "First after dB", .isNumeric = true},
        {.id = "second_before_db", .title = "Second before dB", .isNumeric = true},
        {.id = "second_after_db", .title = "Second after dB", .isNumeric = true},
        {.id = "gain_db", .title = "Gain dB", .isNumeric = true},
        {.id = "least_scale", .title = "Least scale", .isNumeric = true},
        {.id = "largest_scale", .title = "Largest scale", .isNumeric = true},
        {.id = "dominant", .title = "Dominant channels"},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> equalizationRows(const std::vector<Equalization>& pairs)
{
    std::vector<std::vector<Cell>> rows;
    for (const Equalization& pair : pairs) {
        std::vector<std::string> notes;
        if (!pair.whyNot.empty())
            notes.push_back(pair.whyNot);
        notes.insert(notes.end(), pair.notes.begin(), pair.notes.end());
        const bool isComputed = pair.secondBeforeDb && pair.secondAfterDb;
        rows.push_back({pair.first, pair.second, pair.activation, optionalCell(pair.firstBeforeDb),
                        optionalCell(pair.firstAfterDb), optionalCell(pair.secondBeforeDb),
                        optionalCell(pair.secondAfterDb),
                        isComputed ? Cell(*pair.secondAfterDb - *pair.secondBeforeDb) : Cell(),
                        isComputed ? Cell(pair.leastScale) : Cell(),
                        isComputed ? Cell(pair.largestScale) : Cell(),
                        textCell(dominantText(pair.dominant)), notesCell(notes)});
    }
    return rows;
}

const std::vector<Column>& operandTrialColumns()
{
    static const std::vector<Column> columns{
        {.id = "layer", .title = "Layer"},
        {.id = "input", .title = "Input"},
        {.id = "weight", .title = "Weight"},
        {.id = "method", .title = "Method"},
        {.id = "format", .title = "Format"},
        {.id = "setting", .title = "Setting", .isNumeric = true},
        {.id = "effective_bits", .title = "Bits", .isNumeric = true},
        {.id = "output_mse", .title = "Output MSE", .isNumeric = true},
        {.id = "output_sqnr_db", .title = "Output dB", .isNumeric = true},
        {.id = "difference_db", .title = "Difference dB", .isNumeric = true},
        {.id = "least_factor", .title = "Least factor", .isNumeric = true},
        {.id = "largest_factor", .title = "Largest factor", .isNumeric = true},
        {.id = "blocks", .title = "Blocks", .isNumeric = true},
        {.id = "best", .title = "Best"},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> operandTrialRows(const std::vector<OperandTrials>& layers)
{
    std::vector<std::vector<Cell>> rows;
    for (const OperandTrials& layer : layers) {
        if (!layer.whyNot.empty()) {
            std::vector<Cell> row(operandTrialColumns().size());
            row[0] = layer.layer;
            row[1] = textCell(layer.input);
            row[2] = textCell(layer.weight);
            row.back() = layer.whyNot;
            rows.push_back(std::move(row));
        }
        for (const OperandTrial& trial : layer.trials) {
            const bool isFirst = &trial == &layer.trials.front();
            const auto [least, largest] = std::ranges::minmax_element(trial.factors);
            const auto factorCell = [&](auto at) {
                return trial.factors.empty() ? Cell() : Cell(static_cast<double>(*at));
            };
            std::vector<std::string> notes = isFirst ? layer.notes : std::vector<std::string>();
            if (isFirst && layer.positions < layer.of)
                notes.push_back("from " + std::to_string(layer.positions) + " of " +
                                std::to_string(layer.of) + " positions");
            if (isFirst)
                if (const std::string text = errorShareText(layer.errorShares); !text.empty())
                    notes.push_back(text);
            const bool isCompared =
                !isFirst && trial.outputSqnrDb && layer.trials.front().outputSqnrDb;
            rows.push_back({layer.layer, layer.input, layer.weight, trial.method, trial.format,
                            optionalCell(trial.setting), trial.effectiveBits, trial.outputMse,
                            optionalCell(trial.outputSqnrDb),
                            isCompared
                                ? Cell(*trial.outputSqnrDb - *layer.trials.front().outputSqnrDb)
                                : Cell(),
                            factorCell(least), factorCell(largest),
                            trial.blocks ? Cell(*trial.blocks) : Cell(),
                            std::string(trial.isBest ? "yes" : "no"), notesCell(notes)});
        }
    }
    return rows;
}

const std::vector<Column>& improvementColumns()
{
    static const std::vector<Column> columns{
        {.id = "layer", .title = "Layer"},
        {.id = "op", .title = "Op"},
        {.id = "input", .title = "Input"},
        {.id = "weight", .title = "Weight"},
        {.id = "remedy", .title = "Remedy"},
        {.id = "setting", .title = "Setting"},
        {.id = "calibration_db", .title = "Calibration dB", .isNumeric = true},
        {.id = "held_out_db", .title = "Held out dB", .isNumeric = true},
        {.id = "gain_db", .title = "Gain dB", .isNumeric = true},
        {.id = "interval_db", .title = "+- dB", .isNumeric = true},
        {.id = "overfit_db", .title = "Overfit dB", .isNumeric = true},
        {.id = "positions", .title = "Positions", .isNumeric = true},
        {.id = "columns", .title = "Columns", .isNumeric = true},
        {.id = "macs", .title = "Macs", .isNumeric = true},
        {.id = "chosen", .title = "Chosen"},
        {.id = "changes", .title = "Changes"},
        {.id = "notes", .title = "Notes"}};
    return columns;
}

std::vector<std::vector<Cell>> improvementRows(const ImprovementReport& report)
{
    const auto countCell = [](std::uint64_t count) { return count == 0 ? Cell() : Cell(count); };
    std::vector<std::vector<Cell>> rows;
    for (const LayerImprovement& layer : report.layers)
        for (std::size_t index = 0; index < layer.rows.size(); ++index) {
            const RemedyResult& row = layer.rows[index];
            const bool isDecided = index == 0;
            rows.push_back({layer.decided.layer, textCell(layer.decided.op),
                            textCell(layer.decided.input.tensor),
                            textCell(layer.decided.weight.tensor), row.remedy,
                            textCell(row.setting), optionalCell(row.calibrationDb),
                            optionalCell(row.heldOutDb), optionalCell(row.gainDb),
                            optionalCell(row.intervalDb), optionalCell(row.overfitDb),
                            countCell(layer.positions), countCell(layer.columns),
                            countCell(layer.multiplications),
                            isDecided ? Cell() : Cell(std::string(row.isChosen ? "yes" : "no")),
                            textCell(row.changes),
                            notesCell(isDecided ? layerNotes(layer.decided) : row.notes)});
        }
    return rows;
}

std::vector<std::vector<Cell>> chosenRows(const ImprovementReport& report)
{
    std::vector<std::vector<Cell>> rows = improvementRows(report);
    const auto chosen =
        static_cast<std::size_t>(std::ranges::find(improvementColumns(), "chosen", &Column::id) -
                                 improvementColumns().begin());
    std::erase_if(rows, [&](const std::vector<Cell>& row) {
        return row[chosen] != Cell(std::string("yes"));
    });
    return rows;
}

ImprovementReport parseImprovementRows(std::string_view text, const std::string& origin)
{
    ImprovementReport report;
    for (const nlohmann::json& value : parseJson(text, origin))
        addImprovementRow(report, JsonObject(value, origin));
    return report;
}

void addImprovementRow(ImprovementReport& report, const JsonObject& object)
{
    const std::string remedy = object.requiredText("remedy");
    if (remedy == "decided") {
        LayerImprovement& layer = report.layers.emplace_back();
        layer.decided.layer = object.requiredText("layer");
        layer.decided.op = object.text("op");
        layer.decided.input.tensor = object.text("input");
        layer.decided.weight.tensor = object.text("weight");
        layer.positions = object.count("positions");
        layer.columns = object.count("columns");
        layer.multiplications = object.count("macs");
    } else if (report.layers.empty()) {
        object.fail("has a remedy before its layer");
    }
    const auto db = [&object](const char* key) { return object.numberIfThere(key); };
    RemedyResult& row = report.layers.back().rows.emplace_back(
        RemedyResult{.remedy = remedy,
                     .setting = object.text("setting"),
                     .calibrationDb = db("calibration_db"),
                     .heldOutDb = db("held_out_db"),
                     .gainDb = db("gain_db"),
                     .intervalDb = db("interval_db"),
                     .overfitDb = db("overfit_db"),
                     .isChosen = object.text("chosen") == "yes",
                     .changes = object.text("changes")});
    if (object.has("notes"))
        row.notes.push_back(object.text("notes"));
}

}  // namespace calibscope
