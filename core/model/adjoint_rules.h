// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/new_names.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace onnx {
class GraphProto;
class NodeProto;
}  // namespace onnx

/// Gradients by further nodes of the same model.
namespace calibscope::model {

/// Nodes and constants that are put behind those of a graph, of opset 21.
class AddedNodes
{
public:
    AddedNodes(::onnx::GraphProto& graph, NewNames& names) : m_graph(graph), m_names(names) {}

    using Attributes = std::function<void(::onnx::NodeProto&)>;
    /// What a new node makes.
    std::string op(const char* type, const std::vector<std::string>& inputs,
                   const Attributes& attributes = {});
    /// What a node with the attributes of another one makes of other inputs; of the second output
    /// where `output` is 1.
    std::string copy(const ::onnx::NodeProto& node, const std::vector<std::string>& inputs,
                     const Attributes& attributes = {}, int output = 0);
    /// A constant of two axes.
    [[nodiscard]] bool isMatrix(const std::string& tensor) const;
    std::string number(double value);
    std::string integers(const std::vector<std::int64_t>& values);
    std::string constant(const std::vector<float>& values, const std::vector<std::uint64_t>& shape);

    std::string add(const std::string& a, const std::string& b) { return op("Add", {a, b}); }
    std::string sub(const std::string& a, const std::string& b) { return op("Sub", {a, b}); }
    std::string mul(const std::string& a, const std::string& b) { return op("Mul", {a, b}); }
    std::string div(const std::string& a, const std::string& b) { return op("Div", {a, b}); }
    std::string shapeOf(const std::string& x) { return op("Shape", {x}); }
    /// In the shape of that one.
    std::string like(const std::string& x, const std::string& shaped)
    {
        return op("Reshape", {x, shapeOf(shaped)});
    }
    /// All values in one axis.
    std::string flat(const std::string& x) { return op("Reshape", {x, integers({-1})}); }
    /// The sum over those axes, which stay with length 1.
    std::string sum(const std::string& x, const std::string& axes);

private:
    ::onnx::GraphProto& m_graph;
    NewNames& m_names;
};

/// False where what the node makes does not change with small changes of its inputs, as for Shape.
[[nodiscard]] bool passesGradients(const ::onnx::NodeProto& node);

/// For each input of the node that is wanted the gradient, from that of its first output; others are
/// empty. Nothing where no rule is known for the node, its attributes or the wanted inputs. Of MaxPool
/// and Resize to the nearest the position that gave a value takes its gradient; of Max and Min all that
/// are equal.
[[nodiscard]] std::optional<std::vector<std::string>> gradientsOf(const ::onnx::NodeProto& node,
                                                                  const std::string& gradient,
                                                                  const std::vector<bool>& wanted,
                                                                  AddedNodes& nodes);

}  // namespace calibscope::model
