// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantized_tensors.h"

#include "core/base/error.h"
#include "core/model/quantize_model.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/onnx_model.h"
#include "tests/support/quantize_cases.h"
#include "tests/support/quantized_networks.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace quantized_tensors_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

/// A model's tensors, of the file and of its outline.
struct ReadBack
{
    TemporaryFolder folder;
    std::shared_ptr<const ModelFile> file;
    QuantizedTensors found;

    explicit ReadBack(const ::onnx::ModelProto& model)
        : file(ModelFile::readOutline(saved(model, folder.file("q.onnx")), 1U << 24U)),
          found(quantizedTensors(*file))
    {
        const auto whole = ModelFile::read(folder.file("q.onnx"));
        const QuantizedTensors again = quantizedTensors(*whole);
        REQUIRE(again.tensors.size() == found.tensors.size());
        for (std::size_t i = 0; i < found.tensors.size(); ++i) {
            CHECK(again.tensors[i].name == found.tensors[i].name);
            CHECK(again.tensors[i].quantization == found.tensors[i].quantization);
            if (found.tensors[i].isWeight)
                CHECK(dequantizedValues(*whole, again.tensors[i]) == values(i));
        }
    }

    [[nodiscard]] std::vector<float> values(std::size_t tensor) const
    {
        return dequantizedValues(*file, found.tensors.at(tensor));
    }

    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> names;
        for (const QuantizedTensor& tensor : found.tensors)
            names.push_back(tensor.name);
        return names;
    }

    [[nodiscard]] const QuantizedTensor& named(const std::string& name) const
    {
        const auto place = std::ranges::find(found.tensors, name, &QuantizedTensor::name);
        REQUIRE(place != found.tensors.end());
        return *place;
    }
};

QuantizedTensors readBack(const ::onnx::ModelProto& model)
{
    return ReadBack(model).found;
}

TEST_CASE("integers of 4 and 16 bits, and scales of groups, are read as they were written")
{
    for (const std::string name :
         {"groups-of-columns", "groups-of-rows", "weight-4-bits", "activation-16-bits"}) {
        INFO(name);
        QuantizeCase given = quantizeCase(name);
        const QuantizedModel done = quantizeModel(given.model, given.scales, {}, "m.onnx");
        const ReadBack read(given.model);
        CHECK(read.found.leftOut == 0);
        const QuantizedTensor& weight = read.named("w");
        const TensorQuantization& wanted = done.weights.front().scales.quantization;
        CHECK(weight.quantization.scales == wanted.scales);
        CHECK(weight.quantization.zeroPoints == wanted.zeroPoints);
        CHECK(weight.quantization.axis == wanted.axis);
        CHECK(weight.quantization.group == wanted.group);
        CHECK(weight.quantization.format.bits() == wanted.format.bits());
        CHECK(read.named("x").quantization.format.bits() ==
              given.scales.front().quantization.format.bits());
        const std::vector<std::uint64_t>& shape = read.file->tensors()[weight.use.tensor].shape;
        const OnnxGraph::Dims dims(shape.begin(), shape.end());
        std::vector<float> due = OnnxGraph::values(dims);
        fakeQuantize(due, wanted, wanted.axisIn(shape), due);
        CHECK(dequantizedValues(*read.file, weight) == due);
    }
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
    const ReadBack read(model);
    const QuantizedTensors& found = read.found;
    REQUIRE(found.tensors.size() == 1);
    const QuantizedTensor& weight = found.tensors[0];
    CHECK(weight.name == "a/w");
    CHECK(weight.isWeight);
    CHECK(weight.order == 2);  // before the node of place 1
    CHECK(weight.quantization.scales == std::vector<float>{0.5F, 0.25F});
    CHECK(weight.use.op == "Conv");
    CHECK(weight.use.input == 1);
    CHECK(weight.use.channelAxis == 0);
    CHECK(read.values(0) == std::vector<float>{0.5F, 1.0F, 1.5F, 1.0F, -32.25F, 31.5F});
    CHECK(found.leftOut == 0);
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
    CHECK(found.leftOut == 1);
    REQUIRE(found.unusable.size() == 1);  // a scale of 0
    CHECK(found.unusable[0].name == "v");
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
    CHECK(found.leftOut == 1);
}

TEST_CASE("integers of a type that is not read are counted")
{
    ::onnx::ModelProto model = emptyModel(21);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInitializer(graph, floatTensor("s", {}, {0.5F}));
    constexpr int float4 = 23;
    ::onnx::TensorProto tensor = shapedTensor("w_quantized", float4, {2});
    tensor.set_raw_data("\x21");
    addInitializer(graph, tensor);
    addNode(graph, "DequantizeLinear", {"w_quantized", "s"}, {"w_DequantizeLinear_Output"});
    const QuantizedTensors found = readBack(model);
    CHECK(found.tensors.empty());
    CHECK(found.leftOut == 1);
}

