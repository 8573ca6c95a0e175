// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/weight_inputs.h"

#include "core/base/error.h"
#include "core/layers/layer_reading.h"

#include <optional>
#include <utility>

namespace calibscope::layers {

namespace {

std::optional<FoundLayer> layerOf(const LayerDump& dump, const TensorInfo& weight)
{
    for (FoundLayer& layer : foundLayers(dump.tensors()))
        if (layer.whyNot.empty() && !layer.isWeightPerSample && layer.weight.tensor &&
            dump.tensors()[*layer.weight.tensor].path == weight.path)
            return std::move(layer);
    return std::nullopt;
}

}  // namespace

InputProducts inputProducts(const LayerPlan& plan, const InputGrams& grams, bool together)
{
    const auto rows = static_cast<double>(grams.rows);
    InputProducts inputs{
        .columns = grams.depth, .rowsPerGroup = plan.channelsPerGroup, .squares = {}};
    for (std::uint64_t group = 0; group < plan.groups; ++group)
        for (std::uint64_t column = 0; column < grams.depth; ++column)
            inputs.squares.push_back(
                static_cast<float>(grams.of(group)[column * (grams.depth + 1)] / rows));
    if (together)
        for (const double sum : grams.sums)
            inputs.products.push_back(sum / rows);
    return inputs;
}

InputProducts weightInputs(const LayerDump& dump, const TensorInfo& weight, bool together,
                           const LayerOptions& options, const Progress& progress)
{
    const std::optional<FoundLayer> layer = layerOf(dump, weight);
    if (!layer)
        throw Error(Fault::Input,
                    "{}: no layer with a recorded input multiplies it, so that importance is not "
                    "known; record the input, and the output with its inputs",
                    weight.path);
    LayerOptions all = options;
    all.positions = 0;
    const LayerReading reading(dump, *layer, all, progress);
    const LayerPlan& plan = reading.plan();
    if (plan.isTransposed || plan.matrices > 1)
        throw Error(Fault::Input, "{}: importance is not known of a {} with these inputs",
                    weight.path, layer->op);
    const LayerPass pass = reading.passed({.input = {std::nullopt}, .weight = {std::nullopt}}, {},
                                          {.gramsOf = [](std::uint64_t) { return true; }});
    return inputProducts(plan, pass.grams(), together);
}

}  // namespace calibscope::layers
