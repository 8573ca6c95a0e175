// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/bias_plan.h"

#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace calibscope::model {

namespace {

/// Why a layer's bias stays float; empty: it need not.
std::string reasonForFloat(const ::onnx::NodeProto& node, const PlannedPair* input,
                           const IntegerWeight& weight, const GraphTensor* bias)
{
    if (!biasInput(node))
        return "the Gemm has an alpha or beta other than 1";
    if (bias == nullptr || bias->elementType != ElementKind::Float32)
        return "it is not a constant of float32";
    if (bias->shape.size() != 1)
        return "it is not a vector";
    if (input == nullptr || input->scales.quantization.axis)
        return "the layer's input has no pair with one scale";
    if (weight.scales.quantization.group > 1)
        return "groups of its layer's weight have scales of their own";
    if (input->scales.quantization.format.bits() > 8)
        return "the layer's input has 16 bits, whose steps are too fine for 32 bits";
    if (isOp(node, "ConvTranspose") && intAttribute(node, "group", 1) != 1 &&
        weight.scales.quantization.axis)
        return "each scale of the ConvTranspose's weight serves a channel of every group";
    if (weight.scales.quantization.axis &&
        weight.scales.quantization.scales.size() != bias->shape.front())
        return "it has another length than the weight has channels";
    return {};
}

IntegerBias quantizedBias(std::span<const float> values, float inputScale,
                          const std::vector<float>& weightScales)
{
    IntegerBias bias;
    for (const float scale : weightScales)
        // A product below the least float32 belongs to a bias of 0, or as good as that.
        bias.scales.push_back(
            std::max(inputScale * scale, std::numeric_limits<float>::denorm_min()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float scale = bias.scales[bias.scales.size() == 1 ? 0 : i];
        const double steps =
            std::nearbyint(static_cast<double>(values[i]) / static_cast<double>(scale));
        bias.integers.push_back(static_cast<std::int32_t>(
            std::clamp(std::isnan(steps) ? 0.0 : steps,
                       static_cast<double>(std::numeric_limits<std::int32_t>::min()),
                       static_cast<double>(std::numeric_limits<std::int32_t>::max()))));
    }
    return bias;
}

}  // namespace

std::vector<IntegerBias> planBiases(const GraphIndex& index, const IndexedConstants& constants,
                                    const PairPlan& pairs,
                                    const std::vector<IntegerWeight>& weights, Findings& lints)
{
    std::vector<IntegerBias> biases;
    for (const IntegerWeight& weight : weights)
        for (const TensorUse& use : weight.uses) {
            const ::onnx::NodeProto& node = index.node(use);
            const std::optional<std::size_t> tensor = isLayer(node) && node.input_size() > 2
                                                          ? index.find(use.graph, node.input(2))
                                                          : std::nullopt;
            if (!tensor)
                continue;
            TensorUse inputUse = use;
            inputUse.input = 1 - use.input;
            const PlannedPair* input = pairs.arriving(index, inputUse);
            const std::string reason = reasonForFloat(node, input, weight, constants.find(*tensor));
            if (!reason.empty()) {
                lints.push_back(findingOn(index.tensors()[*tensor].name, FindingLevel::Note,
                                          "float-bias", "stays float: " + reason));
                continue;
            }
            IntegerBias& bias = biases.emplace_back(
                quantizedBias(constants.values(*tensor), input->scales.quantization.scales.front(),
                              weight.scales.quantization.scales));
            bias.tensor = *tensor;
            bias.use = use;
            bias.use.input = 2;
        }
    return biases;
}

}  // namespace calibscope::model
