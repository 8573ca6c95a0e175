// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/found_layers.h"

#include "core/graph/tensor_graph.h"
#include "core/layers/layer_plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace calibscope::layers {

namespace {

class LayerSearch
{
public:
    explicit LayerSearch(std::span<const TensorInfo> tensors) : m_tensors(tensors), m_names(tensors)
    {
        for (std::size_t place = 0; place < tensors.size(); ++place)
            if (tensors[place].role == Role::Weight && !tensors[place].consumer.empty())
                m_weightOf.emplace(tensors[place].consumer, place);
    }

    std::vector<FoundLayer> layers()
    {
        std::vector<FoundLayer> found;
        for (const std::size_t place : inOrder())
            if (isActivation(m_tensors[place]) && isLayerOp(m_tensors[place].op))
                found.push_back(layerOf(place));
        for (std::size_t place = 0; place < m_tensors.size(); ++place)
            if (m_tensors[place].role == Role::Weight && !m_used.contains(place) &&
                isLayerOp(m_tensors[place].op))
                found.push_back(layerOfWeight(place));
        return found;
    }

private:
    /// Of those that could be next the first in the file; what is on a circle comes last.
    [[nodiscard]] std::vector<std::size_t> inOrder() const
    {
        GraphInputs inputs(m_tensors.size());
        for (std::size_t place = 0; place < m_tensors.size(); ++place)
            for (const std::string& name : m_tensors[place].inputs)
                if (const auto input = m_names.activation(name); input && *input != place)
                    inputs[place].push_back(*input);
        return inOrderOfGraph(inputs);
    }

    /// A weight whose consumer made that output.
    [[nodiscard]] std::optional<std::size_t> consumedBy(const TensorInfo& output) const
    {
        for (const std::string& name : {output.node, output.name})
            if (const auto weight = m_weightOf.find(name); weight != m_weightOf.end())
                return weight->second;
        return std::nullopt;
    }

    [[nodiscard]] FoundOperand operand(const std::string& name, std::optional<std::size_t> place)
    {
        if (!place)
            return {.name = name, .tensor = std::nullopt};
        if (m_tensors[*place].role == Role::Weight)
            m_used.insert(*place);
        return {.name = m_tensors[*place].name, .tensor = place};
    }

    FoundLayer layerOf(std::size_t place)
    {
        const TensorInfo& output = m_tensors[place];
        FoundLayer layer{.name = output.name,
                         .op = output.op,
                         .output = place,
                         .input = {},
                         .weight = {},
                         .whyNot = {}};
        const std::string first = output.inputs.empty() ? "" : output.inputs[0];
        const std::string second = output.inputs.size() < 2 ? "" : output.inputs[1];
        std::optional<std::size_t> firstWeight = m_names.weight(first);
        std::optional<std::size_t> secondWeight = m_names.weight(second);
        const auto firstActivation = m_names.activation(first);
        const auto secondActivation = m_names.activation(second);
        if (firstActivation)
            firstWeight.reset();
        if (!secondWeight && !secondActivation && !firstWeight)
            secondWeight = consumedBy(output);
        layer.isWeightFirst = firstWeight.has_value() && !secondWeight;
        if (layer.isWeightFirst) {
            layer.input = operand(second, secondActivation);
            layer.weight = operand(first, firstWeight);
        } else {
            layer.input = operand(first, firstActivation);
            layer.weight = operand(second, secondWeight ? secondWeight : secondActivation);
            layer.isWeightPerSample = !secondWeight && secondActivation;
        }
        layer.whyNot = whyNotFound(layer, output);
        return layer;
    }

    [[nodiscard]] static std::string whyNotFound(const FoundLayer& layer, const TensorInfo& output)
    {
        if (output.inputs.empty() && !layer.weight.tensor)
            return "its inputs were not recorded";
        if (!layer.input.tensor)
            return layer.input.name.empty() ? "its inputs were not recorded"
                                            : "input " + layer.input.name + " is not in the dump";
        if (!layer.weight.tensor)
            return layer.weight.name.empty()
                       ? "its second operand was not recorded"
                       : std::string(layer.op == "MatMul" ? "second operand " : "weight ") +
                             layer.weight.name + " is not in the dump";
        return {};
    }

