// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fold_factors.h"

#include "core/model/check_model.h"
#include "core/model/quantize_model.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/small_run.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fold_factors_test {

using namespace calibscope;
using namespace calibscope::model;
using test::OnnxGraph;
using test::SmallRun;
using test::SmallTensor;

using Names = std::vector<std::string>;

const std::vector<float> factors{1.0F, 4.0F, 0.25F, 2.5F};

/// Constants for what makes t, of four channels, and the layer y = f(t, w).
OnnxGraph graph()
{
    return OnnxGraph()
        .input("x", {2, 4, 2, 1})
        .weight("v", {4, 4, 1, 1})
        .weight("w", {3, 4, 1, 1})
        .floats("b", {4}, {1.0F, -2.0F, 0.5F, 3.0F})
        .floats("channels", {4, 1, 1}, {0.5F, 2.0F, -1.0F, 0.25F})
        .floats("positive", {4}, {0.5F, 2.0F, 1.0F, 0.25F})
        .floats("k", {1}, {0.5F})
        .floats("zero", {}, {0.0F})
        .floats("low", {}, {-0.75F})
        .floats("six", {}, {0.75F});
}

SmallTensor feed(const std::vector<std::size_t>& shape)
{
    SmallTensor tensor{.shape = shape, .values = {}};
    std::size_t count = 1;
    for (const std::size_t length : shape)
        count *= length;
    for (std::size_t i = 0; i < count; ++i)
        tensor.values.push_back(2.0 * std::sin(1.7 * static_cast<double>(i) + 0.4));
    return tensor;
}

/// Largest difference over the rms of the first.
double distance(const SmallTensor& one, const SmallTensor& other)
{
    REQUIRE(one.shape == other.shape);
    double squares = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < one.values.size(); ++i) {
        squares += one.values[i] * one.values[i];
        largest = std::max(largest, std::abs(one.values[i] - other.values[i]));
    }
    return largest / std::sqrt(squares / static_cast<double>(one.values.size()));
}

constexpr double roundingOnly = 1e-5;  // float32 constants

/// Folds into a graph that makes t and y of x: what it computes stays, and t is divided. Returns the
/// names of the activations that changed.
std::set<std::string> folded(const ::onnx::ModelProto& before,
                             const std::vector<std::size_t>& shape, bool areLast)
{
    ::onnx::ModelProto after = before;
    const FoldedModel result = foldFactors(
        after, {{.output = "y", .inputFactors = factors, .takesMul = true}}, "m.onnx", {});
    REQUIRE(result.lints.empty());
    CHECK(faultOf(after) == "");
    const SmallRun one(before, {{"x", feed(shape)}});
    const SmallRun other(after, {{"x", feed(shape)}});
    CHECK(distance(one["y"], other["y"]) < roundingOnly);
    std::set<std::string> names;
    for (const FactoredTensor& tensor : result.activations) {
        names.insert(tensor.name);
        CHECK(tensor.areLast == areLast);
        SmallTensor expected = one[tensor.name];
        const std::size_t run = areLast ? 1 : 2;
        for (std::size_t i = 0; i < expected.values.size(); ++i)
            expected.values[i] *= static_cast<double>(tensor.times[i / run % tensor.times.size()]);
        CHECK(distance(expected, other[tensor.name]) < roundingOnly);
    }
    CHECK(names.contains("t"));
    CHECK_FALSE(result.weights.empty());
    return names;
}

std::set<std::string> foldedConv(OnnxGraph made)
{
    return folded(made.node("Conv", {"t", "w"}, {"y"}).output("y", {2, 3, 2, 1}).model(),
                  {2, 4, 2, 1}, false);
}

TEST_CASE("folds compute the same: constants that multiply")
{
    foldedConv(graph().node("Mul", {"x", "k"}, {"t"}));
    foldedConv(graph().node("Mul", {"channels", "x"}, {"t"}));
    foldedConv(graph().node("Div", {"x", "k"}, {"t"}));
    foldedConv(graph().node("Div", {"x", "channels"}, {"t"}));
    foldedConv(graph().node("Div", {"channels", "x"}, {"t"}));
    foldedConv(graph().node("BatchNormalization", {"x", "b", "b", "b", "positive"}, {"t"}));
}

