// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/biased_layers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace calibscope::layers {

namespace {

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
