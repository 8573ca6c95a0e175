// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/new_names.h"

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

void collect(const ::onnx::GraphProto& graph, std::unordered_set<std::string>& names)
{
    for (const ::onnx::ValueInfoProto& value : graph.input())
        names.insert(value.name());
    for (const ::onnx::ValueInfoProto& value : graph.output())
        names.insert(value.name());
    for (const ::onnx::ValueInfoProto& value : graph.value_info())
        names.insert(value.name());
    for (const ::onnx::TensorProto& tensor : graph.initializer())
        names.insert(tensor.name());
    for (const ::onnx::SparseTensorProto& tensor : graph.sparse_initializer())
        names.insert(tensor.values().name());
    for (const ::onnx::NodeProto& node : graph.node()) {
        names.insert(node.name());
        names.insert(node.input().begin(), node.input().end());
        names.insert(node.output().begin(), node.output().end());
        for (const ::onnx::AttributeProto& attribute : node.attribute()) {
            if (attribute.has_g())
                collect(attribute.g(), names);
            for (const ::onnx::GraphProto& inner : attribute.graphs())
                collect(inner, names);
        }
    }
}

}  // namespace

NewNames::NewNames(const ::onnx::ModelProto& model)
{
    collect(model.graph(), m_taken);
}

std::string NewNames::take(const std::string& wanted)
{
    if (m_taken.insert(wanted).second)
        return wanted;
    int& number = m_next.try_emplace(wanted, 2).first->second;
    std::string name;
    do
        name = wanted + "_" + std::to_string(number++);
    while (!m_taken.insert(name).second);
    return name;
}

}  // namespace calibscope::model
