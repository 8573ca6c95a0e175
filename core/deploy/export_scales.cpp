// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/export_scales.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/deploy/names/layer_rows.h"
#include "core/exchange/entry_lints.h"
#include "core/exchange/from_outcome.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace calibscope::deploy {

namespace {

constexpr double levels = 127.0;        // by which programs divide a threshold
constexpr double tolerance = 1e-6;      // a few units in the last place of float32
constexpr double endsTolerance = 1e-4;  // a zero point that was rounded moves no scale
constexpr int usualBits = 8;

/// Whether the format has inverse scales.
bool isInverse(const exchange::ExchangeFormat& format)
{
    return format.isByLayer && !format.statesScale;
}

/// Whether the format has both ends of a range.
bool hasEnds(const exchange::ExchangeFormat& format)
{
    return format.id.starts_with("ort-json") || format.id == "glow-profile";
}

/// What programs make of the ends, with 0 between them.
double scaleOfEnds(const exchange::ScaleEntry& entry, const exchange::EntryValue& value)
{
    return (std::max(value.range.high, 0.0) - std::min(value.range.low, 0.0)) /
           (entry.format.high() - entry.format.low());
}

/// Of channels the one with the widest range.
const exchange::EntryValue& widest(std::span<const exchange::EntryValue> values)
{
    return *std::ranges::max_element(values, {}, exchange::widestEnd);
}

/// One value for each channel, or for each of several groups of channels.
void spread(exchange::ScaleEntry& entry, const TableLayer& row, const TensorInfo& weight)
{
    const auto channels = static_cast<std::size_t>(weight.channelCount());
    const auto groups = static_cast<std::size_t>(row.groups);
    if (channels == 0)
        throw Error(Fault::Usage,
                    "{}: its channel axis is not known, and a weight has a scale for each output "
                    "channel there; give --channel-axis",
                    weight.path);
    const std::size_t count = groups > 1 && channels % groups == 0 ? groups : channels;
    if (!entry.isPerChannel) {
        entry.values.assign(count, entry.values.at(0));
    } else if (count < entry.values.size()) {
        std::vector<exchange::EntryValue> values;
        const std::size_t run = entry.values.size() / count;
        for (std::size_t group = 0; group < count; ++group)
            values.push_back(widest(std::span(entry.values).subspan(group * run, run)));
        entry.values = std::move(values);
    }
    entry.isPerChannel = entry.values.size() > 1;
}

/// The input's own decision, or that of what its values were moved from, if it has one scale.
std::optional<std::size_t> decidedInput(const TableLayer& row,
                                        std::span<const DecidedTensor* const> decided)
{
    for (const std::size_t place : row.inputs)
        if (place < decided.size() && decided[place] != nullptr &&
            (place == row.inputs.front() || !decided[place]->outcome.isPerChannel()))
            return place;
    return std::nullopt;
}

bool overflows(const exchange::ScaleEntry& entry)
{
    return std::ranges::any_of(entry.values, [](const exchange::EntryValue& value) {
        const double threshold = widestEnd(value);
        return threshold > 0.0 && std::isinf(static_cast<float>(levels / threshold));
    });
}

}  // namespace

bool hasRole(const exchange::ExchangeFormat& format, Role role)
{
    if (role == Role::Weight)
        return format.hasWeights;
    return (role == Role::Activation || role == Role::Unknown) && format.hasActivations;
}

exchange::ScaleEntry exportedEntry(const DecidedTensor& tensor)
{
    if (tensor.outcome.choice.granularity.isGroup())
        throw Error(Fault::Usage,
                    "{}: has scales for groups, which are not exported (calib materialize --onnx "
                    "writes them into a model)",
                    tensor.info.path);
    exchange::ScaleEntry entry = exchange::entryFromOutcome(
        tensor.outcome, tensor.graphName.empty() ? tensor.info.name : tensor.graphName);
    if (entry.isPerChannel)
        entry.axis = scaleAxis(tensor.info, tensor.outcome.choice.granularity);
    return entry;
}

