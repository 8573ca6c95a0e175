// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/check_plan.h"

#include "core/base/json_object.h"
#include "core/base/utf8.h"
#include "core/deploy/check/stored_quantization.h"
#include "core/model/probed_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace calibscope::deploy {

namespace {

using nlohmann::json;

json outputJson(const PlannedOutput& output)
{
    json value{{"name", output.name},          {"op", output.op},
               {"is_output", output.isOutput}, {"is_half", output.isHalf},
               {"is_end", output.isEnd},       {"flattened_to", output.flattenedTo}};
    if (output.recorded)
        value["recorded"] = *output.recorded;
    return value;
}

PlannedOutput outputOf(const JsonObject& object)
{
    return {.name = object.requiredText("name"),
            .op = object.text("op"),
            .isOutput = object.flag("is_output"),
            .recorded =
                object.has("recorded") ? std::optional(object.count("recorded")) : std::nullopt,
            .isHalf = object.flag("is_half"),
            .isEnd = object.flag("is_end"),
            .flattenedTo = object.text("flattened_to")};
}

json tensorJson(const ProbedTensor& tensor)
{
    json value = quantizationJson(tensor.quantization);
    value.update({{"name", tensor.name},
                  {"op", tensor.op},
                  {"order", tensor.order},
                  {"is_input", tensor.isInput},
                  {"place", tensor.place}});
    if (tensor.outputSqnrDb)
        value["output_sqnr_db"] = numberValue(*tensor.outputSqnrDb);
    if (!tensor.times.empty()) {
        value["times"] = tensor.times;
        value["are_last"] = tensor.areLast;
    }
    return value;
}

ProbedTensor tensorOf(const JsonObject& object)
{
    const std::vector<double> times = object.numbers("times");
    return {.name = object.requiredText("name"),
            .op = object.text("op"),
            .order = object.integer("order"),
            .isInput = object.flag("is_input"),
            .place = object.count("place"),
            .quantization = quantizationFrom(object),
            .times = {times.begin(), times.end()},
            .areLast = object.flag("are_last"),
            .outputSqnrDb = object.numberIfThere("output_sqnr_db")};
}

json weightJson(const ProbedWeight& weight)
{
    json value{{"name", weight.figures.name}, {"order", weight.order}};
    if (weight.figures.ownDb)
        value["own_db"] = numberValue(*weight.figures.ownDb);
    if (weight.figures.outputSqnrDb)
        value["output_sqnr_db"] = numberValue(*weight.figures.outputSqnrDb);
    if (weight.figures.maxError)
        value["max_error"] = numberValue(*weight.figures.maxError);
    return value;
}

ProbedWeight weightOf(const JsonObject& object)
{
    ProbedWeight weight{.order = object.integer("order"),
                        .figures = {.name = object.requiredText("name"), .isWeight = true}};
    if (object.has("own_db"))
        weight.figures.ownDb = object.number("own_db");
    weight.figures.outputSqnrDb = object.numberIfThere("output_sqnr_db");
    if (object.has("max_error"))
        weight.figures.maxError = object.number("max_error");
    return weight;
}

std::string runText(CheckRun run)
{
    switch (run) {
    case CheckRun::Float: return "float";
    case CheckRun::Written: return "written";
    case CheckRun::Fused: return "fused";
    case CheckRun::Draw: return "draw";
    }
    return {};
}

}  // namespace

std::string CheckPlan::endText(const PlannedOutput& output) const
{
    const auto flattened = std::ranges::find(outputs, output.flattenedTo, &PlannedOutput::name);
    if (output.flattenedTo.empty() || flattened == outputs.end())
        return fmt::format("`{}`", output.name);
    return fmt::format("`{}` (before the {} that makes the output `{}`)", output.name,
                       flattened->op, flattened->name);
}

std::uint64_t CheckPlan::samples() const
{
    std::uint64_t sum = 0;
    for (const CheckBatch& batch : batches)
        sum += batch.count;
    return sum;
}

