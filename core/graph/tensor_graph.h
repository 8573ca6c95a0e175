// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// For each node the nodes that it takes, by index.
using GraphInputs = std::vector<std::vector<std::size_t>>;

/// The nodes in Kahn's order, each after those that it takes; of those that could be next the least
/// index. What is on a circle, or behind one, comes last. Indices have to be below the size.
[[nodiscard]] std::vector<std::size_t> inOrderOfGraph(const GraphInputs& inputs);

/// An activation of a dump, with the op that made it; or a name that the dump does not have.
struct GraphNode
{
    std::optional<std::size_t> tensor;     ///< among the dump's tensors; nothing: not recorded
    std::string name;                      ///< the tensor's; else as the op calls its input
    std::vector<std::size_t> operands;     ///< weights and biases of its op, each once
    std::vector<std::string> missing;      ///< its op's other inputs that the dump does not have
    std::vector<std::size_t> folded = {};  ///< tensors of the scope that it stands for, else none
};

/// The network as far as a dump states it.
struct TensorGraph
{
    std::vector<GraphNode> nodes;  ///< in the graph's order, which a circle breaks
    /// By node, in the op's order, each once, none itself: before it but on a circle.
    GraphInputs inputs;

    /// The nodes that take a node, each once, ascending.
    [[nodiscard]] GraphInputs outputs() const;
};

/// The graph that recorded inputs (and consumers of weights and biases) state: all activations are
/// nodes, also those that nothing is connected to. A first input that was not recorded is a node
/// without a tensor, as the chain is broken there; other missing ones, mostly parameters, are only
/// named. Cost: n log n.
[[nodiscard]] TensorGraph tensorGraph(std::span<const TensorInfo> tensors);

/// The same with neighbouring nodes of a scope as one, named after it: a name's beginning of so many
/// parts that end in "/" or "." that the number of nodes comes nearest to `nodes`, in ratio.
/// Neighbours follow each other in the graph's order, so that no circles are made, and take each
/// other or the same. A node by itself stays as it is.
[[nodiscard]] TensorGraph foldedGraph(const TensorGraph& graph, std::size_t nodes);

}  // namespace calibscope