    FoundLayer layerOfWeight(std::size_t place) const
    {
        const TensorInfo& weight = m_tensors[place];
        return {.name = weight.consumer.empty() ? weight.name : weight.consumer,
                .op = weight.op,
                .output = std::nullopt,
                .input = {},
                .weight = {.name = weight.name, .tensor = place},
                .whyNot = "its output is not in the dump"};
    }

    std::span<const TensorInfo> m_tensors;
    NamedTensors m_names;
    std::map<std::string, std::size_t> m_weightOf;  ///< by its consumer
    std::set<std::size_t> m_used;                   ///< weights that a layer has
};

class BiasSearch
{
public:
    explicit BiasSearch(std::span<const TensorInfo> tensors) : m_tensors(tensors), m_names(tensors)
    {}

    /// Of a layer that adds its bias itself.
    [[nodiscard]] std::optional<BiasedLayer> layerOf(const TensorInfo& made) const
    {
        constexpr std::array ops = {"Conv", "ConvTranspose", "Gemm"};
        if (std::ranges::find(ops, made.op) == ops.end() || made.inputs.size() < 3)
            return std::nullopt;
        return joined(m_names.weight(made.inputs[1]), m_names.activation(made.inputs[0]),
                      m_names.bias(made.inputs[2]));
    }

    /// Of a MatMul to which an Add adds a bias.
    [[nodiscard]] std::optional<BiasedLayer> layerAdded(const TensorInfo& made) const
    {
        if (made.op != "Add" || made.inputs.size() != 2)
            return std::nullopt;
        for (const std::size_t biasPlace : {std::size_t{0}, std::size_t{1}}) {
            const auto bias = m_names.bias(made.inputs[biasPlace]);
            const auto product = m_names.activation(made.inputs[1 - biasPlace]);
            if (!bias || !product || m_tensors[*product].op != "MatMul" ||
                m_tensors[*product].inputs.size() != 2)
                continue;
            const std::vector<std::string>& inputs = m_tensors[*product].inputs;
            return joined(m_names.weight(inputs[1]), m_names.activation(inputs[0]), bias);
        }
        return std::nullopt;
    }

private:
    static std::optional<BiasedLayer> joined(std::optional<std::size_t> weight,
                                             std::optional<std::size_t> input,
                                             std::optional<std::size_t> bias)
    {
        if (!weight || !input || !bias)
            return std::nullopt;
        return BiasedLayer{.weight = *weight, .input = *input, .bias = *bias};
    }

    std::span<const TensorInfo> m_tensors;
    NamedTensors m_names;
};

}  // namespace

std::vector<FoundLayer> foundLayers(std::span<const TensorInfo> tensors)
{
    return LayerSearch(tensors).layers();
}

bool onlyMovesValues(const TensorInfo& made)
{
    constexpr std::array<std::string_view, 7> ops{"Reshape",   "Flatten",  "Squeeze", "Unsqueeze",
                                                  "Transpose", "Identity", "Dropout"};
    return std::ranges::find(ops, made.op) != ops.end() && !made.inputs.empty();
}

std::vector<std::size_t> movedFrom(const NamedTensors& names, std::size_t tensor)
{
    constexpr std::size_t longest = 64;  // a file may name circles
    std::vector<std::size_t> chain;
    while (chain.size() < longest && onlyMovesValues(names.tensors()[tensor])) {
        const auto before = names.activation(names.tensors()[tensor].inputs.front());
        if (!before || *before == tensor || std::ranges::count(chain, *before) > 0)
            break;
        chain.push_back(*before);
        tensor = *before;
    }
    return chain;
}

std::vector<BiasedLayer> biasedLayers(std::span<const TensorInfo> tensors)
{
    const BiasSearch layers(tensors);
    std::vector<BiasedLayer> found;
    for (const TensorInfo& tensor : tensors)
        for (const std::optional<BiasedLayer>& layer :
             {layers.layerOf(tensor), layers.layerAdded(tensor)})
            if (layer)
                found.push_back(*layer);
    return found;
}

}  // namespace calibscope::layers
