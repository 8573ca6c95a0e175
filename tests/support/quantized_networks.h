// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/onnx_model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::test {

inline void addIntegerConstant(::onnx::GraphProto& graph, const std::string& name,
                               const std::vector<std::int64_t>& shape,
                               const std::vector<int>& values,
                               int dataType = ::onnx::TensorProto::INT8)
{
    ::onnx::TensorProto tensor = shapedTensor(name, dataType, shape);
    for (const int value : values)
        tensor.add_int32_data(value);
    addInitializer(graph, tensor);
}

/// NAME_scale and NAME_zero_point of an activation in uint8, as ONNX Runtime's quantizer names them.
inline void addScale(::onnx::GraphProto& graph, const std::string& name, float scale, int zeroPoint)
{
    addInitializer(graph, floatTensor(name + "_scale", {}, {scale}));
    addIntegerConstant(graph, name + "_zero_point", {}, {zeroPoint}, ::onnx::TensorProto::UINT8);
}

/// What both forms of z = MatMul(f = Flatten(p = GlobalAveragePool(y = Conv(x, W, b))), B) keep in
/// common: W with a scale for each channel, B with one, b in int32 under the product of scales.
inline ::onnx::ModelProto quantizedConstants()
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::OperatorSetIdProto& own = *model.add_opset_import();
    own.set_domain("com.microsoft");
    own.set_version(1);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 2, 2, 2});
    addOutput(graph, "z", {1, 2});
    addScale(graph, "x", 0.0625F, 114);
    addScale(graph, "y", 0.125F, 10);
    addScale(graph, "p", 0.03125F, 0);
    addScale(graph, "z", 0.5F, 128);
    addIntegerConstant(graph, "W_quantized", {3, 2, 1, 1}, {1, -127, 2, 127, -3, 100});
    addInitializer(graph, floatTensor("W_scale", {3}, {0.5F, 0.25F, 0.125F}));
    addIntegerConstant(graph, "W_zero_point", {3}, {0, 0, 0});
    addIntegerConstant(graph, "B_quantized", {3, 2}, {-128, 127, 0, 8, 16, 24});
    addInitializer(graph, floatTensor("B_scale", {}, {0.125F}));
    addIntegerConstant(graph, "B_zero_point", {}, {0});
    addIntegerConstant(graph, "b_quantized", {3}, {1000, -2000, 0}, ::onnx::TensorProto::INT32);
    return model;
}

/// A float tensor to integers and back; a graph's output gets another name before.
inline void addPair(::onnx::GraphProto& graph, const std::string& name, const std::string& scaled,
                    bool isOutput = false)
{
    const std::string integers = name + "_QuantizeLinear_Output";
    const std::vector<std::string> by{scaled + "_scale", scaled + "_zero_point"};
    addNode(graph, "QuantizeLinear",
            {isOutput ? name + "_QuantizeLinear_Input" : name, by[0], by[1]}, {integers});
    addNode(graph, "DequantizeLinear", {integers, by[0], by[1]},
            {isOutput ? name : name + "_DequantizeLinear_Output"});
}

inline ::onnx::NodeProto& addDequantized(::onnx::GraphProto& graph, const std::string& name,
                                         const std::string& scaled)
{
    return addNode(graph, "DequantizeLinear",
                   {name + "_quantized", scaled + "_scale", scaled + "_zero_point"},
                   {name + "_DequantizeLinear_Output"});
}

/// In the form QDQ of quantize_static.
inline ::onnx::ModelProto qdqNetwork()
{
    ::onnx::ModelProto model = quantizedConstants();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInitializer(graph, floatTensor("b_quantized_scale", {3}, {0.03125F, 0.015625F, 0.0078125F}));
    addIntegerConstant(graph, "b_quantized_zero_point", {3}, {0, 0, 0}, ::onnx::TensorProto::INT32);
    addPair(graph, "x", "x");
    setInt(addDequantized(graph, "W", "W"), "axis", 0);
    setInt(addDequantized(graph, "b", "b_quantized"), "axis", 0);
    addNode(graph, "Conv",
            {"x_DequantizeLinear_Output", "W_DequantizeLinear_Output", "b_DequantizeLinear_Output"},
            {"y"});
    addPair(graph, "y", "y");
    addNode(graph, "GlobalAveragePool", {"y_DequantizeLinear_Output"}, {"p"});
    addPair(graph, "p", "p");
    addNode(graph, "Flatten", {"p_DequantizeLinear_Output"}, {"f"});
    addPair(graph, "f", "p");
    addDequantized(graph, "B", "B");
    addNode(graph, "MatMul", {"f_DequantizeLinear_Output", "B_DequantizeLinear_Output"},
            {"z_QuantizeLinear_Input"});
    addPair(graph, "z", "z", true);
    return model;
}

