// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/probed_model.h"

#include "core/base/error.h"
#include "core/model/graph_ports.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/onnx_model.h"
#include "tests/support/quantized_networks.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <string>
#include <vector>

namespace probed_model_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

::onnx::ModelProto twoNodes()
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {0, 4});
    addInput(graph, "w", {4, 4});
    addInitializer(graph, floatTensor("w", {4, 4}, std::vector<float>(16, 0.5F)));
    addOutput(graph, "y", {2, 4});
    addNode(graph, "MatMul", {"x", "w"}, {"/a/b"});
    addNode(graph, "Relu", {"/a/b"}, {"y"});
    return model;
}

TEST_CASE("inputs that are initializers need no feed; an output tells its op")
{
    const ::onnx::ModelProto model = twoNodes();
    const std::vector<GraphPort> inputs = graphInputs(model);
    REQUIRE(inputs.size() == 1);
    CHECK(inputs[0].name == "x");
    CHECK(inputs[0].elementType == ::onnx::TensorProto::FLOAT);
    CHECK(inputs[0].shape == std::vector<std::optional<std::uint64_t>>{std::nullopt, 4});
    const std::vector<GraphPort> outputs = graphOutputs(model);
    REQUIRE(outputs.size() == 1);
    CHECK(outputs[0].op == "Relu");
    CHECK(outputs[0].shape == std::vector<std::optional<std::uint64_t>>{2, 4});
}

TEST_CASE("a Relu or Clip that alone takes a tensor is found, for others keep it")
{
    ::onnx::ModelProto model = twoNodes();
    REQUIRE(onlyClipping(model, "/a/b"));
    CHECK(onlyClipping(model, "/a/b")->name == "y");
    CHECK(onlyClipping(model, "/a/b")->op == "Relu");
    CHECK_FALSE(onlyClipping(model, "x"));
    CHECK_FALSE(onlyClipping(model, "y"));
    ::onnx::ModelProto looked = model;
    addOutput(*looked.mutable_graph(), "/a/b", {0, 4});
    CHECK_FALSE(onlyClipping(looked, "/a/b"));
    addNode(*model.mutable_graph(), "Clip", {"/a/b"}, {"z"});
    CHECK_FALSE(onlyClipping(model, "/a/b"));
}

TEST_CASE("tensors become outputs, once, and what the graph does not have is passed over")
{
    const TemporaryFolder folder;
    const auto model = ModelFile::read(saved(twoNodes(), folder.file("m.onnx")));
    const std::vector<std::string> wanted{"/a/b", "y", "/a/b", "x", "unknown"};
    ::onnx::ModelProto probed;
    REQUIRE(probed.ParseFromString(probedModel(*model, wanted)));
    REQUIRE(probed.graph().output_size() == 2);
    CHECK(probed.graph().output(0).name() == "y");
    CHECK(probed.graph().output(1).name() == "/a/b");
    CHECK(probed.graph().node_size() == 2);
}

TEST_CASE("what goes from operator to operator in integers is dequantized to be looked at")
{
    const TemporaryFolder folder;
    const auto model = ModelFile::read(saved(integerNetwork(), folder.file("q.onnx")));
    const QuantizedTensors found = quantizedTensors(*model);
    const std::vector<std::string> wanted{"y", "f", "z"};
    ::onnx::ModelProto probed;
    REQUIRE(probed.ParseFromString(probedModel(*model, wanted, found.tensors)));
    const ::onnx::GraphProto& graph = probed.graph();
    REQUIRE(graph.output_size() == 3);
    CHECK(graph.output(0).name() == "z");
    CHECK(graph.output(1).name() == "y");
    CHECK(graph.output(2).name() == "f");
    const int before = model->proto().graph().node_size();
    REQUIRE(graph.node_size() == before + 2);
    const ::onnx::NodeProto& node = graph.node(before);
    CHECK(node.op_type() == "DequantizeLinear");
    CHECK(std::vector<std::string>(node.input().begin(), node.input().end()) ==
          std::vector<std::string>{"y_quantized", "y_scale", "y_zero_point"});
    CHECK(node.output(0) == "y");
    CHECK(graph.node(before + 1).input(1) == "p_scale");
}

TEST_CASE("a size that two layers ask for is one output")
{
    const TemporaryFolder folder;
    const auto model = ModelFile::read(saved(twoNodes(), folder.file("m.onnx")));
    const std::vector<std::string> sized{"y", "y"};
    ::onnx::ModelProto probed;
    REQUIRE(probed.ParseFromString(probedModel(*model, {}, {}, sized)));
    CHECK(std::ranges::count(probed.graph().output(), sizeName("y"),
                             [](const auto& output) { return output.name(); }) == 1);
}

TEST_CASE("data of other files is brought in")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = twoNodes();
    ::onnx::TensorProto& weight = *model.mutable_graph()->mutable_initializer(0);
    weight.clear_float_data();
    setExternal(weight, {{"location", "w.bin"}, {"offset", "4"}, {"length", "64"}});
    const std::string bytes(64, 'x');
    writeBytes(folder.file("w.bin"), "none" + bytes + "more");
    const auto file = ModelFile::read(saved(model, folder.file("m.onnx")));
    ::onnx::ModelProto probed;
    REQUIRE(probed.ParseFromString(probedModel(*file, {})));
    const ::onnx::TensorProto& inside = probed.graph().initializer(0);
    CHECK(inside.raw_data() == bytes);
    CHECK_FALSE(inside.has_data_location());
    CHECK(inside.external_data_size() == 0);
}

}  // namespace probed_model_test
