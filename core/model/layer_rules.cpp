// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_rules.h"

#include "core/model/node_attributes.h"
#include "core/recipes/propagation.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace calibscope::model {

namespace {

bool isOneOf(const ::onnx::NodeProto& node, std::initializer_list<std::string_view> types)
{
    return std::ranges::any_of(types, [&](std::string_view type) { return isOp(node, type); });
}

bool isRecurrent(const ::onnx::NodeProto& node)
{
    return isOneOf(node, {"LSTM", "GRU", "RNN"});
}

}  // namespace

bool isLayer(const ::onnx::NodeProto& node)
{
    return isOneOf(node, {"Conv", "ConvTranspose", "Gemm", "MatMul"});
}

bool isOperand(const ::onnx::NodeProto& node, int input)
{
    return isLayer(node) && (input == 0 || input == 1);
}

bool isWeightInput(const ::onnx::NodeProto& node, int input)
{
    if (isOneOf(node, {"Conv", "ConvTranspose"}))
        return input == 1;
    if (isRecurrent(node))
        return input == 1 || input == 2;
    return isOperand(node, input) || (isOp(node, "Gather") && input == 0);
}

std::optional<int> channelAxisAt(const ::onnx::NodeProto& node, int input, std::size_t rank)
{
    int axis = 0;
    if (isOp(node, "MatMul"))
        axis = static_cast<int>(rank) - (input == 0 ? 2 : 1);
    else if (isOp(node, "Gemm"))
        axis = input == 0 ? (intAttribute(node, "transA", 0) != 0 ? 1 : 0)
                          : (intAttribute(node, "transB", 0) != 0 ? 0 : 1);
    else if (isOp(node, "ConvTranspose") || isRecurrent(node))
        axis = 1;
    const bool isVector = isOp(node, "MatMul") && rank < 2;
    if (isVector || axis < 0 || axis >= static_cast<int>(rank))
        return std::nullopt;
    return axis;
}

std::optional<int> biasInput(const ::onnx::NodeProto& node)
{
    const bool isScaled = isOp(node, "Gemm") && (floatAttribute(node, "alpha", 1.0F) != 1.0F ||
                                                 floatAttribute(node, "beta", 1.0F) != 1.0F);
    if (!isOneOf(node, {"Conv", "ConvTranspose", "Gemm"}) || isScaled || node.input_size() < 3 ||
        node.input(2).empty())
        return std::nullopt;
    return 2;
}

bool movesValues(const ::onnx::NodeProto& node)
{
    if (!node.domain().empty() && node.domain() != "ai.onnx")
        return false;
    if (isOp(node, "Pad"))
        return textAttribute(node, "mode", "constant") != "constant" || node.input_size() < 3 ||
               node.input(2).empty();
    return keepsRange(node.op_type()) || isOneOf(node, {"Slice", "Gather", "Split"});
}

}  // namespace calibscope::model
