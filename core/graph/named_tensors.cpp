// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/named_tensors.h"

#include <algorithm>
#include <string_view>

namespace calibscope {

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

}  // namespace

bool isActivation(const TensorInfo& tensor)
{
    return !tensor.isBeside && (tensor.role == Role::Activation || tensor.role == Role::Unknown);
}

NamedTensors::NamedTensors(std::span<const TensorInfo> tensors) : m_tensors(tensors)
{
    for (std::size_t index = 0; index < tensors.size(); ++index) {
        const TensorInfo& tensor = tensors[index];
        Names* const names = isActivation(tensor)          ? &m_activations
                             : tensor.role == Role::Weight ? &m_weights
                             : tensor.role == Role::Bias   ? &m_biases
                                                           : nullptr;
        if (names == nullptr)
            continue;
        names->push_back({plainName(tensor.name), index});
        if (!tensor.graphName.empty())
            names->push_back({plainName(tensor.graphName), index});
    }
    for (Names* names : {&m_activations, &m_weights, &m_biases})
        std::ranges::stable_sort(*names, {}, &Name::text);
}

std::optional<std::size_t> NamedTensors::find(const Names& names, const std::string& name)
{
    if (name.empty())
        return std::nullopt;
    const std::string plain = plainName(name);
    const auto found = std::ranges::lower_bound(names, plain, {}, &Name::text);
    return found == names.end() || found->text != plain ? std::nullopt
                                                        : std::optional(found->index);
}

std::optional<std::size_t> NamedTensors::activation(const std::string& name) const
{
    return find(m_activations, name);
}

std::optional<std::size_t> NamedTensors::weight(const std::string& name) const
{
    return find(m_weights, name);
}

std::optional<std::size_t> NamedTensors::bias(const std::string& name) const
{
    return find(m_biases, name);
}

}  // namespace calibscope
