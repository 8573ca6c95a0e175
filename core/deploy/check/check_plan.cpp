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

json cutJson(const PlannedCut& cut)
{
    json value{{"operands", json::array()}, {"taken", cut.taken}};
    for (const PlannedOperand& operand : cut.operands) {
        value["operands"].push_back(quantizationJson(operand.quantization));
        value["operands"].back().update({{"asked", operand.asked},
                                         {"tensor", operand.tensor},
                                         {"input", operand.input},
                                         {"is_weight", operand.isWeight}});
    }
    return value;
}

PlannedCut cutOf(const JsonObject& object)
{
    PlannedCut cut{.operands = {}, .taken = object.texts("taken")};
    object.list("operands", [&](const JsonObject& operand) {
        cut.operands.push_back({.asked = operand.count("asked"),
                                .tensor = operand.requiredText("tensor"),
                                .input = operand.requiredText("input"),
                                .isWeight = operand.flag("is_weight"),
                                .quantization = quantizationFrom(operand)});
    });
    return cut;
}

json adjointJson(const PlannedAdjoint& adjoint)
{
    json value{{"end", adjoint.end},
               {"taken", adjoint.taken},
               {"vector", adjoint.vector},
               {"product", adjoint.product},
               {"products", json::array()}};
    for (const PlannedProduct& product : adjoint.products)
        value["products"].push_back(
            {{"set", product.set}, {"asked", product.asked}, {"why_not", product.whyNot}});
    return value;
}

PlannedAdjoint adjointOf(const JsonObject& object)
{
    PlannedAdjoint adjoint{.end = object.text("end"),
                           .taken = object.texts("taken"),
                           .vector = object.text("vector"),
                           .product = object.text("product"),
                           .products = {}};
    object.list("products", [&](const JsonObject& product) {
        adjoint.products.push_back({.set = product.count("set"),
                                    .asked = product.count("asked"),
                                    .whyNot = product.text("why_not")});
    });
    return adjoint;
}

std::string npyFile(const std::string& in, std::size_t batch, std::size_t index)
{
    return in + "/" + std::to_string(batch) + "-" + std::to_string(index) + ".npy";
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
    json value{{"model", plan.model},
               {"quantized", plan.quantized},
               {"dump", plan.dump},
               {"inputs", plan.inputs},
               {"batches", json::array()},
               {"notes", plan.notes},
               {"outputs", json::array()},
               {"tensors", json::array()},
               {"weights", json::array()},
               {"draws", plan.draws},
               {"judges_ends", plan.judgesEnds},
               {"sized", plan.sized},
               {"cuts", json::array()},
               {"given", plan.given},
               {"adjoint", adjointJson(plan.adjoint)}};
    for (const PlannedCut& cut : plan.cuts)
        value["cuts"].push_back(cutJson(cut));
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
                   .quantized = object.text("quantized"),
                   .dump = object.requiredText("dump"),
                   .inputs = object.texts("inputs"),
                   .batches = {},
                   .outputs = {},
                   .tensors = {},
                   .weights = {},
                   .draws = object.count("draws"),
                   .sized = object.texts("sized"),
                   .cuts = {},
                   .given = object.texts("given"),
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
    object.list("cuts", [&](const JsonObject& cut) { plan.cuts.push_back(cutOf(cut)); });
    object.object("adjoint", [&](const JsonObject& adjoint) { plan.adjoint = adjointOf(adjoint); });
    for (const ProbedTensor& tensor : plan.tensors)
        if (tensor.place >= (tensor.isInput ? plan.inputs.size() : plan.outputs.size()) ||
            (tensor.quantization.scales.empty() && !plan.judgesEnds))
            object.fail("a tensor's place is out of range, or it has no scale");
    return plan;
}

std::string floatFile(const CheckPlan& plan, std::size_t batch, const std::string& tensor)
{
    if (const auto input = std::ranges::find(plan.inputs, tensor); input != plan.inputs.end())
        return npyFile("feeds", batch, static_cast<std::size_t>(input - plan.inputs.begin()));
    const auto output = std::ranges::find(plan.outputs, tensor, &PlannedOutput::name);
    std::size_t index = static_cast<std::size_t>(output - plan.outputs.begin());
    if (output == plan.outputs.end())
        index +=
            plan.sized.size() +
            static_cast<std::size_t>(std::ranges::find(plan.given, tensor) - plan.given.begin());
    return npyFile("float", batch, index);
}