ExportedLayers exportedLayers(std::span<const TensorInfo> tensors,
                              std::span<const DecidedTensor* const> decided)
{
    ExportedLayers exported;
    const TableLayers layers = layerRows(tensors);
    std::set<std::size_t> taken;
    for (const TableLayer& row : layers.rows) {
        if (decided[row.weight] == nullptr)
            continue;
        const std::optional<std::size_t> input = decidedInput(row, decided);
        if (!input) {
            exported.problems[row.weight] = "input " + tensors[row.inputs.front()].name +
                                            " of its layer " + row.name + " has no decision";
            continue;
        }
        const TensorInfo& weight = decided[row.weight]->info;
        exchange::ScaleEntry ofInput = exportedEntry(*decided[*input]);
        ofInput.name = row.name;
        exchange::ScaleEntry ofWeight = exportedEntry(*decided[row.weight]);
        ofWeight.name = weightRowName(row.name);
        const std::size_t channels = ofWeight.values.size();
        spread(ofWeight, row, weight);
        if (ofWeight.values.size() < channels)
            exported.warnings.push_back(decided[row.weight]->file + ":" + weight.path +
                                        ": its layer has " + std::to_string(row.groups) +
                                        " groups, which have a scale each there, that of their "
                                        "widest channel");
        exported.rows.push_back({std::move(ofInput), *input});
        exported.rows.push_back({std::move(ofWeight), row.weight});
        exported.hasOwnNames = exported.hasOwnNames || !row.hasOwnName;
        taken.insert({*input, row.weight});
    }
    for (std::size_t place = 0; place < decided.size(); ++place) {
        if (decided[place] == nullptr || taken.contains(place))
            continue;
        const auto why = layers.whyNot.find(place);
        if (why != layers.whyNot.end())
            exported.problems.emplace(place, why->second);
        exported.left += exported.problems.contains(place) ? 0U : 1U;
    }
    if (exported.rows.empty())
        throw Error(
            Fault::Usage,
            layers.rows.empty()
                ? "no layer is known with its input and its weight, and rows are those of "
                  "layers; a recorder states them by op_type, inputs and node of activations "
                  "and consumer of weights, or the model (--onnx)"
                : "no layer has a decision for both its input and its weight, which a row "
                  "has the scales of");
    return exported;
}

std::vector<std::string> exportWarnings(const exchange::ExchangeFormat& format,
                                        const exchange::ScaleEntry& entry)
{
    std::vector<std::string> warnings;
    for (const Finding& lint : lintsOf(entry))
        if (lint.level == FindingLevel::Error)
            warnings.push_back(lint.text);
    if (format.statesScale) {
        if (std::ranges::any_of(entry.values, [&](const exchange::EntryValue& value) {
                return scaleOf(entry, value) > 0.0 &&
                       static_cast<float>(scaleOf(entry, value)) == 0.0F;
            }))
            warnings.emplace_back("a scale is so small that float32 has 0 for it");
        return warnings;
    }
    if (isInverse(format) && overflows(entry))
        warnings.emplace_back("a threshold is so small that its inverse overflows float32: the "
                              "file says inf, as it does of a channel of zeros");
    if (!isInverse(format) &&
        std::ranges::find(entry.values, 0.0, &exchange::EntryValue::threshold) !=
            entry.values.end())
        warnings.emplace_back("a threshold is 0, as of nothing but zeros: programs that read the "
                              "file make the scale 0 of it, which not all of them take");
    if (entry.format.bits() != usualBits)
        warnings.push_back("has " + std::to_string(entry.format.bits()) +
                           " bits; the file does not say");
    const auto other = std::ranges::find_if(entry.values, [&](const exchange::EntryValue& value) {
        return value.threshold && value.scale && *value.threshold > 0.0 &&
               std::fabs(*value.threshold / levels - *value.scale) > tolerance * *value.scale;
    });
    if (other != entry.values.end() && entry.format.bits() == usualBits)
        warnings.push_back("its scale is " + numberText(*other->scale) +
                           "; programs that read the file make " +
                           numberText(*other->threshold / levels) + " of the threshold");
    const auto ends = std::ranges::find_if(entry.values, [&](const exchange::EntryValue& value) {
        return !value.threshold && value.scale &&
               std::fabs(scaleOfEnds(entry, value) - *value.scale) > endsTolerance * *value.scale;
    });
    if (ends != entry.values.end() && entry.format.bits() == usualBits)
        warnings.push_back("its scale is " + numberText(*ends->scale) +
                           "; programs that read the file make " +
                           numberText(scaleOfEnds(entry, *ends)) + " of the ends");
    const auto wide = std::ranges::find_if(entry.values, [](const exchange::EntryValue& value) {
        return value.threshold && -value.range.low > value.range.high;
    });
    if (hasEnds(format) && wide != entry.values.end() && entry.format.bits() == usualBits)
        warnings.push_back("its low end is one level further out than its high end: a reader's "
                           "symmetric mode makes the scale " +
                           numberText(-wide->range.low / levels) +
                           " of it; give it a restricted scheme for that mode");
    return warnings;
}

}  // namespace calibscope::deploy
