// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/graph/tensor_graph.h"

#include <cstddef>
#include <vector>

namespace calibscope {

/// A position in a drawn graph: x in widths of a node, y in rows, downward.
struct GraphPoint
{
    double x = 0.0;
    double y = 0.0;

    bool operator==(const GraphPoint&) const = default;
};

/// A line from the node that is taken to the one that takes it.
struct GraphWire
{
    std::size_t from = 0;
    std::size_t to = 0;
    std::vector<GraphPoint> bends;  ///< in the rows between, from above; empty: straight

    bool operator==(const GraphWire&) const = default;
};

/// Where the nodes of a graph are drawn, in layers: centres, no two of a row closer than 1.
struct GraphLayout
{
    std::vector<GraphPoint> nodes;
    std::vector<GraphWire> wires;  ///< by connected part, then node that takes, then input
    double width = 0.0;            ///< all nodes lie between 0 and the width,
    double height = 0.0;           ///< and their rows from 0 to below the height

    bool operator==(const GraphLayout&) const = default;
};

/// Layers as of Sugiyama, Tagawa and Toda (Methods for visual understanding of hierarchical system
/// structures, IEEE Trans. SMC 11, 1981): rows by the longest way from above, nodes without inputs
/// directly above the first that takes them; orders by the mean position of neighbours, the one
/// with the fewest crossings of 8 sweeps; positions as near to the neighbours' mean as the order
/// allows. Lines of one node over several rows share their bends, which have room of their own
/// while all of them together are at most 4 for each node, short ones first. Parts that are not
/// connected stand side by side and below one another, `rowsPerWidth` as high as wide about.
///
/// `inputs`: as TensorGraph's, nodes mostly after those that they take; lines from later nodes
/// (circles) are straight and have no influence on the rows. All other lines go down. The same
/// inputs give the same layout; no inputs, no size. Cost: n log n in nodes, lines and bends.
[[nodiscard]] GraphLayout layoutGraph(const GraphInputs& inputs, double rowsPerWidth = 3.0);

}  // namespace calibscope