std::string operandFile(const CheckPlan& plan, std::size_t cut, std::size_t operand,
                        std::size_t batch, bool isQuantized)
{
    const PlannedOperand& planned = plan.cuts.at(cut).operands.at(operand);
    const std::string name = std::to_string(cut) + "-" + std::to_string(operand);
    if (planned.isWeight)
        return "feeds/cut-" + name + (isQuantized ? "-quantized" : "") + ".npy";
    return isQuantized ? "cut/" + name + "-" + std::to_string(batch) + ".npy"
                       : floatFile(plan, batch, planned.tensor);
}

RunnerJob cutJobOf(const CheckPlan& plan, std::size_t cut, std::size_t first, std::size_t count)
{
    const std::string name = "cut-" + std::to_string(cut);
    RunnerJob job{.model = name + ".onnx", .batches = {}, .answer = name + ".json"};
    const std::vector<PlannedOperand>& operands = plan.cuts.at(cut).operands;
    for (std::size_t alone = 0; alone < operands.size(); ++alone)
        for (std::size_t batch = first; batch < first + count; ++batch) {
            JobBatch files;
            for (const std::string& taken : plan.cuts[cut].taken)
                files.feeds.push_back({.name = taken, .file = floatFile(plan, batch, taken)});
            for (std::size_t operand = 0; operand < operands.size(); ++operand)
                files.feeds.push_back(
                    {.name = operands[operand].input,
                     .file = operandFile(plan, cut, operand, batch, operand == alone)});
            for (std::size_t output = 0; output < plan.outputs.size(); ++output)
                if (plan.isCompared(plan.outputs[output]))
                    files.outputs.push_back(
                        {.name = plan.outputs[output].name,
                         .file = npyFile("cut", batch, output)
                                     .insert(4, std::to_string(cut) + "-" + std::to_string(alone) +
                                                    "-")});
            job.batches.push_back(std::move(files));
        }
    return job;
}

std::string vectorFile(std::size_t batch, std::size_t vector)
{
    return "adjoint/vector-" + npyFile({}, batch, vector).substr(1);
}

std::string productFile(std::size_t batch, std::size_t vector)
{
    return "adjoint/product-" + npyFile({}, batch, vector).substr(1);
}

RunnerJob adjointJobOf(const CheckPlan& plan, std::size_t first, std::size_t count,
                       std::size_t vector)
{
    RunnerJob job{.model = "adjoint.onnx", .batches = {}, .answer = "adjoint.json"};
    for (std::size_t batch = first; batch < first + count; ++batch) {
        JobBatch files;
        for (const std::string& taken : plan.adjoint.taken)
            files.feeds.push_back({.name = taken, .file = floatFile(plan, batch, taken)});
        files.feeds.push_back({.name = plan.adjoint.vector, .file = vectorFile(batch, vector)});
        files.outputs.push_back({.name = plan.adjoint.product, .file = productFile(batch, vector)});
        job.batches.push_back(std::move(files));
    }
    return job;
}

RunnerJob jobOf(const CheckPlan& plan, CheckRun run, std::size_t first, std::size_t count,
                std::uint64_t draw)
{
    const std::string folder = runText(run);
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
                {.name = plan.inputs[place], .file = npyFile("feeds", batch, place)});
        for (std::size_t output = 0; output < plan.outputs.size(); ++output)
            if (hasProbes || plan.outputs[output].isOutput)
                files.outputs.push_back(
                    {.name = plan.outputs[output].name, .file = npyFile(folder, batch, output)});
        for (std::size_t sized = 0; run == CheckRun::Float && sized < plan.sized.size(); ++sized)
            files.outputs.push_back({.name = model::sizeName(plan.sized[sized]),
                                     .file = npyFile(folder, batch, plan.outputs.size() + sized)});
        for (std::size_t given = 0; run == CheckRun::Float && given < plan.given.size(); ++given)
            files.outputs.push_back(
                {.name = plan.given[given], .file = floatFile(plan, batch, plan.given[given])});
        job.batches.push_back(std::move(files));
    }
    return job;
}

}  // namespace calibscope::deploy
