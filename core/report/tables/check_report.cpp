// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/check_report.h"

#include "core/base/json_object.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

using Json = nlohmann::ordered_json;

Json numberOf(double value)
{
    return Json(numberValue(value));
}

void put(Json& object, const char* key, std::optional<double> value)
{
    if (value)
        object[key] = numberOf(*value);
}

Json agreementJson(const Agreement& agreement)
{
    Json object = {{"samples", agreement.samples}};
    put(object, "sqnr_db", agreement.sqnrDb);
    put(object, "least_db", agreement.leastDb);
    put(object, "median_db", agreement.medianDb);
    put(object, "largest_db", agreement.largestDb);
    put(object, "max_error", agreement.maxError);
    put(object, "mean_error", agreement.meanError);
    put(object, "cosine", agreement.cosine);
    put(object, "same_argmax", agreement.sameArgmax);
    if (agreement.notFinite > 0)
        object["not_finite"] = agreement.notFinite;
    return object;
}

Agreement agreementOf(const JsonObject& object)
{
    return {.samples = object.count("samples"),
            .sqnrDb = object.numberIfThere("sqnr_db"),
            .leastDb = object.numberIfThere("least_db"),
            .medianDb = object.numberIfThere("median_db"),
            .largestDb = object.numberIfThere("largest_db"),
            .maxError = object.number("max_error"),
            .meanError = object.number("mean_error"),
            .cosine = object.number("cosine", 1.0),
            .sameArgmax = object.numberIfThere("same_argmax"),
            .notFinite = object.count("not_finite")};
}

Json outputJson(const OutputCheck& output)
{
    Json object = {{"output", validUtf8(output.name)}, {"op", validUtf8(output.op)}};
    put(object, "recorded_db", output.recordedDb);
    object["as_written"] = agreementJson(output.asWritten);
    if (output.isRunAsFused())
        object["as_fused"] = agreementJson(output.asFused);
    for (const DrawCheck& draw : output.draws) {
        object["draws"].push_back({{"draw", draw.draw}});
        object["draws"].back().update(agreementJson(draw.agreement));
    }
    if (const std::optional<DrawSummary>& summary = output.drawSummary) {
        Json& drawn = object["draw_summary"];
        drawn["draws"] = summary->draws;
        put(drawn, "mean_db", summary->meanDb);
        put(drawn, "lowest_db", summary->lowestDb);
        put(drawn, "highest_db", summary->highestDb);
        put(drawn, "sd_db", summary->sdDb);
    }
    put(object, "fused_difference_db", output.fusedDifferenceDb());
    return object;
}

Json tensorJson(const TensorCheck& tensor)
{
    Json object = {{"tensor", validUtf8(tensor.name)},
                   {"op", validUtf8(tensor.op)},
                   {"kind", tensor.isWeight ? "weight" : "activation"}};
    put(object, "own_db", tensor.ownDb);
    put(object, "output_sqnr_db", tensor.outputSqnrDb);
    put(object, "running_db", tensor.runningDb);
    put(object, "median_db", tensor.medianDb);
    put(object, "least_db", tensor.leastDb);
    put(object, "drop_db", tensor.dropDb);
    put(object, "max_error", tensor.maxError);
    object["samples"] = tensor.samples;
    return object;
}

OutputCheck outputOf(const JsonObject& object)
{
    OutputCheck output{.name = object.requiredText("output"),
                       .op = object.text("op"),
                       .recordedDb = object.numberIfThere("recorded_db"),
                       .asWritten = {},
                       .asFused = {}};
    object.object("as_written",
                  [&](const JsonObject& part) { output.asWritten = agreementOf(part); });
    object.object("as_fused", [&](const JsonObject& part) { output.asFused = agreementOf(part); });
    object.list("draws", [&](const JsonObject& draw) {
        output.draws.push_back({.draw = draw.count("draw"), .agreement = agreementOf(draw)});
    });
    object.object("draw_summary", [&](const JsonObject& drawn) {
        output.drawSummary = {.draws = drawn.count("draws"),
                              .meanDb = drawn.number("mean_db"),
                              .lowestDb = drawn.number("lowest_db"),
                              .highestDb = drawn.number("highest_db"),
                              .sdDb = drawn.numberIfThere("sd_db")};
    });
    return output;
}

