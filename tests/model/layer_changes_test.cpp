// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_changes.h"

#include "core/model/check_model.h"
#include "core/model/quantize_model.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/onnx_model.h"
#include "tests/support/quantize_cases.h"

#include <algorithm>

namespace layer_changes_test {

using namespace calibscope;
using namespace calibscope::model;
using test::OnnxGraph;

bool has(const ::onnx::ModelProto& model, const std::string& name)
{
    return std::ranges::any_of(model.graph().initializer(),
                               [&](const auto& tensor) { return tensor.name() == name; });
}

const ::onnx::NodeProto& maker(const ::onnx::ModelProto& model, const std::string& output)
{
    const auto found = std::ranges::find_if(
        model.graph().node(), [&](const auto& node) { return node.output(0) == output; });
    REQUIRE(found != model.graph().node().end());
    return *found;
}

Findings shift(::onnx::ModelProto& model, const std::string& output, const std::vector<double>& by)
{
    const std::vector<LayerChange> changes{{.output = output, .biasShift = by}};
    return shiftBiases(model, changes, "m.onnx", {});
}

OnnxGraph conv(const std::vector<std::string>& inputs)
{
    return OnnxGraph()
        .input("x", {1, 2, 3, 3})
        .weight("w", {3, 2, 1, 1})
        .floats("b", {3}, {1.0F, -2.0F, 0.5F})
        .node("Conv", inputs, {"y"});
}

OnnxGraph product(const std::vector<std::string>& inputs = {"x", "w"})
{
    return OnnxGraph()
        .input("x", {4, 2})
        .weight("w", {2, 3})
        .floats("b", {3}, {1.0F, -2.0F, 0.5F})
        .node("MatMul", inputs, {"p"});
}

TEST_CASE("a convolution's bias is replaced by one with the shift")
{
    ::onnx::ModelProto model = conv({"x", "w", "b"}).output("y", {1, 3, 3, 3}).model();
    CHECK(shift(model, "y", {0.25, 0.0, -0.5}).empty());
    CHECK(maker(model, "y").input(2) == "b_improved");
    CHECK(test::initializerValues(model, "b_improved") == std::vector<float>{1.25F, -2.0F, 0.0F});
    CHECK_FALSE(has(model, "b"));
}

TEST_CASE("a layer without bias gets one")
{
    ::onnx::ModelProto model = conv({"x", "w"}).output("y", {1, 3, 3, 3}).model();
    CHECK(shift(model, "y", {0.25, 0.0, -0.5}).empty());
    CHECK(maker(model, "y").input(2) == "y_bias");
    CHECK(test::initializerValues(model, "y_bias") == std::vector<float>{0.25F, 0.0F, -0.5F});
    ::onnx::ModelProto empty = conv({"x", "w", ""}).output("y", {1, 3, 3, 3}).model();
    CHECK(shift(empty, "y", {0.25, 0.0, -0.5}).empty());
    CHECK(maker(empty, "y").input(2) == "y_bias");
}

TEST_CASE("a layer without bias takes as many values as it has channels, no others")
{
    ::onnx::ModelProto model = conv({"x", "w"}).output("y", {1, 3, 3, 3}).model();
    const std::string before = model.SerializeAsString();
    const Findings refused = shift(model, "y", {0.25, -0.5});
    REQUIRE(refused.size() == 1);
    CHECK_THAT(refused.front().text, test::containsText("it has 3 channels, and 2 values"));
    CHECK(model.SerializeAsString() == before);
}

TEST_CASE("a bias that two layers share is copied for the one that changes")
{
    ::onnx::ModelProto model = conv({"x", "w", "b"})
                                   .node("Conv", {"x", "w", "b"}, {"z"})
                                   .output("y", {1, 3, 3, 3})
                                   .output("z", {1, 3, 3, 3})
                                   .model();
    CHECK(shift(model, "y", {1.0, 1.0, 1.0}).empty());
    CHECK(maker(model, "y").input(2) == "b_improved");
    CHECK(maker(model, "z").input(2) == "b");
    CHECK(test::initializerValues(model, "b") == std::vector<float>{1.0F, -2.0F, 0.5F});
}

TEST_CASE("a Gemm's shift is divided by its beta")
{
    const auto gemm = [](float beta, const std::vector<float>& bias) {
        return OnnxGraph()
            .input("x", {4, 2})
            .weight("w", {2, 3})
            .floats("b", {static_cast<std::int64_t>(bias.size())}, bias)
            .node("Gemm", {"x", "w", "b"}, {"y"})
            .withNumber("beta", beta)
            .output("y", {4, 3})
            .model();
    };
    ::onnx::ModelProto doubled = gemm(2.0F, {1.0F, 2.0F, 3.0F});
    CHECK(shift(doubled, "y", {1.0, 0.0, -1.0}).empty());
    CHECK(test::initializerValues(doubled, "b_improved") == std::vector<float>{1.5F, 2.0F, 2.5F});
    ::onnx::ModelProto scalar = gemm(1.0F, {1.0F});
    CHECK(shift(scalar, "y", {1.0, 0.0, -1.0}).empty());
    CHECK(test::initializerValues(scalar, "b_improved") == std::vector<float>{2.0F, 1.0F, 0.0F});
    ::onnx::ModelProto none = gemm(0.0F, {1.0F, 2.0F, 3.0F});
    CHECK(shift(none, "y", {1.0, 0.0, -1.0}).empty());
    CHECK(maker(none, "y").op_type() == "Add");
    CHECK(maker(none, "y_unshifted").op_type() == "Gemm");
}

TEST_CASE("the Add behind a MatMul takes the shift, or one is added under the result's name")
{
    ::onnx::ModelProto added = product().node("Add", {"b", "p"}, {"y"}).output("y", {4, 3}).model();
    CHECK(shift(added, "p", {0.25, 0.0, -0.5}).empty());
    CHECK(maker(added, "y").input(0) == "b_improved");
    CHECK(test::initializerValues(added, "b_improved") == std::vector<float>{1.25F, -2.0F, 0.0F});
    ::onnx::ModelProto bare = product().node("Relu", {"p"}, {"y"}).output("y", {4, 3}).model();
    CHECK(shift(bare, "p", {0.25, 0.0, -0.5}).empty());
    CHECK(maker(bare, "p").op_type() == "Add");
    CHECK(maker(bare, "p_unshifted").op_type() == "MatMul");
    CHECK(maker(bare, "y").input(0) == "p");
    CHECK(test::initializerValues(bare, "p_shift") == std::vector<float>{0.25F, 0.0F, -0.5F});
    // Of a weight in front the channels are rows.
    ::onnx::ModelProto front = OnnxGraph()
                                   .input("x", {2, 5})
                                   .weight("w", {3, 2})
                                   .node("MatMul", {"w", "x"}, {"y"})
                                   .output("y", {3, 5})
                                   .model();
    CHECK(shift(front, "y", {1.0, 2.0, 3.0}).empty());
    const auto& constant = front.graph().initializer(1);
    CHECK(constant.name() == "y_shift");
    CHECK(constant.dims(0) == 3);
    CHECK(constant.dims(1) == 1);
}

TEST_CASE("what can't be shifted stays, and is an error")
{
    ::onnx::ModelProto computed = conv({"x", "w", "r"}).output("y", {1, 3, 3, 3}).model();
    computed.mutable_graph()->mutable_node()->Clear();
    *computed.mutable_graph()->add_node() = OnnxGraph().node("Relu", {"b"}, {"r"}).proto().node(0);
    *computed.mutable_graph()->add_node() =
        OnnxGraph().node("Conv", {"x", "w", "r"}, {"y"}).proto().node(0);
    const std::string before = computed.SerializeAsString();
    const Findings refused = shift(computed, "y", {1.0, 2.0, 3.0});
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].level == FindingLevel::Error);
    CHECK(refused[0].text == "`y`: its bias is not improved: its bias is not a constant of float32 "
                             "with 3 values");
    CHECK(computed.SerializeAsString() == before);
    CHECK(shift(computed, "nowhere", {1.0}).front().text ==
          "`nowhere`: its bias is not improved: no layer of the model makes it");
    CHECK(shift(computed, "r", {1.0}).size() == 1);
}

TEST_CASE("without shifts the model stays as it is, byte for byte")
{
    ::onnx::ModelProto model = conv({"x", "w", "b"}).output("y", {1, 3, 3, 3}).model();
    const std::string before = model.SerializeAsString();
    const std::vector<LayerChange> changes{{.output = "y", .isFloat = true}};
    CHECK(shiftBiases(model, changes, "m.onnx", {}).empty());
    CHECK(model.SerializeAsString() == before);
}

TEST_CASE("a layer that stays float has no pair and keeps its weight")
{
    test::QuantizeCase one = test::quantizeCase("relu-int8");
    one.options.changes = {{.output = "c", .isFloat = true}};
    const QuantizedModel written = quantizeModel(one.model, one.scales, one.options, "m.onnx");
    CHECK(written.weights.empty());
    CHECK(maker(one.model, "c").input(0) == "x");
    CHECK(maker(one.model, "c").input(1) == "w");
    const auto chosen = std::ranges::find(written.lints, "chosen-float", &Finding::id);
    REQUIRE(chosen != written.lints.end());
    CHECK(chosen->text == "`c`: its layer stays float, as was chosen");
    CHECK(std::ranges::count(written.lints, "float-layer", &Finding::id) == 0);
}

}  // namespace layer_changes_test
