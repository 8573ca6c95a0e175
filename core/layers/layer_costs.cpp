// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_costs.h"

namespace calibscope::layers {

namespace {

std::uint64_t outputChannelsOf(const FoundLayer& layer, const TensorInfo& output)
{
    const std::size_t rank = output.shape.size();
    if (rank < 2)
        return 0;
    if (layer.op == "Conv" || layer.op == "ConvTranspose")
        return output.shape[1];
    return layer.isWeightFirst ? output.shape[rank - 2] : output.shape.back();
}

/// Outputs of one channel of a sample: 0 where that is not known.
std::uint64_t positionsOfSample(const FoundLayer& layer, std::span<const TensorInfo> tensors)
{
    if (!layer.output)
        return 0;
    const TensorInfo& output = tensors[*layer.output];
    const std::uint64_t channels = outputChannelsOf(layer, output);
    return channels == 0 || output.shape[0] == 0 ? 0
                                                 : output.valueCount() / output.shape[0] / channels;
}

}  // namespace

std::uint64_t multiplicationsOf(const FoundLayer& layer, std::span<const TensorInfo> tensors)
{
    if (!layer.output || !layer.weight.tensor || layer.isWeightPerSample)
        return 0;
    const TensorInfo& output = tensors[*layer.output];
    const TensorInfo& weight = tensors[*layer.weight.tensor];
    const std::uint64_t channels = outputChannelsOf(layer, output);
    const std::size_t rank = weight.shape.size();
    if (channels == 0 || rank < 2 || output.shape[0] == 0)
        return 0;
    if (layer.op == "ConvTranspose") {
        if (!layer.input.tensor || weight.shape[0] == 0)
            return 0;
        // Each value of the input meets all weights of its channel.
        const TensorInfo& input = tensors[*layer.input.tensor];
        return input.valueCount() / output.shape[0] * (weight.valueCount() / weight.shape[0]);
    }
    std::uint64_t depth = weight.valueCount() / channels;
    if (layer.op == "MatMul")
        depth = layer.isWeightFirst ? weight.shape.back() : weight.shape[rank - 2];
    return output.valueCount() / output.shape[0] * depth;
}

std::uint64_t calibratingPositions(const FoundLayer& layer, std::span<const TensorInfo> tensors,
                                   SplitRule heldOut)
{
    if (!layer.output || tensors[*layer.output].shape.empty())
        return 0;
    const SampleSplit split{.heldOut = heldOut, .samples = tensors[*layer.output].shape[0]};
    return split.calibrating() * positionsOfSample(layer, tensors);
}

FewPositions fewPositionsIn(std::span<const TensorInfo> tensors, SplitRule heldOut)
{
    std::uint64_t all = 0;
    std::uint64_t few = 0;
    for (const FoundLayer& layer : foundLayers(tensors)) {
        const std::uint64_t cost = multiplicationsOf(layer, tensors);
        all += cost;
        if (calibratingPositions(layer, tensors, heldOut) < fewPositions)
            few += cost;
    }
    constexpr double smallShare = 0.01;
    const double share = all == 0 ? 1.0 : static_cast<double>(few) / static_cast<double>(all);
    return {.isSmallShare = share < smallShare, .share = share};
}

}  // namespace calibscope::layers