TensorCheck tensorOf(const JsonObject& object)
{
    return {.name = object.requiredText("tensor"),
            .op = object.text("op"),
            .isWeight = object.text("kind") == "weight",
            .ownDb = object.numberIfThere("own_db"),
            .outputSqnrDb = object.numberIfThere("output_sqnr_db"),
            .runningDb = object.numberIfThere("running_db"),
            .medianDb = object.numberIfThere("median_db"),
            .leastDb = object.numberIfThere("least_db"),
            .dropDb = object.numberIfThere("drop_db"),
            .maxError = object.numberIfThere("max_error"),
            .samples = object.count("samples")};
}

std::vector<Cell> agreementCells(const OutputCheck& output, const std::string& run,
                                 const Agreement& agreement, std::optional<double> difference)
{
    return {output.name,
            run,
            optionalCell(agreement.sqnrDb),
            optionalCell(agreement.leastDb),
            optionalCell(agreement.medianDb),
            optionalCell(agreement.largestDb),
            agreement.maxError,
            agreement.meanError,
            agreement.cosine,
            optionalCell(agreement.sameArgmax),
            optionalCell(difference),
            agreement.samples};
}

/// A metric of outputs.
struct OutputMetric
{
    std::string_view id;
    std::optional<double> (*value)(const OutputCheck&);
};

constexpr std::array<OutputMetric, 10> outputMetrics{
    {{"sqnr_db", [](const OutputCheck& output) { return output.asWritten.sqnrDb; }},
     {"median_db", [](const OutputCheck& output) { return output.asWritten.medianDb; }},
     {"least_db", [](const OutputCheck& output) { return output.asWritten.leastDb; }},
     {"fused_db", [](const OutputCheck& output) { return output.asFused.sqnrDb; }},
     {"fused_difference_db", [](const OutputCheck& output) { return output.fusedDifferenceDb(); }},
     {"max_error",
      [](const OutputCheck& output) { return std::optional(output.asWritten.maxError); }},
     {"mean_error",
      [](const OutputCheck& output) { return std::optional(output.asWritten.meanError); }},
     {"cosine", [](const OutputCheck& output) { return std::optional(output.asWritten.cosine); }},
     {"same_argmax", [](const OutputCheck& output) { return output.asWritten.sameArgmax; }},
     {"draw_mean_db", [](const OutputCheck& output) {
          return output.drawSummary ? std::optional(output.drawSummary->meanDb) : std::nullopt;
      }}}};

struct TensorMetric
{
    std::string_view id;
    std::optional<double> TensorCheck::*value;
};

constexpr std::array<TensorMetric, 2> tensorMetrics{
    {{"own_db", &TensorCheck::ownDb}, {"running_db", &TensorCheck::runningDb}}};

}  // namespace

const std::vector<Column>& checkColumns()
{
    static const std::vector<Column> columns{
        {.id = "tensor", .title = "Tensor"},
        {.id = "op", .title = "Op"},
        {.id = "kind", .title = "Kind"},
        {.id = "own_db", .title = "Own dB", .isNumeric = true},
        {.id = "output_sqnr_db", .title = "Layer dB", .isNumeric = true},
        {.id = "running_db", .title = "Running dB", .isNumeric = true},
        {.id = "median_db", .title = "Median dB", .isNumeric = true},
        {.id = "least_db", .title = "Least dB", .isNumeric = true},
        {.id = "max_error", .title = "Max error", .isNumeric = true},
        {.id = "samples", .title = "Samples", .isNumeric = true},
        {.id = "draws", .title = "Draws", .isNumeric = true},
        {.id = "draw_mean_db", .title = "Draws' mean dB", .isNumeric = true},
        {.id = "draw_lowest_db", .title = "Draws' lowest dB", .isNumeric = true},
        {.id = "draw_highest_db", .title = "Draws' highest dB", .isNumeric = true},
        {.id = "draw_sd_db", .title = "Draws' sd dB", .isNumeric = true}};
    return columns;
}