/// In the form QOperator of quantize_static.
inline ::onnx::ModelProto integerNetwork()
{
    ::onnx::ModelProto model = quantizedConstants();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addNode(graph, "QuantizeLinear", {"x", "x_scale", "x_zero_point"}, {"x_quantized"});
    addNode(graph, "QLinearConv",
            {"x_quantized", "x_scale", "x_zero_point", "W_quantized", "W_scale", "W_zero_point",
             "y_scale", "y_zero_point", "b_quantized"},
            {"y_quantized"});
    addNode(graph, "QLinearGlobalAveragePool",
            {"y_quantized", "y_scale", "y_zero_point", "p_scale", "p_zero_point"}, {"p_quantized"})
        .set_domain("com.microsoft");
    addNode(graph, "Flatten", {"p_quantized"}, {"f_quantized"});
    addNode(graph, "QLinearMatMul",
            {"f_quantized", "p_scale", "p_zero_point", "B_quantized", "B_scale", "B_zero_point",
             "z_scale", "z_zero_point"},
            {"z_quantized"});
    addNode(graph, "DequantizeLinear", {"z_quantized", "z_scale", "z_zero_point"}, {"z"});
    return model;
}

/// Weights in integers alone, in the forms of quantize_dynamic: W of a Conv, B and D of a MatMul, R
/// of an LSTM.
inline ::onnx::ModelProto dynamicNetwork()
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 4, 1, 1});
    addInitializer(graph, floatTensor("W_scale", {}, {0.5F}));
    addIntegerConstant(graph, "W_quantized", {1, 4, 1, 1}, {0, 128, 255, 130},
                       ::onnx::TensorProto::UINT8);
    addIntegerConstant(graph, "W_zero_point", {}, {128}, ::onnx::TensorProto::UINT8);
    for (const std::string name : {"B", "D", "R"}) {
        const bool isOfLstm = name == "R";
        using Dims = std::vector<std::int64_t>;
        addInitializer(
            graph, floatTensor(name + "_scale", isOfLstm ? Dims{1, 2} : Dims{2}, {0.25F, 0.5F}));
        addIntegerConstant(graph, name + "_zero_point", isOfLstm ? Dims{1, 2} : Dims{2}, {0, 0});
        addIntegerConstant(graph, name + "_quantized", isOfLstm ? Dims{1, 2, 2} : Dims{2, 2},
                           {1, 2, 3, 4});
    }
    addNode(graph, "DynamicQuantizeLinear", {"x"}, {"x_quantized", "x_scale", "x_zero_point"});
    const auto addProduct = [&](const std::string& op, const std::string& weight) {
        addNode(graph, op,
                {"x_quantized", weight + "_quantized", "x_zero_point", weight + "_zero_point"},
                {op + "_sums"});
        addNode(graph, "Cast", {op + "_sums"}, {op + "_cast"});
        addNode(graph, "Mul", {"x_scale", weight + "_scale"}, {op + "_scales"});
        addNode(graph, "Mul", {op + "_cast", op + "_scales"}, {op + "_floats"});
    };
    addProduct("ConvInteger", "W");
    addProduct("MatMulInteger", "B");
    addNode(graph, "DynamicQuantizeMatMul", {"x", "D_quantized", "D_scale", "D_zero_point"}, {"d"});
    addNode(graph, "DynamicQuantizeLSTM",
            {"x", "w", "R_quantized", "", "", "", "", "", "", "", "R_scale", "R_zero_point"},
            {"l"});
    return model;
}

}  // namespace calibscope::test
