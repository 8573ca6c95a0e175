// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

namespace calibscope::test {

/// A model with an empty graph "g" of that opset.
inline ::onnx::ModelProto emptyModel(int opset, int irVersion = 8)
{
    ::onnx::ModelProto model;
    model.set_ir_version(irVersion);
    model.mutable_graph()->set_name("g");
    model.add_opset_import()->set_version(opset);
    return model;
}

/// The float32 values of a constant of the main graph; empty: there is none of that name.
inline std::vector<float> initializerValues(const ::onnx::ModelProto& model,
                                            const std::string& name)
{
    for (const ::onnx::TensorProto& tensor : model.graph().initializer())
        if (tensor.name() == name) {
            if (tensor.raw_data().empty())
                return {tensor.float_data().begin(), tensor.float_data().end()};
            std::vector<float> values(tensor.raw_data().size() / sizeof(float));
            std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
            return values;
        }
    return {};
}

inline ::onnx::NodeProto& addNode(::onnx::GraphProto& graph, const std::string& op,
                                  const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs)
{
    ::onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(op);
    for (const std::string& input : inputs)
        node.add_input(input);
    for (const std::string& output : outputs)
        node.add_output(output);
    node.set_name(outputs.empty() ? op : "make_" + outputs.front());
    return node;
}

inline ::onnx::AttributeProto& addAttribute(::onnx::NodeProto& node, const std::string& name,
                                            ::onnx::AttributeProto::AttributeType type)
{
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
}

inline void setInt(::onnx::NodeProto& node, const std::string& name, std::int64_t value)
{
    addAttribute(node, name, ::onnx::AttributeProto::INT).set_i(value);
}

inline void setFloat(::onnx::NodeProto& node, const std::string& name, float value)
{
    addAttribute(node, name, ::onnx::AttributeProto::FLOAT).set_f(value);
}

inline void setText(::onnx::NodeProto& node, const std::string& name, const std::string& value)
{
    addAttribute(node, name, ::onnx::AttributeProto::STRING).set_s(value);
}

inline void setInts(::onnx::NodeProto& node, const std::string& name,
                    const std::vector<std::int64_t>& values)
{
    ::onnx::AttributeProto& attribute = addAttribute(node, name, ::onnx::AttributeProto::INTS);
    for (const std::int64_t value : values)
        attribute.add_ints(value);
}

/// The graph of such an attribute, to be filled.
inline ::onnx::GraphProto& addGraph(::onnx::NodeProto& node, const std::string& name)
{
    ::onnx::GraphProto& graph =
        *addAttribute(node, name, ::onnx::AttributeProto::GRAPH).mutable_g();
    graph.set_name(name);
    return graph;
}

inline ::onnx::TensorProto shapedTensor(const std::string& name, int dataType,
                                        const std::vector<std::int64_t>& shape)
{
    ::onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(dataType);
    for (const std::int64_t length : shape)
        tensor.add_dims(length);
    return tensor;
}

inline ::onnx::TensorProto floatTensor(const std::string& name,
                                       const std::vector<std::int64_t>& shape,
                                       const std::vector<float>& values)
{
    ::onnx::TensorProto tensor = shapedTensor(name, ::onnx::TensorProto::FLOAT, shape);
    for (const float value : values)
        tensor.add_float_data(value);
    return tensor;
}

inline ::onnx::TensorProto intTensor(const std::string& name,
                                     const std::vector<std::int64_t>& shape,
                                     const std::vector<std::int64_t>& values)
{
    ::onnx::TensorProto tensor = shapedTensor(name, ::onnx::TensorProto::INT64, shape);
    for (const std::int64_t value : values)
        tensor.add_int64_data(value);
    return tensor;
}

inline void addInitializer(::onnx::GraphProto& graph, const ::onnx::TensorProto& tensor)
{
    *graph.add_initializer() = tensor;
}

inline void addConstant(::onnx::GraphProto& graph, const ::onnx::TensorProto& tensor)
{
    ::onnx::NodeProto& node = addNode(graph, "Constant", {}, {tensor.name()});
    *addAttribute(node, "value", ::onnx::AttributeProto::TENSOR).mutable_t() = tensor;
}

inline ::onnx::ValueInfoProto typedValue(const std::string& name,
                                         const std::vector<std::int64_t>& shape,
                                         int dataType = ::onnx::TensorProto::FLOAT)
{
    ::onnx::ValueInfoProto value;
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(dataType);
    auto& dims = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const std::int64_t length : shape)
        dims.add_dim()->set_dim_value(length);
    return value;
}

inline void addInput(::onnx::GraphProto& graph, const std::string& name,
                     const std::vector<std::int64_t>& shape,
                     int dataType = ::onnx::TensorProto::FLOAT)
{
    *graph.add_input() = typedValue(name, shape, dataType);
}

inline void addOutput(::onnx::GraphProto& graph, const std::string& name,
                      const std::vector<std::int64_t>& shape,
                      int dataType = ::onnx::TensorProto::FLOAT)
{
    *graph.add_output() = typedValue(name, shape, dataType);
}

/// "location", "offset" and the like of a tensor in another file.
inline void setExternal(::onnx::TensorProto& tensor,
                        const std::vector<std::pair<std::string, std::string>>& entries)
{
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : entries) {
        ::onnx::StringStringEntryProto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }
}

/// The path, for use in an expression.
inline std::string saved(const ::onnx::ModelProto& model, const std::string& path)
{
    std::ofstream file(path, std::ios::binary);
    model.SerializeToOstream(&file);
    return path;
}

}  // namespace calibscope::test
