// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/type_scope.h"

#include "core/model/node_attributes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

bool isOtherFloat(std::int64_t type)
{
    return type == ::onnx::TensorProto::FLOAT16 || type == ::onnx::TensorProto::DOUBLE ||
           type == ::onnx::TensorProto::BFLOAT16;
}

bool namesOtherFloat(const ::onnx::GraphProto& graph);

bool namesOtherFloat(const ::onnx::AttributeProto& attribute)
{
    const bool isCast = attribute.name() == "to" || attribute.name() == "dtype";
    return (isCast && isOtherFloat(attribute.i())) ||
           (attribute.has_t() && isOtherFloat(attribute.t().data_type())) ||
           (attribute.has_g() && namesOtherFloat(attribute.g())) ||
           std::ranges::any_of(attribute.graphs(), [](const ::onnx::GraphProto& graph) {
               return namesOtherFloat(graph);
           });
}

bool namesOtherFloat(const ::onnx::GraphProto& graph)
{
    const auto isOtherValue = [](const ::onnx::ValueInfoProto& value) {
        return isOtherFloat(value.type().tensor_type().elem_type()) ||
               value.type().has_sequence_type() || value.type().has_optional_type() ||
               value.type().has_map_type();
    };
    return std::ranges::any_of(graph.input(), isOtherValue) ||
           std::ranges::any_of(graph.output(), isOtherValue) ||
           std::ranges::any_of(graph.value_info(), isOtherValue) ||
           std::ranges::any_of(graph.initializer(),
                               [](const ::onnx::TensorProto& tensor) {
                                   return isOtherFloat(tensor.data_type());
                               }) ||
           std::ranges::any_of(graph.node(), [](const ::onnx::NodeProto& node) {
               return std::ranges::any_of(node.attribute(), [](const auto& attribute) {
                   return namesOtherFloat(attribute);
               });
           });
}

// Ops whose first output has the type of their first input, among those that floats pass through.
constexpr std::array sameTypeOps = {
    "Abs",
    "Add",
    "AveragePool",
    "BatchNormalization",
    "Ceil",
    "Clip",
    "Concat",
    "Conv",
    "ConvTranspose",
    "DepthToSpace",
    "Div",
    "Dropout",
    "Elu",
    "Erf",
    "Exp",
    "Expand",
    "Flatten",
    "Floor",
    "Gather",
    "Gemm",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "HardSigmoid",
    "Identity",
    "InstanceNormalization",
    "LRN",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "MatMul",
    "Max",
    "MaxPool",
    "Mean",
    "Min",
    "Mul",
    "Neg",
    "PRelu",
    "Pad",
    "Pow",
    "Reciprocal",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Resize",
    "Selu",
    "Sigmoid",
    "Slice",
    "Softmax",
    "Softplus",
    "SpaceToDepth",
    "Split",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Sum",
    "Tanh",
    "Tile",
    "TopK",
    "Transpose",
    "Unsqueeze",
    "Upsample",
};

}  // namespace

bool isFloat32Only(const ::onnx::ModelProto& model)
{
    return !namesOtherFloat(model.graph());
}

TypeScope::TypeScope(const ::onnx::GraphProto& graph, const TypeScope* outer) : m_outer(outer)
{
    for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()})
        for (const ::onnx::ValueInfoProto& value : *values)
            if (const int type = value.type().tensor_type().elem_type(); type != 0)
                m_types[value.name()] = type;
    for (const ::onnx::TensorProto& tensor : graph.initializer())
        m_types[tensor.name()] = tensor.data_type();
}

void TypeScope::follow(const ::onnx::NodeProto& node)
{
    if (!node.domain().empty() && node.domain() != "ai.onnx")
        return;
    std::optional<int> type;
    const std::string& op = node.op_type();
    if (op == "Cast" && attributeNamed(node, "to") != nullptr)
        type = static_cast<int>(attributeNamed(node, "to")->i());
    else if (op == "Constant" && attributeNamed(node, "value") != nullptr)
        type = attributeNamed(node, "value")->t().data_type();
    else if (std::ranges::find(sameTypeOps, op) != sameTypeOps.end() && node.input_size() > 0)
        type = typeOf(node.input(0));
    else if (op == "Where" && node.input_size() > 1)
        type = typeOf(node.input(1));
    if (!type)
        return;
    for (const std::string& output : node.output())
        if (!output.empty() && (op == "Split" || &output == &node.output(0)))
            m_types.try_emplace(output, *type);
}

std::optional<int> TypeScope::typeOf(const std::string& name) const
{
    for (const TypeScope* scope = this; scope != nullptr; scope = scope->m_outer)
        if (const auto found = scope->m_types.find(name); found != scope->m_types.end())
            return found->second;
    return std::nullopt;
}

}  // namespace calibscope::model
