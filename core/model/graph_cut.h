// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

namespace onnx {
class GraphProto;
class NodeProto;
}  // namespace onnx

namespace calibscope::model {

/// Adds the names of all that a node takes, in its inner graphs, too.
void addTaken(const ::onnx::NodeProto& node, std::set<std::string>& names);

/// Leaves the graph these outputs alone, and the nodes that they need where tensors of `given` need
/// not be made. Returns the names that those nodes take and do not make. Throws Error(Input) where
/// none makes an output.
std::set<std::string> cutGraph(::onnx::GraphProto& graph, std::span<const std::string> outputs,
                               const std::set<std::string>& given, const std::string& path);

/// Leaves the graph no other constants and inputs than those, which are erased from `taken`, and no
/// notes on shapes. Returns the inputs.
std::vector<std::string> keepTaken(::onnx::GraphProto& graph, std::set<std::string>& taken);

}  // namespace calibscope::model
