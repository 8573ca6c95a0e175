// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/integer_ops.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <iterator>

namespace calibscope::model {

namespace {

struct NamedIntegerOp
{
    std::string_view name;
    IntegerOp op;
};

const std::vector<NamedIntegerOp>& integerOps()
{
    const std::vector<IntegerPlaces> one{{0, 1, 2}};
    const std::vector<IntegerPlaces> two{{0, 1, 2}, {3, 4, 5}};
    const std::vector<IntegerPlaces> unscaled{{0, -1, 2}, {1, -1, 3}};
    const IntegerPlaces behindOne{0, 3, 4};
    const IntegerPlaces behindTwo{0, 6, 7};
    static const std::vector<NamedIntegerOp> all{
        {"QLinearConv", {"Conv", two, behindTwo}},
        {"QLinearMatMul", {"MatMul", two, behindTwo}},
        {"ConvInteger", {"Conv", unscaled, {}}},
        {"MatMulInteger", {"MatMul", unscaled, {}}},
        {"QGemm", {"Gemm", two, IntegerPlaces{0, 7, 8}}},  // behind the bias
        {"QLinearAdd", {"Add", two, behindTwo}},
        {"QLinearMul", {"Mul", two, behindTwo}},
        {"QLinearAveragePool", {"AveragePool", one, behindOne}},
        {"QLinearGlobalAveragePool", {"GlobalAveragePool", one, behindOne}},
        {"QLinearLeakyRelu", {"LeakyRelu", one, behindOne}},
        {"QLinearReduceMean", {"ReduceMean", one, behindOne}},
        {"QLinearSigmoid", {"Sigmoid", one, behindOne}},
        {"QLinearSoftmax", {"Softmax", one, behindOne}},
        {"QLinearWhere", {"Where", {{1, 2, 3}, {4, 5, 6}}, IntegerPlaces{0, 7, 8}}},
        {"MatMulIntegerToFloat", {"MatMul", {{0, 2, 4}, {1, 3, 5}}, {}}},
        {"DynamicQuantizeMatMul", {"MatMul", {{}, {1, 2, 3}}, {}}},
        {"DynamicQuantizeLSTM", {"LSTM", {{}, {1, 8, 9, true}, {2, 10, 11, true}}, {}}},
        {"QAttention", {"Attention", {{0, 3, 6}, {1, 4, 7, true}}, {}}},
    };
    return all;
}

/// Its operands follow the result's scale and zero point, three inputs each.
IntegerOp concatenation(const ::onnx::NodeProto& node)
{
    IntegerOp op{.floatOp = "Concat", .operands = {}, .result = IntegerPlaces{0, 0, 1}};
    for (int input = 2; input + 2 < node.input_size(); input += 3)
        op.operands.push_back({input, input + 1, input + 2});
    return op;
}

}  // namespace

std::optional<IntegerOp> integerOp(const ::onnx::NodeProto& node)
{
    if (node.op_type() == "QLinearConcat")
        return concatenation(node);
    const auto found = std::ranges::find(integerOps(), node.op_type(), &NamedIntegerOp::name);
    return found == integerOps().end() ? std::nullopt : std::optional(found->op);
}

}  // namespace calibscope::model
