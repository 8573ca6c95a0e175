// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

namespace calibscope::model {

bool isOp(const ::onnx::NodeProto& node, std::string_view type)
{
    return node.op_type() == type && (node.domain().empty() || node.domain() == "ai.onnx");
}

std::string_view nodeText(const ::onnx::NodeProto& node)
{
    if (!node.name().empty())
        return node.name();
    for (const std::string& output : node.output())
        if (!output.empty())
            return output;
    return node.op_type();
}

const ::onnx::AttributeProto* attributeNamed(const ::onnx::NodeProto& node, std::string_view name)
{
    for (const ::onnx::AttributeProto& attribute : node.attribute())
        if (attribute.name() == name)
            return &attribute;
    return nullptr;
}

std::int64_t intAttribute(const ::onnx::NodeProto& node, std::string_view name, std::int64_t absent)
{
    const ::onnx::AttributeProto* attribute = attributeNamed(node, name);
    return attribute != nullptr ? attribute->i() : absent;
}

float floatAttribute(const ::onnx::NodeProto& node, std::string_view name, float absent)
{
    const ::onnx::AttributeProto* attribute = attributeNamed(node, name);
    return attribute != nullptr ? attribute->f() : absent;
}

std::string_view textAttribute(const ::onnx::NodeProto& node, std::string_view name,
                               std::string_view absent)
{
    const ::onnx::AttributeProto* attribute = attributeNamed(node, name);
    return attribute != nullptr ? std::string_view(attribute->s()) : absent;
}

void setInteger(::onnx::NodeProto& node, const std::string& name, std::int64_t value)
{
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::INT);
    attribute.set_i(value);
}

}  // namespace calibscope::model
