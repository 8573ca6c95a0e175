// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/end_file.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/json_object.h"
#include "core/deploy/check/check_steps.h"
#include "core/deploy/check/stored_quantization.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope::deploy {

namespace {

using nlohmann::json;

constexpr const char* endFormat = "calibscope end";
constexpr int endVersion = 1;
constexpr double directionUnit = 1e-4;  // an integer of few digits for each part

json choiceJson(const EndChoice& choice)
{
    json object = quantizationJson(choice.quantization);
    object["choice"] = choice.label;
    if (!choice.choiceId.empty())
        object["choice_id"] = choice.choiceId;
    if (!choice.power.empty())
        object["power"] = choice.power;
    if (!choice.adjoint.empty())
        object["adjoint"] = choice.adjoint;
    for (const double part : choice.direction)
        object["direction"].push_back(std::lround(part / directionUnit));
    if (!choice.whyNot.empty())
        object["why_not"] = choice.whyNot;
    return object;
}

/// A power of each sample, or of none.
std::vector<double> powerFrom(const JsonObject& object, std::size_t samples,
                              const char* key = "power")
{
    std::vector<double> power = object.numbers(key);
    const bool isPower = std::ranges::all_of(power, [](double each) { return each >= 0.0; });
    if (!isPower || (!power.empty() && power.size() != samples))
        object.fail("has not one power of at least 0 for each sample");
    return power;
}

EndChoice endChoiceFrom(const JsonObject& object, std::size_t samples)
{
    EndChoice choice{.label = object.text("choice"),
                     .choiceId = object.text("choice_id"),
                     .quantization = quantizationFrom(object),
                     .power = powerFrom(object, samples),
                     .adjoint = powerFrom(object, samples, "adjoint"),
                     .direction = object.numbers("direction"),
                     .whyNot = object.text("why_not")};
    if (choice.quantization.scales.empty() ||
        !std::ranges::all_of(choice.quantization.scales, isUsableScale))
        object.fail("has a scale that is not above 0, or none");
    constexpr double mostPart = 1.0 / directionUnit;  // of a direction of length 1
    if (!choice.direction.empty() && choice.direction.size() != directionParts)
        object.fail("has a direction of another length");
    if (!std::ranges::all_of(choice.direction,
                             [](double part) { return std::abs(part) <= mostPart; }))
        object.fail("has a direction longer than 1");
    for (double& part : choice.direction)
        part *= directionUnit;
    return choice;
}

EndOperand operandFrom(const JsonObject& object, const EndTable& table)
{
    EndOperand operand{.tensor = object.requiredText("tensor"),
                       .scope = object.text("scope"),
                       .isWeight = object.flag("is_weight")};
    for (const double layer : object.numbers("layers")) {
        if (!(layer >= 0.0 && layer < static_cast<double>(table.layers.size())))
            object.fail("is of a layer that is not listed");
        operand.layers.push_back(static_cast<std::size_t>(layer));
    }
    object.list("choices", [&](const JsonObject& choice) {
        operand.choices.push_back(endChoiceFrom(choice, table.signal.size()));
    });
    return operand;
}

}  // namespace