TEST_CASE("folds compute the same: layers, with and without bias")
{
    foldedConv(graph().node("Conv", {"x", "v", "b"}, {"t"}));
    foldedConv(graph().node("Conv", {"x", "v"}, {"t"}));
    foldedConv(graph().node("ConvTranspose", {"x", "v", "b"}, {"t"}));
    foldedConv(graph()
                   .weight("d", {4, 1, 1, 1})
                   .node("Conv", {"x", "d", "b"}, {"t"})
                   .with("group", std::int64_t{4}));
}

TEST_CASE("folds compute the same: on through what keeps factors, and bounds")
{
    const auto made = [] { return graph().node("Mul", {"x", "k"}, {"m"}); };
    using Set = std::set<std::string>;
    CHECK(foldedConv(made().node("Relu", {"m"}, {"t"})) == Set{"m", "t"});
    foldedConv(made().node("LeakyRelu", {"m"}, {"t"}));
    foldedConv(made().node("Add", {"channels", "m"}, {"t"}));
    foldedConv(made().node("Sub", {"k", "m"}, {"t"}));
    foldedConv(made().node("Max", {"m", "channels"}, {"t"}));
    foldedConv(made().node("Min", {"m", "k"}, {"t"}));
    foldedConv(made().node("Clip", {"m", "zero"}, {"t"}));
    foldedConv(made().node("Clip", {"m", "zero", "six"}, {"t"}));
    foldedConv(made().node("Clip", {"m", "low", "zero"}, {"t"}));
    foldedConv(made().node("Clip", {"m", "low", "six"}, {"t"}));
}

TEST_CASE("folds compute the same: activations multiplied, added and joined")
{
    const auto made = [] {
        return graph()
            .weight("half", {1, 4, 1, 1})
            .weight("rest", {3, 4, 1, 1})
            .node("Mul", {"x", "k"}, {"m"})
            .node("Conv", {"x", "v", "b"}, {"c"})
            .node("Conv", {"x", "half"}, {"first"})
            .node("Conv", {"x", "rest"}, {"behind"})
            .node("Sigmoid", {"x"}, {"s"});
    };
    using Set = std::set<std::string>;
    CHECK(foldedConv(made().node("Mul", {"s", "c"}, {"t"})) == Set{"c", "t"});
    CHECK(foldedConv(made().node("Add", {"m", "c"}, {"t"})) == Set{"c", "m", "t"});
    CHECK(foldedConv(made()
                         .node("Relu", {"behind"}, {"more"})
                         .node("Concat", {"first", "more"}, {"t"})
                         .with("axis", std::int64_t{1})) == Set{"behind", "first", "more", "t"});
}

TEST_CASE("folds compute the same: channels along the last axis")
{
    const auto made = [] {
        return OnnxGraph()
            .input("x", {3, 4})
            .weight("v", {4, 4})
            .floats("b", {4}, {1.0F, -2.0F, 0.5F, 3.0F})
            .floats("k", {}, {0.5F});
    };
    const auto product = [](OnnxGraph before) {
        folded(before.weight("w", {4, 3})
                   .node("MatMul", {"t", "w"}, {"y"})
                   .output("y", {3, 3})
                   .model(17),
               {3, 4}, true);
    };
    product(made().node("Mul", {"x", "k"}, {"t"}));
    product(made().node("MatMul", {"x", "v"}, {"p"}).node("Add", {"p", "b"}, {"t"}));
    product(made().node("Gemm", {"x", "v", "b"}, {"t"}).withNumber("beta", 2.0F));
    product(made().node("Gemm", {"x", "v", "k"}, {"t"}).with("transB", std::int64_t{1}));
    product(made().node("LayerNormalization", {"x", "b", "b"}, {"t"}));
    folded(made()
               .weight("w", {3, 4})
               .node("Mul", {"x", "k"}, {"t"})
               .node("Gemm", {"t", "w"}, {"y"})
               .with("transB", std::int64_t{1})
               .output("y", {3, 3})
               .model(),
           {3, 4}, true);
}

TEST_CASE("a layer of groups multiplies the factors of its group's channels")
{
    folded(graph()
               .weight("u", {6, 2, 1, 1})
               .node("Mul", {"x", "k"}, {"t"})
               .node("Conv", {"t", "u"}, {"y"})
               .with("group", std::int64_t{2})
               .output("y", {2, 6, 2, 1})
               .model(),
           {2, 4, 2, 1}, false);
}

