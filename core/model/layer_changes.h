// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/model/graph_index.h"
#include "core/quant/tensor_quantization.h"

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::model {

/// A change to a layer of a model, by the tensor that it makes.
struct LayerChange
{
    std::string output;                  ///< the graph's name
    std::string scope = {};              ///< graphs around it, as GraphTensor::scope
    bool isFloat = false;                ///< no pairs at its operands, its weight stays float
    std::vector<double> biasShift = {};  ///< added to each output channel; empty: none
    /// By which the channels of its input are divided and its weight is multiplied; empty: by none.
    std::vector<float> inputFactors = {};
    bool takesMul = false;  ///< a Mul in front of it takes the factors where no constants can
    /// Of its weight, whose input factors are in it; none: to nearest.
    WeightRounding rounding = {};

    bool operator==(const LayerChange&) const = default;
};

/// The layers of a model that stay float: none of their operands is quantized.
class FloatLayers
{
public:
    FloatLayers() = default;
    /// Those of the changes; `scopes` as for quantizeModel().
    FloatLayers(const GraphIndex& index, std::span<const LayerChange> changes,
                std::span<const std::string> scopes);

    [[nodiscard]] bool contains(std::size_t graph, int node) const
    {
        return m_nodes.contains({graph, node});
    }
    [[nodiscard]] bool contains(const TensorUse& use) const
    {
        return contains(use.graph, use.node);
    }

private:
    std::set<std::pair<std::size_t, int>> m_nodes;
};

/// Adds each change's shift to its layer's bias, in float32; tensors keep their names:
///
///     Conv, ConvTranspose, Gemm   a bias of its own, B_improved in place of B; T_bias where it had
///                                 none. A Gemm multiplies by beta: the shift is divided by it
///     MatMul                      the constant of an Add that is all who takes its result T, else an
///                                 Add behind it: T_unshifted + T_shift = T; of a Gemm, too, with
///                                 beta 0 or a bias that is no vector
///
/// These stay as they are, with an error in the findings: a bias that is computed at run time,
/// another number of channels, a tensor that no layer makes. Throws Error(Input) where constants
/// can't be read.
[[nodiscard]] Findings shiftBiases(::onnx::ModelProto& model, std::span<const LayerChange> changes,
                                   const std::string& path, std::span<const std::string> scopes);

/// Number of the graph of that scope: among `scopes`, or where these are empty in the index.
[[nodiscard]] std::optional<std::size_t> graphOfScope(const GraphIndex& index,
                                                      std::span<const std::string> scopes,
                                                      const std::string& scope);

}  // namespace calibscope::model