std::string endFileJson(const EndFile& file)
{
    const EndTable& table = file.table;
    json object{{"format", endFormat},
                {"version", endVersion},
                {"written_by", CALIBSCOPE_VERSION},
                {"model_sha256", file.modelSha256},
                {"dump_sha256", file.dumpSha256},
                {"samples", file.samples},
                {"end", table.end},
                {"signal", table.signal},
                {"layers", json::array()},
                {"operands", json::array()},
                {"mixes", json::array()}};
    for (const auto& [name, value] : file.feeds)
        object["feeds"].push_back({{"name", name}, {"value", value}});
    for (const EndLayer& layer : table.layers)
        object["layers"].push_back({{"output", layer.output},
                                    {"multiplications", layer.multiplications},
                                    {"weight_values", layer.weightValues}});
    for (const EndOperand& operand : table.operands) {
        json choices = json::array();
        std::ranges::transform(operand.choices, std::back_inserter(choices), choiceJson);
        object["operands"].push_back({{"tensor", operand.tensor},
                                      {"scope", operand.scope},
                                      {"is_weight", operand.isWeight},
                                      {"layers", operand.layers},
                                      {"choices", std::move(choices)}});
    }
    for (const MeasuredMix& mix : table.mixes)
        object["mixes"].push_back({{"digest", mix.digest}, {"power", mix.power}});
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

EndFile parseEndFile(std::string_view text, const std::string& origin)
{
    const json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    if (object.text("format") != endFormat)
        object.fail("is not a file of calib improve --end");
    if (object.integer("version") != endVersion)
        object.fail("is of version " + std::to_string(object.integer("version")) +
                    ", and this Calibscope " + CALIBSCOPE_VERSION + " reads version " +
                    std::to_string(endVersion));
    EndFile file{.modelSha256 = object.requiredText("model_sha256"),
                 .dumpSha256 = object.requiredText("dump_sha256"),
                 .samples = object.count("samples"),
                 .feeds = {},
                 .table = {.end = object.text("end"), .signal = object.numbers("signal")}};
    object.list("feeds", [&](const JsonObject& feed) {
        file.feeds[feed.requiredText("name")] = feed.number("value");
    });
    if (!std::ranges::all_of(file.table.signal, [](double sum) { return sum > 0.0; }))
        object.fail("has a signal that is not above 0");
    object.list("layers", [&](const JsonObject& layer) {
        file.table.layers.push_back({.output = layer.requiredText("output"),
                                     .multiplications = layer.number("multiplications"),
                                     .weightValues = layer.number("weight_values")});
        if (!(file.table.layers.back().multiplications >= 0.0 &&
              file.table.layers.back().weightValues >= 0.0))
            layer.fail("has multiplications or values of its weight below 0");
    });
    object.list("operands", [&](const JsonObject& operand) {
        file.table.operands.push_back(operandFrom(operand, file.table));
    });
    object.list("mixes", [&](const JsonObject& mix) {
        file.table.mixes.push_back({.digest = mix.requiredText("digest"),
                                    .power = powerFrom(mix, file.table.signal.size())});
    });
    return file;
}

void requireSameEnd(const EndFile& file, const EndFile& wanted, const std::string& origin)
{
    const auto refuse = [&](const std::string& what) {
        throw Error(Fault::Input, "{}: measured with {}; remove it, or give another file (--end)",
                    origin, what);
    };
    if (file.modelSha256 != wanted.modelSha256)
        refuse("another model");
    if (file.dumpSha256 != wanted.dumpSha256)
        refuse("another dump");
    if (file.samples != wanted.samples)
        refuse("another number of samples, " + std::to_string(file.samples) + " (--samples)");
    if (file.feeds != wanted.feeds)
        refuse("other values of inputs that were not recorded (--feed)");
    if (!wanted.table.end.empty() && !file.table.end.empty() && file.table.end != wanted.table.end)
        refuse("another end, " + file.table.end + " (--at)");
}

EndPosition addedChoice(EndTable& table, const EndOperand& operand, const EndChoice& choice)
{
    auto known = std::ranges::find_if(table.operands, [&](const EndOperand& each) {
        return each.tensor == operand.tensor && each.scope == operand.scope &&
               each.isWeight == operand.isWeight;
    });
    if (known == table.operands.end())
        known = table.operands.insert(known, operand);
    auto same = std::ranges::find(known->choices, choice.quantization, &EndChoice::quantization);
    if (same == known->choices.end())
        same = known->choices.insert(same, choice);
    else if (same->choiceId.empty())
        same->choiceId = choice.choiceId;  // of an older file
    return {.operand = static_cast<std::size_t>(known - table.operands.begin()),
            .choice = static_cast<std::size_t>(same - known->choices.begin())};
}

model::TensorScales scalesOf(const EndTable& table, const EndPosition& at)
{
    const EndOperand& operand = table.operands.at(at.operand);
    return {.tensor = operand.tensor,
            .scope = operand.scope,
            .isWeight = operand.isWeight,
            .quantization = operand.choices.at(at.choice).quantization};
}

std::string mixDigest(const EndTable& table, const EndMix& mix)
{
    Sha256 digest;
    for (std::size_t index = 0; index < mix.size(); ++index)
        if (mix[index]) {
            const EndOperand& operand = table.operands[index];
            const json object = quantizationJson(operand.choices[*mix[index]].quantization);
            digest.add(json{operand.tensor, operand.scope, operand.isWeight, object}.dump());
        }
    return hexText(digest.finish());
}

}  // namespace calibscope::deploy
