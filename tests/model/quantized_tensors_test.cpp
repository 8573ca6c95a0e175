// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantized_tensors.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_model.h"
#include "tests/support/temporary_folder.h"

#include <string>
#include <vector>

namespace quantized_tensors_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

void addIntegerConstant(::onnx::GraphProto& graph, const std::string& name,
                        const std::vector<std::int64_t>& shape, const std::vector<int>& values,
                        int dataType = ::onnx::TensorProto::INT8)
{
    ::onnx::TensorProto tensor = shapedTensor(name, dataType, shape);
    for (const int value : values)
        tensor.add_int32_data(value);
    addInitializer(graph, tensor);
}

QuantizedTensors readBack(const ::onnx::ModelProto& model)
{
    const TemporaryFolder folder;
    return quantizedTensors(*ModelFile::read(saved(model, folder.file("q.onnx"))));
}

TEST_CASE("a weight's integers stand for scale (q - z), channel by channel along the axis")
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInitializer(graph, floatTensor("s", {2}, {0.5F, 0.25F}));
    addIntegerConstant(graph, "z", {2}, {0, 1});
    addIntegerConstant(graph, "a/w_quantized", {2, 3}, {1, 2, 3, 5, -128, 127});
    ::onnx::NodeProto& node = addNode(graph, "DequantizeLinear", {"a/w_quantized", "s", "z"},
                                      {"a/w_DequantizeLinear_Output"});
    setInt(node, "axis", -2);
    addNode(graph, "Conv", {"x", "a/w_DequantizeLinear_Output"}, {"y"});
    const QuantizedTensors found = readBack(model);
    REQUIRE(found.tensors.size() == 1);
    const QuantizedTensor& weight = found.tensors[0];
    CHECK(weight.name == "a/w");
    CHECK(weight.isWeight);
    CHECK(weight.order == 2);  // before the node of place 1
    CHECK(weight.quantization.scales == std::vector<float>{0.5F, 0.25F});
    CHECK(weight.values == std::vector<float>{0.5F, 1.0F, 1.5F, 1.0F, -32.25F, 31.5F});
    CHECK(found.notUnderstood == 0);
}

TEST_CASE("an activation's levels are those of its zero point, uint8 without one")
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 4});
    addInitializer(graph, floatTensor("s", {}, {0.5F}));
    addIntegerConstant(graph, "z", {}, {-3});
    addNode(graph, "QuantizeLinear", {"x", "s", "z"}, {"xq"});
    addNode(graph, "DequantizeLinear", {"xq", "s", "z"}, {"xd"});
    addNode(graph, "Relu", {"xd"}, {"r"});
    addNode(graph, "QuantizeLinear", {"r", "s"}, {"rq"});
    addNode(graph, "QuantizeLinear", {"r", "s"}, {"again"});
    const QuantizedTensors found = readBack(model);
    REQUIRE(found.tensors.size() == 2);
    CHECK(found.tensors[0].name == "x");
    CHECK(found.tensors[0].op == "Input");
    CHECK(found.tensors[0].order == -1);
    CHECK(found.tensors[0].quantization.zeroPoints == std::vector<double>{-3.0});
    CHECK(found.tensors[0].quantization.format.low() == -128);
    CHECK(found.tensors[1].name == "r");
    CHECK(found.tensors[1].op == "Relu");
    CHECK(found.tensors[1].order == 5);
    CHECK(found.tensors[1].quantization.format.low() == 0);
    CHECK(found.tensors[1].quantization.format.high() == 255);
}

TEST_CASE("biases are passed over, inner graphs and computed scales are counted")
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInitializer(graph, floatTensor("s", {}, {0.5F}));
    addInitializer(graph, floatTensor("zero", {}, {0.0F}));
    addIntegerConstant(graph, "b_quantized", {2}, {100000, 2}, ::onnx::TensorProto::INT32);
    addNode(graph, "DequantizeLinear", {"b_quantized", "s"}, {"b_DequantizeLinear_Output"});
    addNode(graph, "QuantizeLinear", {"x", "computed"}, {"xq"});
    addNode(graph, "QuantizeLinear", {"v", "zero"}, {"vq"});
    ::onnx::NodeProto& branch = addNode(graph, "If", {"c"}, {"y"});
    ::onnx::GraphProto& inner = addGraph(branch, "then_branch");
    addNode(inner, "QuantizeLinear", {"a", "s"}, {"aq"});
    addNode(inner, "DequantizeLinear", {"aq", "s"}, {"ad"});
    const QuantizedTensors found = readBack(model);
    CHECK(found.tensors.empty());
    CHECK(found.inInnerGraphs == 1);
    CHECK(found.notUnderstood == 2);
}

TEST_CASE("scales that do not fit a weight's shape are not understood")
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInitializer(graph, floatTensor("s", {3}, {1.0F, 1.0F, 1.0F}));
    addIntegerConstant(graph, "w_quantized", {2, 2}, {1, 2, 3, 4});
    addNode(graph, "DequantizeLinear", {"w_quantized", "s"}, {"w_DequantizeLinear_Output"});
    const QuantizedTensors found = readBack(model);
    CHECK(found.tensors.empty());
    CHECK(found.notUnderstood == 1);
}

}  // namespace quantized_tensors_test
