// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/placed_scales.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace calibscope::deploy {

model::TensorScales modelScales(const DecidedTensor& decided, const model::GraphTensor& found)
{
    const Outcome& outcome = decided.outcome;
    const bool isWeight = decided.info.role == Role::Weight;
    model::TensorScales scales{
        .tensor = found.name,
        .scope = found.scope,
        .dumpName = decided.info.name,
        .isWeight = isWeight,
        .quantization = signedQuantizationOf(decided),
        .roundsHalfEven = outcome.whole.quantizer.rounding == Rounding::HalfEven,
        .scheme = std::string(schemeText(outcome.choice.scheme.kind)),
        .clippedShare = outcome.whole.metric("clipped_share").value_or(0.0),
        .samples = isWeight || !decided.info.batchAxis ? 0 : decided.info.sampleCount()};
    for (const ScaleRow& channel : outcome.channels)
        scales.unrounded.push_back(channel.quantizer.scale);
    if (!outcome.isPerChannel())
        scales.unrounded = {outcome.whole.quantizer.scale};
    return scales;
}

PlacedScales placedScales(std::span<const DecidedTensor> decided,
                          std::span<const TensorInfo> tensors, std::span<const GraphName> names,
                          std::span<const model::GraphTensor> graph)
{
    std::map<std::string_view, std::size_t> placeOf;
    for (std::size_t place = 0; place < tensors.size(); ++place)
        placeOf.emplace(tensors[place].path, place);
    PlacedScales result;
    for (const DecidedTensor& one : decided) {
        const auto place = placeOf.find(one.info.path);
        if (place == placeOf.end())
            continue;
        const GraphName& name = names[place->second];
        if (name.tensor) {
            const model::GraphTensor& found = graph[*name.tensor];
            result.scales.push_back(modelScales(one, found));
            if (name.isRounded)
                result.lints.push_back({.id = "weights-rounded",
                                        .level = FindingLevel::Note,
                                        .subject = found.name,
                                        .text = "`" + one.info.name + "` was recorded as " +
                                                elementText(one.info) +
                                                "; the model's own values are quantized"});
            continue;
        }
        result.lints.push_back(
            findingOn(one.info.name, name.differs ? FindingLevel::Error : FindingLevel::Warning,
                      name.differs ? "weights-differ" : "not-in-graph", name.reason));
    }
    return result;
}

}  // namespace calibscope::deploy
