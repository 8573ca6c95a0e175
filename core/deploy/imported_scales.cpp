// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/imported_scales.h"

#include "core/deploy/names/layer_rows.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace calibscope::deploy {

namespace {

using exchange::EntryMatch;
using exchange::ScaleEntry;

void noteUnmatched(ImportedScale& imported, const EntryMatch& match,
                   const exchange::EntryNaming& naming, const exchange::ExchangeFormat& format)
{
    std::string text = "no tensor of the dump has this name";
    const bool isInput = format.isByLayer && imported.entry->role == Role::Activation;
    if (isInput) {
        imported.lints.push_back(
            {.id = "name-unknown",
             .level = FindingLevel::Note,
             .text = "is for the input of the layer of this name, which the dump does not have or "
                     "does not identify (op_type, inputs and node of the layer's output, or its "
                     "weight's consumer); a model can supply the graph"});
        return;
    }
    if (naming.inModel.contains(imported.entry->name))
        text += ", but the model has it";
    else if (!naming.inModel.empty())
        text = "neither the dump nor the model has this name";
    if (!match.candidates.empty()) {
        text = "several tensors could be meant:";
        for (const std::string& candidate : match.candidates)
            text += ' ' + candidate;
    }
    imported.lints.push_back(
        {.id = "name-unknown", .level = FindingLevel::Note, .text = std::move(text)});
}

/// One scale for each group of channels as one for each channel.
void spreadGroups(ScaleEntry& entry, std::uint64_t groups, const TensorInfo& tensor)
{
    const std::uint64_t channels = tensor.channelCount();
    if (groups < 2 || entry.values.size() != groups || channels == groups || channels % groups != 0)
        return;
    std::vector<exchange::EntryValue> values;
    for (const exchange::EntryValue& value : entry.values)
        values.insert(values.end(), static_cast<std::size_t>(channels / groups), value);
    entry.values = std::move(values);
}

/// Values beyond the range of their channel.
std::uint64_t clippedByChannel(const ScaleEntry& entry, const ValueSource& source,
                               const Progress& progress)
{
    std::uint64_t clipped = 0;
    source.visit(
        [&](const Block& block) {
            for (std::size_t place = 0; place < block.values.size(); ++place) {
                const auto value = static_cast<double>(block.values[place]);
                const auto channel =
                    static_cast<std::size_t>(source.info.channelOf(block.firstIndex + place));
                clipped += std::isfinite(value) && exchange::isClipped(value, entry.values[channel])
                               ? 1U
                               : 0U;
            }
        },
        progress);
    return clipped;
}

/// How far one range's wider end is from another's.
std::optional<double> deviation(double end, const ScaleRow& row)
{
    const double decided = row.clip.threshold.value_or(
        std::max(std::fabs(row.quantizer.clip.low), std::fabs(row.quantizer.clip.high)));
    if (!std::isfinite(end) || !(end > 0.0) || !(decided > 0.0))
        return std::nullopt;
    return end / decided - 1.0;
}

}  // namespace

std::vector<ImportedScale> importedScales(const exchange::ScaleFile& file,
                                          std::span<const TensorInfo> tensors,
                                          const exchange::EntryNaming& given)
{
    const exchange::ExchangeFormat& format = exchange::exchangeFormat(file.format);
    exchange::EntryNaming naming = given;
    if (format.isByLayer)
        naming.layers.merge(layerEntries(tensors));
    const std::vector<EntryMatch> matches = matchEntries(file, tensors, naming);
    std::vector<ImportedScale> rows;
    for (std::size_t index = 0; index < matches.size(); ++index) {
        const ScaleEntry& entry = file.entries[index];
        ImportedScale& row =
            rows.emplace_back(ImportedScale{.entry = entry, .lints = lintsOf(entry)});
        if (matches[index].tensor) {
            row.tensor = tensors[*matches[index].tensor];
            row.rule = matches[index].rule;
            if (row.rule == exchange::EntryNameRule::Layer)
                spreadGroups(*row.entry,
                             naming.layers.find(exchange::layerRow(entry))->second.groups,
                             *row.tensor);
        } else {
            noteUnmatched(row, matches[index], naming, format);
        }
    }
    std::set<std::string_view> operands;
    for (const auto& [name, operand] : naming.layers)
        operands.insert(operand.path);
    for (const std::size_t index :
         missingTensors(tensors, matches, format.hasWeights, format.hasActivations))
        if (!format.isByLayer || tensors[index].role == Role::Weight ||
            operands.contains(tensors[index].path))
            rows.push_back({.tensor = tensors[index],
                            .lints = {{.id = "tensor-missing",
                                       .level = FindingLevel::Note,
                                       .text = "the file does not have this tensor"}}});
    return rows;
}

void weigh(ImportedScale& imported, const ValueSource& source, const TensorProfile& profile,
           const Progress& progress)
{
    const ScaleEntry& entry = *imported.entry;
    imported.extents = profile.extents();
    std::optional<std::uint64_t> clipped;
    const bool isPerChannel = entry.isPerChannel && source.info.channelAxis &&
                              entry.values.size() == source.info.channelCount();
    if (isPerChannel)
        clipped = clippedByChannel(entry, source, progress);
    imported.fit = fitOf(entry, profile, clipped);
    if (areZeroChannels(entry, profile)) {
        std::erase_if(imported.lints, [](const Finding& lint) { return lint.id == "unusable"; });
        imported.lints.push_back(
            {.level = FindingLevel::Note, .text = "channels of zeros have the scale 0"});
    }
    for (Finding& lint : lintsOf(entry, profile, imported.fit))
        imported.lints.push_back(std::move(lint));
}

std::optional<double> deviationFrom(const Outcome& outcome, const ScaleEntry& entry)
{
    if (!outcome.problem.empty() || entry.values.empty())
        return std::nullopt;
    if (!entry.isPerChannel && !outcome.isPerChannel())
        return deviation(widestEnd(entry.values.front()), outcome.whole);
    if (outcome.channels.size() != entry.values.size())
        return std::nullopt;
    std::optional<double> farthest;
    for (std::size_t channel = 0; channel < entry.values.size(); ++channel) {
        const auto own = deviation(widestEnd(entry.values[channel]), outcome.channels[channel]);
        if (own && std::fabs(*own) >= std::fabs(farthest.value_or(0.0)))
            farthest = own;
    }
    return farthest;
}

}  // namespace calibscope::deploy
