// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// A tensor that an op may have made: an activation or one of unknown role, of the model itself.
[[nodiscard]] bool isActivation(const TensorInfo& tensor);

/// Tensors by the names under which others refer to them. Of several with one name the first.
class NamedTensors
{
public:
    /// The tensors have to outlive it.
    explicit NamedTensors(std::span<const TensorInfo> tensors);

    /// By name or graph name, "." standing for "/"; nothing for an empty name.
    [[nodiscard]] std::optional<std::size_t> activation(const std::string& name) const;
    [[nodiscard]] std::optional<std::size_t> weight(const std::string& name) const;
    [[nodiscard]] std::optional<std::size_t> bias(const std::string& name) const;

    [[nodiscard]] std::span<const TensorInfo> tensors() const { return m_tensors; }

private:
    struct Name
    {
        std::string text;
        std::size_t index = 0;
    };
    using Names = std::vector<Name>;  ///< sorted, first come first
    [[nodiscard]] static std::optional<std::size_t> find(const Names& names,
                                                         const std::string& name);

    std::span<const TensorInfo> m_tensors;
    Names m_activations;
    Names m_weights;
    Names m_biases;
};

}  // namespace calibscope