std::vector<std::vector<Cell>> checkRows(const CheckReport& report)
{
    std::vector<std::vector<Cell>> rows;
    const auto add = [&](std::vector<Cell> row) -> std::vector<Cell>& {
        row.resize(checkColumns().size());
        return rows.emplace_back(std::move(row));
    };
    const auto addOutput = [&](const OutputCheck& output, const char* kind,
                               const Agreement& agreement) -> std::vector<Cell>& {
        return add({output.name,
                    textCell(output.op),
                    std::string(kind),
                    {},
                    {},
                    optionalCell(agreement.sqnrDb),
                    optionalCell(agreement.medianDb),
                    optionalCell(agreement.leastDb),
                    agreement.maxError,
                    agreement.samples});
    };
    for (const OutputCheck& output : report.outputs) {
        std::vector<Cell>& row = addOutput(output, "output", output.asWritten);
        if (const std::optional<DrawSummary>& drawn = output.drawSummary)
            std::ranges::copy(std::array<Cell, 5>{drawn->draws, drawn->meanDb, drawn->lowestDb,
                                                  drawn->highestDb, optionalCell(drawn->sdDb)},
                              row.end() - 5);
        for (const DrawCheck& draw : output.draws)
            addOutput(output, "draw", draw.agreement);
    }
    for (const TensorCheck& tensor : report.tensors)
        add({tensor.name, textCell(tensor.op),
             std::string(tensor.isWeight ? "weight" : "activation"), optionalCell(tensor.ownDb),
             optionalCell(tensor.outputSqnrDb), optionalCell(tensor.runningDb),
             optionalCell(tensor.medianDb), optionalCell(tensor.leastDb),
             optionalCell(tensor.maxError), tensor.samples > 0 ? Cell(tensor.samples) : Cell()});
    return rows;
}

const std::vector<Column>& outputColumns()
{
    static const std::vector<Column> columns{
        {.id = "output", .title = "Output"},
        {.id = "run", .title = "Run"},
        {.id = "sqnr_db", .title = "SQNR dB", .isNumeric = true},
        {.id = "least_db", .title = "Least dB", .isNumeric = true},
        {.id = "median_db", .title = "Median dB", .isNumeric = true},
        {.id = "largest_db", .title = "Largest dB", .isNumeric = true},
        {.id = "max_error", .title = "Max error", .isNumeric = true},
        {.id = "mean_error", .title = "Mean error", .isNumeric = true},
        {.id = "cosine", .title = "Cosine", .isNumeric = true},
        {.id = "same_argmax", .title = "Same argmax", .isNumeric = true},
        {.id = "fused_difference_db", .title = "Difference dB", .isNumeric = true},
        {.id = "samples", .title = "Samples", .isNumeric = true}};
    return columns;
}

std::vector<std::vector<Cell>> outputRows(const CheckReport& report)
{
    std::vector<std::vector<Cell>> rows;
    for (const OutputCheck& output : report.outputs) {
        rows.push_back(agreementCells(output, "as written", output.asWritten, std::nullopt));
        if (output.isRunAsFused())
            rows.push_back(
                agreementCells(output, "as fused", output.asFused, output.fusedDifferenceDb()));
        for (const DrawCheck& draw : output.draws)
            rows.push_back(agreementCells(output, fmt::format("draw {}", draw.draw), draw.agreement,
                                          std::nullopt));
    }
    return rows;
}

