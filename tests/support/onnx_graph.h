// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

namespace calibscope::test {

/// Builds a graph of a model node by node; the ways to set an attribute are those that tests need.
class OnnxGraph
{
public:
    using Dims = std::vector<std::int64_t>;

    OnnxGraph() { m_graph.set_name("graph"); }

    OnnxGraph& input(const std::string& name, const Dims& dims,
                     int type = ::onnx::TensorProto::FLOAT)
    {
        setInfo(*m_graph.add_input(), name, dims, type);
        return *this;
    }
    OnnxGraph& output(const std::string& name, const Dims& dims,
                      int type = ::onnx::TensorProto::FLOAT)
    {
        setInfo(*m_graph.add_output(), name, dims, type);
        return *this;
    }
    OnnxGraph& shape(const std::string& name, const Dims& dims)
    {
        setInfo(*m_graph.add_value_info(), name, dims, ::onnx::TensorProto::FLOAT);
        return *this;
    }
    OnnxGraph& floats(const std::string& name, const Dims& dims, const std::vector<float>& values)
    {
        ::onnx::TensorProto& tensor = *m_graph.add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(::onnx::TensorProto::FLOAT);
        for (const std::int64_t dim : dims)
            tensor.add_dims(dim);
        for (const float value : values)
            tensor.add_float_data(value);
        return *this;
    }
    /// Numbers of which no two channels along any axis are alike: a sawtooth with a step that is no
    /// divisor, larger for later values.
    OnnxGraph& weight(const std::string& name, const Dims& dims)
    {
        return floats(name, dims, values(dims));
    }
    static std::vector<float> values(const Dims& dims)
    {
        const std::int64_t count =
            std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies{});
        std::vector<float> all;
        for (std::int64_t i = 0; i < count; ++i)
            all.push_back((static_cast<float>(i * 37 % 101) - 50.0F) / 64.0F *
                          (1.0F + static_cast<float>(i) / static_cast<float>(count)));
        return all;
    }
    OnnxGraph& integers(const std::string& name, const Dims& dims, const Dims& values)
    {
        ::onnx::TensorProto& tensor = *m_graph.add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(::onnx::TensorProto::INT64);
        for (const std::int64_t dim : dims)
            tensor.add_dims(dim);
        for (const std::int64_t value : values)
            tensor.add_int64_data(value);
        return *this;
    }
    /// The attributes that follow belong to it. Its name is its first output's with "_node" behind.
    OnnxGraph& node(const std::string& type, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs)
    {
        ::onnx::NodeProto& node = *m_graph.add_node();
        node.set_op_type(type);
        node.set_name(outputs.front() + "_node");
        for (const std::string& input : inputs)
            node.add_input(input);
        for (const std::string& output : outputs)
            node.add_output(output);
        return *this;
    }
    OnnxGraph& named(const std::string& name)
    {
        lastNode().set_name(name);
        return *this;
    }
    OnnxGraph& with(const std::string& name, std::int64_t value)
    {
        ::onnx::AttributeProto& attribute = addAttribute(name, ::onnx::AttributeProto::INT);
        attribute.set_i(value);
        return *this;
    }
    OnnxGraph& with(const std::string& name, const Dims& values)
    {
        ::onnx::AttributeProto& attribute = addAttribute(name, ::onnx::AttributeProto::INTS);
        for (const std::int64_t value : values)
            attribute.add_ints(value);
        return *this;
    }
    OnnxGraph& withNumber(const std::string& name, float value)
    {
        ::onnx::AttributeProto& attribute = addAttribute(name, ::onnx::AttributeProto::FLOAT);
        attribute.set_f(value);
        return *this;
    }
    OnnxGraph& withText(const std::string& name, const std::string& value)
    {
        ::onnx::AttributeProto& attribute = addAttribute(name, ::onnx::AttributeProto::STRING);
        attribute.set_s(value);
        return *this;
    }
    OnnxGraph& withTensor(const std::string& name, const Dims& dims,
                          const std::vector<float>& values)
    {
        OnnxGraph holder;
        holder.floats("", dims, values);
        ::onnx::AttributeProto& attribute = addAttribute(name, ::onnx::AttributeProto::TENSOR);
        *attribute.mutable_t() = holder.m_graph.initializer(0);
        attribute.mutable_t()->clear_name();
        return *this;
    }
    OnnxGraph& with(const std::string& name, const OnnxGraph& inner)
    {
        ::onnx::AttributeProto& attribute = addAttribute(name, ::onnx::AttributeProto::GRAPH);
        *attribute.mutable_g() = inner.m_graph;
        attribute.mutable_g()->set_name(name);
        return *this;
    }

    [[nodiscard]] ::onnx::GraphProto& proto() { return m_graph; }
    [[nodiscard]] ::onnx::ModelProto model(int opset = 13, int ir = 7) const
    {
        ::onnx::ModelProto model;
        model.set_ir_version(ir);
        model.set_producer_name("test");
        ::onnx::OperatorSetIdProto& import = *model.add_opset_import();
        import.set_domain("");
        import.set_version(opset);
        *model.mutable_graph() = m_graph;
        return model;
    }

private:
    static void setInfo(::onnx::ValueInfoProto& info, const std::string& name, const Dims& dims,
                        int type)
    {
        info.set_name(name);
        ::onnx::TypeProto_Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
        tensor.set_elem_type(type);
        tensor.mutable_shape();
        for (const std::int64_t dim : dims)
            tensor.mutable_shape()->add_dim()->set_dim_value(dim);
    }
    [[nodiscard]] ::onnx::NodeProto& lastNode()
    {
        return *m_graph.mutable_node(m_graph.node_size() - 1);
    }
    ::onnx::AttributeProto& addAttribute(const std::string& name,
                                         ::onnx::AttributeProto::AttributeType type)
    {
        ::onnx::AttributeProto& attribute = *lastNode().add_attribute();
        attribute.set_name(name);
        attribute.set_type(type);
        return attribute;
    }

    ::onnx::GraphProto m_graph;
};

}  // namespace calibscope::test
