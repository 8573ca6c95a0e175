// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/checked_layers.h"

#include "core/layers/layer_errors.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <cmath>

namespace calibscope::deploy {

DecidedTensor decidedAs(const TensorInfo& recorded, const model::QuantizedTensor& quantized)
{
    const TensorQuantization& stored = quantized.quantization;
    DecidedTensor decided{.file = {}, .info = recorded, .outcome = {}, .graphName = quantized.name};
    Outcome& outcome = decided.outcome;
    outcome.tensor = recorded.name;
    outcome.role = recorded.role;
    // Stands for what is known of it: numbers, not where they came from.
    const Granularity groups{.kind = Granularity::Kind::Group, .columns = stored.group};
    outcome.choice = makeChoice("fixed", {}, SchemeKind::SymmetricFull,
                                stored.group > 1 ? groups
                                : stored.axis    ? Granularity::Channel
                                                 : Granularity::Tensor);
    for (std::size_t i = 0; i < stored.scales.size(); ++i) {
        ScaleRow row;
        row.quantizer.scale = static_cast<double>(stored.scales[i]);
        row.quantizer.zeroPoint = stored.zeroPoints[i];
        row.quantizer.lowLevel = stored.format.low();
        row.quantizer.highLevel = stored.format.high();
        if (i == 0)
            outcome.whole = row;
        if (stored.axis)
            outcome.channels.push_back(std::move(row));
    }
    if (stored.axis && stored.group == 1)
        decided.info.channelAxis = *stored.axis;
    if (stored.group > 1 && groupAxis(decided.info, stored.group) != stored.axis)
        outcome.problem = "its groups lie along another axis than its layer sums over here";
    return decided;
}

std::map<std::string, double> outputSqnrDbs(const DumpFile& dump,
                                            std::span<const DecidedTensor> decided,
                                            const Progress& progress)
{
    std::map<std::string, double> all;
    for (const LayerResult& layer : layers::layerReport(dump, decided, {}, progress).layers) {
        if (!layer.outputSqnrDb || !std::isfinite(*layer.outputSqnrDb))
            continue;
        if (!layer.path.empty())
            all.emplace(layer.path, *layer.outputSqnrDb);
        // One that several layers take: what the worst of them makes of it.
        if (layer.weight.isWeight) {
            const auto [place, isNew] = all.emplace(layer.weight.path, *layer.outputSqnrDb);
            place->second = std::min(place->second, *layer.outputSqnrDb);
        }
    }
    return all;
}

}  // namespace calibscope::deploy
