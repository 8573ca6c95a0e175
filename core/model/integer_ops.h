// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace onnx {
class NodeProto;
}

namespace calibscope::model {

/// Where a node has integers, and what they stand for: places among its inputs.
struct IntegerPlaces
{
    int integers = 0;     ///< of a result: among the outputs
    int scale = -1;       ///< -1: in none of its inputs
    int zeroPoint = -1;   ///< likewise
    bool isLast = false;  ///< scales of a weight are along its last axis, whatever the float
                          ///< operator's weight has there
};

/// An operator that takes or gives integers in place of floats.
struct IntegerOp
{
    std::string_view floatOp;             ///< that it computes: "Conv"
    std::vector<IntegerPlaces> operands;  ///< in the order of the float operator's
    std::optional<IntegerPlaces> result;
};

/// Operands and result of such a node, by ONNX's operators (QLinearConv, QLinearMatMul, ConvInteger,
/// MatMulInteger) and docs/ContribOperators.md of ONNX Runtime (QGemm, QLinearAdd and its like);
/// nothing for any other. Places may lie behind the inputs that the node has.
[[nodiscard]] std::optional<IntegerOp> integerOp(const ::onnx::NodeProto& node);

}  // namespace calibscope::model
