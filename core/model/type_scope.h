// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

namespace onnx {
class GraphProto;
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace calibscope::model {

/// Whether float32 is the only floating-point type that the model names, in tensors, in types and
/// in the attributes of casts: then all that can be is float32.
[[nodiscard]] bool isFloat32Only(const ::onnx::ModelProto& model);

/// Data types of the tensors of a graph, as far as they are stated or follow from others.
class TypeScope
{
public:
    /// What inputs, outputs, initializers and the notes on shapes tell. `outer` is the graph
    /// around; it must outlive this.
    TypeScope(const ::onnx::GraphProto& graph, const TypeScope* outer);

    /// Notes what the node makes; for nodes in their order.
    void follow(const ::onnx::NodeProto& node);
    /// The tensor's type, as ONNX numbers it, here or in a graph around.
    [[nodiscard]] std::optional<int> typeOf(const std::string& name) const;

private:
    const TypeScope* m_outer;
    std::unordered_map<std::string, int> m_types;
};

}  // namespace calibscope::model
