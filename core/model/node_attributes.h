// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace onnx {
class AttributeProto;
class NodeProto;
}  // namespace onnx

namespace calibscope::model {

/// The node is of ONNX's own operators, and of that type.
[[nodiscard]] bool isOp(const ::onnx::NodeProto& node, std::string_view type);
/// The node's own name; without one its first output's, by which people know it.
[[nodiscard]] std::string_view nodeText(const ::onnx::NodeProto& node);
/// Its attribute of that name; nothing if it has none.
[[nodiscard]] const ::onnx::AttributeProto* attributeNamed(const ::onnx::NodeProto& node,
                                                           std::string_view name);
/// The value of an attribute, or what the operator takes without it.
[[nodiscard]] std::int64_t intAttribute(const ::onnx::NodeProto& node, std::string_view name,
                                        std::int64_t absent);
[[nodiscard]] float floatAttribute(const ::onnx::NodeProto& node, std::string_view name,
                                   float absent);
[[nodiscard]] std::string_view textAttribute(const ::onnx::NodeProto& node, std::string_view name,
                                             std::string_view absent);
/// Gives the node another attribute.
void setInteger(::onnx::NodeProto& node, const std::string& name, std::int64_t value);

}  // namespace calibscope::model