TEST_CASE("operators of integers tell the same of a network as pairs around floats")
{
    for (const bool isQdq : {true, false}) {
        INFO(isQdq);
        const ReadBack read(isQdq ? qdqNetwork() : integerNetwork());
        CHECK(read.found.leftOut == 0);
        CHECK(read.found.unusable.empty());
        CHECK(read.names() == std::vector<std::string>{"x", "W", "y", "p", "f", "B", "z"});
        CHECK(read.named("x").op == "Input");
        CHECK(read.named("x").quantization.scales == std::vector<float>{0.0625F});
        CHECK(read.named("x").quantization.zeroPoints == std::vector<double>{114.0});
        CHECK(read.named("x").quantization.format == NumberFormat::integers(0, 255));
        CHECK(read.named("y").op == "Conv");
        CHECK(read.named("y").quantization.scales == std::vector<float>{0.125F});
        CHECK(read.named("p").op == "GlobalAveragePool");
        CHECK(read.named("p").quantization.scales == std::vector<float>{0.03125F});
        CHECK(read.named("f").op == "Flatten");  // in integers: under the scale of what it moves
        CHECK(read.named("f").quantization == read.named("p").quantization);
        CHECK(read.named("z").op == "MatMul");
        CHECK(read.named("z").quantization.scales == std::vector<float>{0.5F});

        const QuantizedTensor& conv = read.named("W");
        CHECK(conv.quantization.axis == 0);
        CHECK(conv.quantization.scales == std::vector<float>{0.5F, 0.25F, 0.125F});
        CHECK(conv.use.op == "Conv");
        CHECK(conv.use.channelAxis == 0);
        CHECK(conv.use.input == 1);
        CHECK(dequantizedValues(*read.file, conv) ==
              std::vector<float>{0.5F, -63.5F, 0.5F, 31.75F, -0.375F, 12.5F});
        CHECK(levelsOf(*read.file, conv) == NumberFormat::integers(-127, 127));

        const QuantizedTensor& product = read.named("B");
        CHECK_FALSE(product.quantization.axis);
        CHECK(product.use.channelAxis == 1);
        CHECK(dequantizedValues(*read.file, product) ==
              std::vector<float>{-16.0F, 15.875F, 0.0F, 1.0F, 2.0F, 3.0F});
        CHECK(levelsOf(*read.file, product) == NumberFormat::integers(-128, 127));
    }
}

TEST_CASE("weights of dynamic quantization have the constant behind the sums for a scale")
{
    const ReadBack read(dynamicNetwork());
    CHECK(read.names() == std::vector<std::string>{"W", "B", "D", "R"});
    CHECK(read.found.leftOut == 1);  // what is quantized as the model runs
    CHECK(read.named("W").quantization.scales == std::vector<float>{0.5F});
    CHECK(read.named("W").use.op == "Conv");
    CHECK(dequantizedValues(*read.file, read.named("W")) ==
          std::vector<float>{-64.0F, 0.0F, 63.5F, 1.0F});  // uint8 around 128
    CHECK(read.named("B").quantization.axis == 1);
    CHECK(dequantizedValues(*read.file, read.named("B")) ==
          std::vector<float>{0.25F, 1.0F, 0.75F, 2.0F});
    CHECK(dequantizedValues(*read.file, read.named("D")) ==
          std::vector<float>{0.25F, 1.0F, 0.75F, 2.0F});
    CHECK(read.named("R").use.op == "LSTM");
    CHECK(read.named("R").quantization.axis == 2);
    CHECK(dequantizedValues(*read.file, read.named("R")) ==
          std::vector<float>{0.25F, 1.0F, 0.75F, 2.0F});
}

TEST_CASE("operators of integers take operands and results where they are documented")
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    for (int scale = 1; scale <= 4; ++scale)
        addInitializer(graph,
                       floatTensor("s" + std::to_string(scale), {}, {static_cast<float>(scale)}));
    addIntegerConstant(graph, "z", {}, {0});
    addIntegerConstant(graph, "B_quantized", {2, 1}, {3, 4});
    addIntegerConstant(graph, "C_quantized", {1}, {100}, ::onnx::TensorProto::INT32);
    ::onnx::NodeProto& gemm =
        addNode(graph, "QGemm",
                {"a_quantized", "s1", "z", "B_quantized", "s2", "z", "C_quantized", "s3", "z"},
                {"g_quantized"});
    setInt(gemm, "transB", 1);
    addNode(graph, "QLinearConcat", {"s4", "z", "g_quantized", "s3", "z", "h_quantized", "s1", "z"},
            {"c_quantized"});
    addNode(graph, "QLinearWhere",
            {"if", "u_quantized", "s1", "z", "v_quantized", "s2", "z", "s3", "z"}, {"w_quantized"});
    addNode(graph, "QLinearSigmoid", {"w_quantized", "s3", "z", "s4", "z"}, {"odd"});
    addNode(graph, "DequantizeLinear", {"odd", "s4", "z"}, {"t"});
    const ReadBack read(model);
    const auto scaleOf = [&](const std::string& name) {
        return read.named(name).quantization.scales.at(0);
    };
    CHECK(read.found.tensors.size() == 9);
    CHECK(scaleOf("a") == 1.0F);
    CHECK(scaleOf("B") == 2.0F);
    CHECK(read.named("B").use.channelAxis == 0);  // transB
    CHECK(scaleOf("g") == 3.0F);
    CHECK(scaleOf("h") == 1.0F);
    CHECK(scaleOf("c") == 4.0F);
    CHECK(scaleOf("u") == 1.0F);
    CHECK(scaleOf("v") == 2.0F);
    CHECK(scaleOf("w") == 3.0F);
    CHECK(scaleOf("t") == 4.0F);  // its integers' name tells nothing
}

}  // namespace quantized_tensors_test