std::optional<std::string> drawSentence(const OutputCheck& output)
{
    const std::optional<DrawSummary>& drawn = output.drawSummary;
    if (!drawn)
        return std::nullopt;
    std::string text =
        fmt::format("output \"{}\": {} draws of rounding errors give {:.1f} to {:.1f} dB, {:.1f} "
                    "dB by the mean "
                    "of their noise",
                    output.name, drawn->draws, drawn->lowestDb, drawn->highestDb, drawn->meanDb);
    if (drawn->sdDb)
        text += fmt::format(", sd {:.1f} dB: models whose outputs differ by less than {:.1f} dB (2 "
                            "sd) are not distinguishable",
                            *drawn->sdDb, 2.0 * *drawn->sdDb);
    return text;
}

void sortByDrop(std::vector<TensorCheck>& tensors)
{
    std::ranges::stable_sort(tensors, [](const TensorCheck& one, const TensorCheck& other) {
        return one.dropDb.value_or(-1.0) > other.dropDb.value_or(-1.0);
    });
}

std::string checkJson(const CheckReport& report)
{
    Json value = {{"calibscope", CALIBSCOPE_VERSION},
                  {"model", validUtf8(report.model)},
                  {"quantized", validUtf8(report.quantized)},
                  {"dump", validUtf8(report.dump)},
                  {"runtime", validUtf8(report.runtime)},
                  {"samples", report.samples},
                  {"float_seconds", numberOf(report.floatSeconds)},
                  {"written_seconds", numberOf(report.writtenSeconds)},
                  {"fused_seconds", numberOf(report.fusedSeconds)},
                  {"outputs", Json::array()},
                  {"tensors", Json::array()},
                  {"notes", Json::array()}};
    for (const OutputCheck& output : report.outputs)
        value["outputs"].push_back(outputJson(output));
    for (const TensorCheck& tensor : report.tensors)
        value["tensors"].push_back(tensorJson(tensor));
    for (const std::string& note : report.notes)
        value["notes"].push_back(validUtf8(note));
    constexpr int indent = 1;
    return value.dump(indent) + "\n";
}

CheckReport parseCheckReport(std::string_view text, const std::string& origin)
{
    const nlohmann::json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    CheckReport report{.model = object.requiredText("model"),
                       .quantized = object.requiredText("quantized"),
                       .dump = object.requiredText("dump"),
                       .runtime = object.text("runtime"),
                       .samples = object.count("samples"),
                       .floatSeconds = object.number("float_seconds"),
                       .writtenSeconds = object.number("written_seconds"),
                       .fusedSeconds = object.number("fused_seconds"),
                       .outputs = {},
                       .tensors = {},
                       .notes = object.texts("notes")};
    object.list("outputs",
                [&](const JsonObject& output) { report.outputs.push_back(outputOf(output)); });
    object.list("tensors",
                [&](const JsonObject& tensor) { report.tensors.push_back(tensorOf(tensor)); });
    return report;
}

std::vector<std::string> checkMetrics()
{
    std::vector<std::string> ids;
    for (const OutputMetric& metric : outputMetrics)
        ids.emplace_back(metric.id);
    for (const TensorMetric& metric : tensorMetrics)
        ids.emplace_back(metric.id);
    return ids;
}

std::vector<CheckValue> checkValues(const CheckReport& report, std::string_view metric)
{
    std::vector<CheckValue> values;
    const auto add = [&](const std::string& of, std::optional<double> value) {
        if (value)
            values.push_back({.of = of, .value = *value});
    };
    for (const OutputMetric& known : outputMetrics)
        if (known.id == metric)
            for (const OutputCheck& output : report.outputs)
                add(output.name, known.value(output));
    for (const TensorMetric& known : tensorMetrics)
        if (known.id == metric)
            for (const TensorCheck& tensor : report.tensors)
                add(tensor.name, tensor.*known.value);
    return values;
}

}  // namespace calibscope
