// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/entry_matches.h"
#include "core/model/model_file.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

/// Scale files whose rows are those of layers: the scales of a layer's input and of its weight.
namespace calibscope::deploy {

/// A layer that such a file has (Conv, Gemm, MatMul whose second operand is a weight), with its
/// operands' places among the tensors.
struct TableLayer
{
    std::string name;        ///< the node's, or its output's if it has none
    bool hasOwnName = true;  ///< else the name is the dump's, which may differ from the graph's
    /// The activation, then those that its values were moved from, the nearest first.
    std::vector<std::size_t> inputs;
    std::size_t weight = 0;
    std::uint64_t groups = 1;  ///< of a convolution: several have one scale each
};

struct TableLayers
{
    std::vector<TableLayer> rows;  ///< each after those that its input is made of
    /// Why the layer of that weight has no row, as a sentence.
    std::map<std::size_t, std::string> whyNot;
};

/// The layers that tensors tell of by `inputs`, `node`, `consumer` and graph names.
[[nodiscard]] TableLayers layerRows(std::span<const TensorInfo> tensors);

/// The tensors as a model's main graph describes them (`names`: what it calls each of them; empty:
/// it does not have that one), and behind them the graph's activations that are not among them.
[[nodiscard]] std::vector<TensorInfo> tensorsInGraph(std::span<const TensorInfo> tensors,
                                                     std::span<const std::string> names,
                                                     const model::ModelFile& model);

/// A file's name for a layer's weight.
[[nodiscard]] std::string weightRowName(const std::string& layer);

/// The paths of tensors by the names of their rows: an input's is the layer's. Tensors without a
/// path are passed over.
[[nodiscard]] exchange::LayerEntries layerEntries(std::span<const TensorInfo> tensors);

}  // namespace calibscope::deploy
