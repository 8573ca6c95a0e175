// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_ports.h"

#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <set>

namespace calibscope::model {

namespace {

GraphPort portOf(const ::onnx::ValueInfoProto& value)
{
    GraphPort port{.name = value.name(), .op = {}, .shape = {}};
    if (!value.type().has_tensor_type())
        return port;
    const ::onnx::TypeProto_Tensor& tensor = value.type().tensor_type();
    port.elementType = tensor.elem_type();
    port.hasShape = tensor.has_shape();
    for (const ::onnx::TensorShapeProto_Dimension& length : tensor.shape().dim())
        port.shape.push_back(length.has_dim_value() && length.dim_value() > 0
                                 ? std::optional(static_cast<std::uint64_t>(length.dim_value()))
                                 : std::nullopt);
    return port;
}

}  // namespace

std::vector<GraphPort> graphInputs(const ::onnx::ModelProto& model)
{
    std::set<std::string> initialized;
    for (const ::onnx::TensorProto& tensor : model.graph().initializer())
        initialized.insert(tensor.name());
    for (const ::onnx::SparseTensorProto& tensor : model.graph().sparse_initializer())
        initialized.insert(tensor.values().name());
    std::vector<GraphPort> ports;
    for (const ::onnx::ValueInfoProto& input : model.graph().input())
        if (!initialized.contains(input.name())) {
            ports.push_back(portOf(input));
            ports.back().op = "Input";
        }
    return ports;
}

std::vector<GraphPort> graphOutputs(const ::onnx::ModelProto& model)
{
    std::map<std::string, std::string> opOf;
    for (const ::onnx::NodeProto& node : model.graph().node())
        for (const std::string& output : node.output())
            opOf.emplace(output, node.op_type());
    std::vector<GraphPort> ports;
    for (const ::onnx::ValueInfoProto& output : model.graph().output()) {
        ports.push_back(portOf(output));
        ports.back().op = opOf[output.name()];
    }
    return ports;
}

std::optional<GraphPort> onlyClipping(const ::onnx::ModelProto& model, const std::string& tensor)
{
    std::optional<GraphPort> found;
    for (const ::onnx::NodeProto& node : model.graph().node()) {
        if (std::ranges::find(node.input(), tensor) == node.input().end())
            continue;
        const bool isClipping = isOp(node, "Relu") || isOp(node, "Clip");
        if (found || !isClipping || node.output_size() != 1)
            return std::nullopt;
        found = GraphPort{.name = node.output(0), .op = node.op_type(), .shape = {}};
    }
    const auto& outputs = model.graph().output();
    const bool isOutput = std::ranges::any_of(
        outputs, [&](const ::onnx::ValueInfoProto& output) { return output.name() == tensor; });
    return isOutput ? std::nullopt : found;
}

std::string beforeFlattening(const ::onnx::ModelProto& model, const std::string& tensor)
{
    for (const ::onnx::NodeProto& node : model.graph().node())
        if (std::ranges::find(node.output(), tensor) != node.output().end())
            return isOp(node, "Sigmoid") || isOp(node, "Softmax") || isOp(node, "LogSoftmax")
                       ? node.input(0)
                       : tensor;
    return tensor;
}

}  // namespace calibscope::model
