// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deploy/names/graph_names.h"
#include "core/model/model_file.h"
#include "core/tensor/tensor_info.h"

#include <span>
#include <vector>

namespace calibscope::deploy {

/// A dump's tensors with the operators of a model's graph: of each that `names` (graphNames(), in
/// the order of the tensors) places in the graph, the graph's name; of what a node makes, op, node,
/// inputs by the graph's names, and geometry; of constants that a layer takes, op, consumer, the
/// role, and the axis of the layer's output channels. The recorder's give way to these. Tensors
/// that were not placed stay as recorded.
[[nodiscard]] std::vector<TensorInfo> withOperators(std::span<const TensorInfo> tensors,
                                                    std::span<const GraphName> names,
                                                    const model::ModelFile& model);

/// The same tensors, and behind them the outputs of layers of the main graph whose operands are among
/// them (by their graph names) and whose output is not: with the graph's name, a shape that follows
/// from the operands', no path, and no values to be read. A layer computed on these has an output
/// without bias.
[[nodiscard]] std::vector<TensorInfo> withComputedOutputs(std::vector<TensorInfo> described,
                                                          const model::ModelFile& model);

}  // namespace calibscope::deploy