TEST_CASE("a constant that others share is copied, and a weight keeps its name")
{
    ::onnx::ModelProto model = graph()
                                   .node("Mul", {"x", "k"}, {"t"})
                                   .node("Mul", {"x", "k"}, {"z"})
                                   .node("Conv", {"t", "w"}, {"y"})
                                   .output("y", {2, 3, 2, 1})
                                   .output("z", {2, 4, 2, 1})
                                   .model();
    const ::onnx::ModelProto before = model;
    const FoldedModel result =
        foldFactors(model, {{.output = "y", .inputFactors = factors}}, "m.onnx", {});
    CHECK(model.graph().node(0).input(1) == "k_improved");
    CHECK(model.graph().node(1).input(1) == "k");
    CHECK(model.graph().node(2).input(1) == "w");
    const SmallRun one(before, {{"x", feed({2, 4, 2, 1})}});
    const SmallRun other(model, {{"x", feed({2, 4, 2, 1})}});
    CHECK(distance(one["z"], other["z"]) == 0.0);
}

TEST_CASE("shifts of a layer whose output is divided are divided, too")
{
    ::onnx::ModelProto model = graph()
                                   .node("Conv", {"x", "v", "b"}, {"t"})
                                   .node("Conv", {"t", "w"}, {"y"})
                                   .output("y", {2, 3, 2, 1})
                                   .model();
    const FoldedModel result = foldFactors(
        model,
        {{.output = "t",
          .biasShift = {1.0, 1.0, 1.0, 1.0},
          .rounding = {.integers = {}, .quantization = {.scales = {1.0F, 1.0F, 1.0F, 1.0F}}}},
         {.output = "y", .biasShift = {1.0, 1.0, 1.0}, .inputFactors = factors}},
        "m.onnx", {});
    CHECK(result.changes[0].biasShift == std::vector<double>{1.0, 0.25, 4.0, double{1.0F / 2.5F}});
    CHECK(result.changes[0].rounding.quantization.scales ==
          std::vector<float>{1.0F, 0.25F, 4.0F, 1.0F / 2.5F});
    CHECK(result.changes[1].biasShift == std::vector<double>{1.0, 1.0, 1.0});
}

TEST_CASE("layers of inner graphs are divided and rounded in their own graph")
{
    const auto branch = [](float scale) {
        return OnnxGraph()
            .floats("k", {1}, {scale})
            .weight("w", {3, 4, 1, 1})
            .node("Mul", {"x", "k"}, {"t"})
            .node("Conv", {"t", "w"}, {"y"})
            .output("y", {2, 3, 2, 1});
    };
    ::onnx::ModelProto model = OnnxGraph()
                                   .input("x", {2, 4, 2, 1})
                                   .input("which", {}, ::onnx::TensorProto::BOOL)
                                   .node("If", {"which"}, {"z"})
                                   .named("if")
                                   .with("then_branch", branch(0.5F))
                                   .with("else_branch", branch(0.25F))
                                   .output("z", {2, 3, 2, 1})
                                   .model();
    const FoldedModel result =
        foldFactors(model,
                    {{.output = "y",
                      .scope = "if.else_branch",
                      .inputFactors = factors,
                      .rounding = {.integers = std::vector<std::int16_t>(12, 3),
                                   .quantization = {.scales = {0.25F}, .zeroPoints = {1.0}}}}},
                    "m.onnx", {});
    CHECK(result.lints.empty());
    CHECK(result.weights.at({"if.else_branch", "w"}) == std::vector<float>(12, 0.5F));
    const auto scalesOf = [&](int attribute) {
        const ::onnx::GraphProto& inner = model.graph().node(0).attribute(attribute).g();
        return inner.node(0).input(1);
    };
    CHECK(scalesOf(0) == "k");
    CHECK(scalesOf(1) == "k_improved");
}