std::string planText(const CheckPlan& plan)
{
    json value{
        {"model", plan.model},      {"quantized", plan.quantized},    {"dump", plan.dump},
        {"inputs", plan.inputs},    {"batches", json::array()},       {"notes", plan.notes},
        {"outputs", json::array()}, {"tensors", json::array()},       {"weights", json::array()},
        {"draws", plan.draws},      {"judges_ends", plan.judgesEnds}, {"sized", plan.sized}};
    for (const CheckBatch& batch : plan.batches)
        value["batches"].push_back({{"first", batch.first}, {"count", batch.count}});
    for (const PlannedOutput& output : plan.outputs)
        value["outputs"].push_back(outputJson(output));
    for (const ProbedTensor& tensor : plan.tensors)
        value["tensors"].push_back(tensorJson(tensor));
    for (const ProbedWeight& weight : plan.weights)
        value["weights"].push_back(weightJson(weight));
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

CheckPlan parsePlan(const std::string& text, const std::string& origin)
{
    const json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    CheckPlan plan{.model = object.requiredText("model"),
                   .quantized = object.requiredText("quantized"),
                   .dump = object.requiredText("dump"),
                   .inputs = object.texts("inputs"),
                   .batches = {},
                   .outputs = {},
                   .tensors = {},
                   .weights = {},
                   .draws = object.count("draws"),
                   .sized = object.texts("sized"),
                   .judgesEnds = object.flag("judges_ends"),
                   .notes = object.texts("notes")};
    object.list("batches", [&](const JsonObject& batch) {
        plan.batches.push_back({.first = batch.count("first"), .count = batch.count("count")});
    });
    object.list("outputs",
                [&](const JsonObject& output) { plan.outputs.push_back(outputOf(output)); });
    object.list("tensors",
                [&](const JsonObject& tensor) { plan.tensors.push_back(tensorOf(tensor)); });
    object.list("weights",
                [&](const JsonObject& weight) { plan.weights.push_back(weightOf(weight)); });
    for (const ProbedTensor& tensor : plan.tensors)
        if (tensor.place >= (tensor.isInput ? plan.inputs.size() : plan.outputs.size()) ||
            (tensor.quantization.scales.empty() && !plan.judgesEnds))
            object.fail("a tensor's place is out of range, or it has no scale");
    return plan;
}

RunnerJob jobOf(const CheckPlan& plan, CheckRun run, std::size_t first, std::size_t count,
                std::uint64_t draw)
{
    const std::string folder = runText(run);
    const auto fileOf = [](const std::string& in, std::size_t batch, std::size_t place) {
        return in + "/" + std::to_string(batch) + "-" + std::to_string(place) + ".npy";
    };
    RunnerJob job{.model = run == CheckRun::Float ? "float.onnx" : "quantized.onnx",
                  .optimizes = run == CheckRun::Fused,
                  .batches = {},
                  .answer = folder + ".json"};
    if (run == CheckRun::Fused)
        job.model = "fused.onnx";
    if (run == CheckRun::Draw)
        job.model = "draw-" + std::to_string(draw) + ".onnx";
    const bool hasProbes = run == CheckRun::Float || run == CheckRun::Written ||
                           (run == CheckRun::Draw && plan.judgesEnds);
    for (std::size_t batch = first; batch < first + count; ++batch) {
        JobBatch files;
        for (std::size_t place = 0; place < plan.inputs.size(); ++place)
            files.feeds.push_back(
                {.name = plan.inputs[place], .file = fileOf("feeds", batch, place)});
        for (std::size_t output = 0; output < plan.outputs.size(); ++output)
            if (hasProbes || plan.outputs[output].isOutput)
                files.outputs.push_back(
                    {.name = plan.outputs[output].name, .file = fileOf(folder, batch, output)});
        for (std::size_t sized = 0; run == CheckRun::Float && sized < plan.sized.size(); ++sized)
            files.outputs.push_back({.name = model::sizeName(plan.sized[sized]),
                                     .file = fileOf(folder, batch, plan.outputs.size() + sized)});
        job.batches.push_back(std::move(files));
    }
    return job;
}

}  // namespace calibscope::deploy
