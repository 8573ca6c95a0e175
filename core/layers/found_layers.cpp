// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/found_layers.h"

#include "core/layers/layer_plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace calibscope::layers {

namespace {

/// Inputs are named as the graph does, tensors with "." for "/" and none in front.
std::string plainName(std::string_view name)
{
    while (!name.empty() && (name.front() == '/' || name.front() == '.'))
        name.remove_prefix(1);
    std::string plain(name);
    std::ranges::replace(plain, '/', '.');
    return plain;
}

bool isActivation(const TensorInfo& tensor)
{
    return !tensor.isBeside && (tensor.role == Role::Activation || tensor.role == Role::Unknown);
}

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
        for (const std::size_t place : inOrderOfGraph())
            if (isActivation(m_tensors[place]) && isLayerOp(m_tensors[place].op))
                found.push_back(layerOf(place));
        for (std::size_t place = 0; place < m_tensors.size(); ++place)
            if (m_tensors[place].role == Role::Weight && !m_used.contains(place) &&
                isLayerOp(m_tensors[place].op))
                found.push_back(layerOfWeight(place));
        return found;
    }

private:
    /// Kahn's order, of those that could be next the first in the file; what is on a circle comes
    /// last.
    [[nodiscard]] std::vector<std::size_t> inOrderOfGraph() const
    {
        std::vector<std::vector<std::size_t>> outputs(m_tensors.size());
        std::vector<std::size_t> missing(m_tensors.size(), 0);
        for (std::size_t place = 0; place < m_tensors.size(); ++place)
            for (const std::string& name : m_tensors[place].inputs)
                if (const auto input = m_names.activation(name); input && *input != place) {
                    outputs[*input].push_back(place);
                    ++missing[place];
                }
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
        for (std::size_t place = 0; place < m_tensors.size(); ++place)
            if (missing[place] == 0)
                ready.push(place);
        std::vector<std::size_t> order;
        while (!ready.empty()) {
            const std::size_t place = ready.top();
            ready.pop();
            order.push_back(place);
            for (const std::size_t output : outputs[place])
                if (--missing[output] == 0)
                    ready.push(output);
        }
        for (std::size_t place = 0; place < m_tensors.size(); ++place)
            if (missing[place] > 0)
                order.push_back(place);
        return order;
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

/// Inputs are named as the graph does, tensors with "." for "/".
std::string withDots(std::string_view name)
{
    std::string dotted(name);
    std::ranges::replace(dotted, '/', '.');
    return dotted;
}

class Layers
{
public:
    explicit Layers(std::span<const TensorInfo> tensors) : m_tensors(tensors)
    {
        for (std::size_t place = 0; place < tensors.size(); ++place)
            placesOf(tensors[place].role).emplace(withDots(tensors[place].name), place);
    }

    /// By an input's name among the tensors of that role.
    [[nodiscard]] std::optional<std::size_t> find(const std::string& name, Role role)
    {
        const auto& places = placesOf(role);
        const auto found = name.empty() ? places.end() : places.find(withDots(name));
        return found == places.end() ? std::nullopt : std::optional(found->second);
    }

    /// Of a layer that adds its bias itself.
    std::optional<BiasedLayer> layerOf(const TensorInfo& made)
    {
        constexpr std::array ops = {"Conv", "ConvTranspose", "Gemm"};
        if (std::ranges::find(ops, made.op) == ops.end() || made.inputs.size() < 3)
            return std::nullopt;
        return joined(find(made.inputs[1], Role::Weight), find(made.inputs[0], Role::Activation),
                      find(made.inputs[2], Role::Bias));
    }

    /// Of a MatMul to which an Add adds a bias.
    std::optional<BiasedLayer> layerAdded(const TensorInfo& made)
    {
        if (made.op != "Add" || made.inputs.size() != 2)
            return std::nullopt;
        for (const std::size_t biasPlace : {std::size_t{0}, std::size_t{1}}) {
            const auto bias = find(made.inputs[biasPlace], Role::Bias);
            const auto product = find(made.inputs[1 - biasPlace], Role::Activation);
            if (!bias || !product || m_tensors[*product].op != "MatMul" ||
                m_tensors[*product].inputs.size() != 2)
                continue;
            const std::vector<std::string>& inputs = m_tensors[*product].inputs;
            return joined(find(inputs[1], Role::Weight), find(inputs[0], Role::Activation), bias);
        }
        return std::nullopt;
    }

private:
    using Places = std::unordered_map<std::string, std::size_t>;

    Places& placesOf(Role role)
    {
        return role == Role::Weight ? m_weights : role == Role::Bias ? m_biases : m_activations;
    }

    static std::optional<BiasedLayer> joined(std::optional<std::size_t> weight,
                                             std::optional<std::size_t> input,
                                             std::optional<std::size_t> bias)
    {
        if (!weight || !input || !bias)
            return std::nullopt;
        return BiasedLayer{.weight = *weight, .input = *input, .bias = *bias};
    }

    std::span<const TensorInfo> m_tensors;
    Places m_weights;
    Places m_biases;
    Places m_activations;  ///< and of unknown role
};

}  // namespace

NamedTensors::NamedTensors(std::span<const TensorInfo> tensors) : m_tensors(tensors)
{
    for (std::size_t place = 0; place < tensors.size(); ++place) {
        const TensorInfo& tensor = tensors[place];
        std::vector<Name>* const names = isActivation(tensor)          ? &m_activations
                                         : tensor.role == Role::Weight ? &m_weights
                                                                       : nullptr;
        if (names == nullptr)
            continue;
        names->push_back({plainName(tensor.name), place});
        if (!tensor.graphName.empty())
            names->push_back({plainName(tensor.graphName), place});
    }
    for (std::vector<Name>* names : {&m_activations, &m_weights})
        std::ranges::stable_sort(*names, {}, &Name::text);
}

std::optional<std::size_t> NamedTensors::find(const std::vector<Name>& names,
                                              const std::string& name)
{
    if (name.empty())
        return std::nullopt;
    const std::string plain = plainName(name);
    const auto found = std::ranges::lower_bound(names, plain, {}, &Name::text);
    return found == names.end() || found->text != plain ? std::nullopt
                                                        : std::optional(found->place);
}

std::optional<std::size_t> NamedTensors::activation(const std::string& name) const
{
    return find(m_activations, name);
}

std::optional<std::size_t> NamedTensors::weight(const std::string& name) const
{
    return find(m_weights, name);
}

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
    Layers layers(tensors);
    std::vector<BiasedLayer> found;
    for (const TensorInfo& tensor : tensors)
        for (const std::optional<BiasedLayer>& layer :
             {layers.layerOf(tensor), layers.layerAdded(tensor)})
            if (layer)
                found.push_back(*layer);
    return found;
}

}  // namespace calibscope::layers