TEST_CASE("a weight that can't take its integers stays")
{
    const auto textOf = [](OnnxGraph made, std::size_t count) {
        ::onnx::ModelProto model =
            made.node("Conv", {"x", "w"}, {"y"}).output("y", {2, 3, 2, 1}).model();
        const std::string before = model.SerializeAsString();
        const FoldedModel result =
            foldFactors(model,
                        {{.output = "y",
                          .rounding = {.integers = std::vector<std::int16_t>(count, 1),
                                       .quantization = {.scales = {0.5F}, .zeroPoints = {0.0}}}}},
                        "m.onnx", {});
        CHECK(model.SerializeAsString() == before);
        REQUIRE(result.lints.size() == 1);
        return result.lints[0].text;
    };
    CHECK(textOf(graph(), 11) ==
          "`y`: its weight is rounded to nearest: its weight has another shape or type");
    CHECK(textOf(graph().node("Conv", {"x", "w"}, {"z"}), 12) ==
          "`y`: its weight is rounded to nearest: several nodes take its weight");
}

TEST_CASE("without a constant that takes the factors a Mul in front of the layer does")
{
    CHECK(folded(graph()
                     .node("Sigmoid", {"x"}, {"t"})
                     .node("Conv", {"t", "w"}, {"y"})
                     .output("y", {2, 3, 2, 1})
                     .model(),
                 {2, 4, 2, 1}, false) == std::set<std::string>{"t"});
    ::onnx::ModelProto model = OnnxGraph()
                                   .input("x", {2, 4})
                                   .weight("w", {4, 3})
                                   .node("Sigmoid", {"x"}, {"t"})
                                   .node("MatMul", {"t", "w"}, {"y"})
                                   .output("y", {2, 3})
                                   .model();
    CHECK(folded(model, {2, 4}, true) == std::set<std::string>{"t"});
    static_cast<void>(foldFactors(
        model, {{.output = "y", .inputFactors = factors, .takesMul = true}}, "m.onnx", {}));
    REQUIRE(model.graph().node_size() == 3);
    CHECK(model.graph().node(1).op_type() == "Mul");
    CHECK(model.graph().node(1).input(0) == "t_undivided");
    CHECK(model.graph().node(1).output(0) == "t");
    // A graph input keeps its name, and so its values; so does what others take.
    for (::onnx::ModelProto other : {OnnxGraph()
                                         .input("x", {2, 4})
                                         .weight("w", {4, 3})
                                         .node("MatMul", {"x", "w"}, {"y"})
                                         .output("y", {2, 3})
                                         .model(),
                                     OnnxGraph()
                                         .input("x", {2, 4})
                                         .weight("w", {4, 3})
                                         .node("Sigmoid", {"x"}, {"t"})
                                         .node("MatMul", {"t", "w"}, {"y"})
                                         .node("Relu", {"t"}, {"z"})
                                         .output("y", {2, 3})
                                         .output("z", {2, 4})
                                         .model()}) {
        const FoldedModel result = foldFactors(
            other, {{.output = "y", .inputFactors = factors, .takesMul = true}}, "m.onnx", {});
        CHECK(result.lints.size() == 1);
    }
}

TEST_CASE("without a fold, or with another number of channels, the model stays")
{
    const auto textOf = [](OnnxGraph made, std::vector<float> by) {
        ::onnx::ModelProto model =
            made.node("Conv", {"t", "w"}, {"y"}).output("y", {2, 3, 2, 1}).model();
        const std::string before = model.SerializeAsString();
        const FoldedModel result =
            foldFactors(model, {{.output = "y", .inputFactors = std::move(by)}}, "m.onnx", {});
        CHECK(model.SerializeAsString() == before);
        CHECK(result.activations.empty());
        REQUIRE(result.lints.size() == 1);
        CHECK(result.lints[0].level == FindingLevel::Error);
        return result.lints[0].text;
    };
    CHECK(textOf(graph().node("Sigmoid", {"x"}, {"t"}), factors) ==
          "`y`: the channels of its input are not divided: `t_node`, a Sigmoid, does not keep "
          "factors");
    CHECK(textOf(graph().node("Mul", {"x", "k"}, {"t"}), {1.0F, 2.0F}) ==
          "`y`: the channels of its input are not divided: its input has 4 channels, not 2");
    CHECK(textOf(graph().node("Mul", {"x", "k"}, {"t"}).node("Conv", {"t", "w"}, {"z"}), factors) ==
          "`y`: the channels of its input are not divided: `t` is multiplied by 2 layers");
}

}  // namespace fold_factors_test
