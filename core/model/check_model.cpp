// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/check_model.h"

#include <string_view>
#include <unordered_set>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

struct KnownNames
{
    const KnownNames* outer = nullptr;
    std::unordered_set<std::string_view> names;

    [[nodiscard]] bool has(std::string_view name) const
    {
        for (const KnownNames* scope = this; scope != nullptr; scope = scope->outer)
            if (scope->names.contains(name))
                return true;
        return false;
    }
};

std::string whoOf(const ::onnx::NodeProto& node)
{
    const std::string name =
        node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
    return "node " + name + " (" + node.op_type() + ")";
}

std::string faultIn(const ::onnx::GraphProto& graph, const KnownNames* outer);

std::string faultIn(const ::onnx::NodeProto& node, KnownNames& known)
{
    if (node.op_type().empty())
        return whoOf(node) + " has no op";
    for (const std::string& input : node.input())
        if (!input.empty() && !known.has(input))
            return whoOf(node) + " takes " + input + ", which nothing before it makes";
    for (const ::onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g())
            if (std::string fault = faultIn(attribute.g(), &known); !fault.empty())
                return fault;
        for (const ::onnx::GraphProto& inner : attribute.graphs())
            if (std::string fault = faultIn(inner, &known); !fault.empty())
                return fault;
    }
    for (const std::string& output : node.output())
        if (!output.empty() && known.has(output))
            return whoOf(node) + " makes " + output + ", which is there already";
        else
            known.names.insert(output);
    return {};
}

std::string faultIn(const ::onnx::GraphProto& graph, const KnownNames* outer)
{
    KnownNames known{.outer = outer, .names = {}};
    for (const ::onnx::ValueInfoProto& input : graph.input())
        if (!known.names.insert(input.name()).second)
            return "the graph " + graph.name() + " has the input " + input.name() + " twice";
    std::unordered_set<std::string_view> initializers;
    const auto repeated = [&](std::string_view name) {
        known.names.insert(name);
        return !initializers.insert(name).second;
    };
    for (const ::onnx::TensorProto& tensor : graph.initializer())
        if (repeated(tensor.name()))
            return "the graph " + graph.name() + " has the initializer " + tensor.name() + " twice";
    for (const ::onnx::SparseTensorProto& tensor : graph.sparse_initializer())
        if (repeated(tensor.values().name()))
            return "the graph " + graph.name() + " has the initializer " + tensor.values().name() +
                   " twice";
    for (const ::onnx::NodeProto& node : graph.node())
        if (std::string fault = faultIn(node, known); !fault.empty())
            return fault;
    for (const ::onnx::ValueInfoProto& output : graph.output())
        if (!known.has(output.name()))
            return "the graph " + graph.name() + " gives " + output.name() +
                   ", which nothing in it makes";
    return {};
}

}  // namespace

std::string faultOf(const ::onnx::ModelProto& model)
{
    if (!model.has_graph())
        return "it has no graph";
    if (model.opset_import_size() == 0)
        return "it asks for no opset";
    return faultIn(model.graph(), nullptr);
}

}  // namespace calibscope::model
