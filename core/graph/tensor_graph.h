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
    std::string op = {};                   ///< that made it; empty: not known
    std::vector<std::size_t> operands;     ///< weights and biases of its op, each once
    std::vector<std::string> missing;      ///< its op's other inputs that the dump does not have
    std::vector<std::size_t> folded = {};  ///< tensors that it stands for, else none
    std::size_t block = 0;                 ///< from 1, of those with its name; 0: it is no block
    std::size_t blocks = 0;
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

/// The same with the nodes of a scope or of a repeated block as one; others stay as they are, and so
/// do those that are not recorded, where the chain is broken.
///
/// A scope is a name's beginning of so many parts that end in "/" or "." that the number of nodes
/// comes nearest to `nodes`, in ratio, and gives the name. Its nodes follow each other in the
/// graph's order, so that no circles are made, and take each other or the same.
///
/// Blocks are folded where scopes leave more than half of the nodes, and blocks fewer. The most
/// frequent pair of ops, the first of which only the second takes, becomes one; so do pairs of such
/// pairs, while that comes nearer to `nodes` and a pair is there twice (as Larsson and Moffat,
/// Off-line dictionary-based compression, Proc. IEEE 88, 2000, do with a text). Two of a kind are
/// joined last, as a network is mostly a row of them. Only the last tensor of a block is taken by
/// others, so that no circles are made. Tensors without an op stay. The ops are the name, each
/// behind those that it takes: "Conv, Relu, Conv, Add".
///
/// Cost: n log n for each level of pairs, of which there are few.
[[nodiscard]] TensorGraph foldedGraph(const TensorGraph& graph, std::size_t nodes);

}  // namespace calibscope
