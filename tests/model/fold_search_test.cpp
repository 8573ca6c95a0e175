// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fold_search.h"

#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"

namespace fold_search_test {

using namespace calibscope::model;
using calibscope::test::OnnxGraph;

/// A graph that makes t, with constants to take factors, and a convolution that takes it.
OnnxGraph graph()
{
    return OnnxGraph()
        .input("x", {1, 2, 3, 3})
        .weight("v", {2, 2, 1, 1})
        .weight("w", {3, 2, 1, 1})
        .floats("b", {2}, {1.0F, 2.0F})
        .floats("k", {1}, {0.5F})
        .floats("zero", {}, {0.0F})
        .floats("six", {}, {6.0F});
}

Fold foldIn(OnnxGraph graph)
{
    const ::onnx::ModelProto model =
        graph.node("Conv", {"t", "w"}, {"y"}).output("y", {1, 3, 3, 3}).model();
    const GraphIndex index(model);
    const IndexedConstants constants(index, model, "m.onnx");
    return foldOf(index, constants, index.findIn(0, "t").value());
}

std::vector<std::string> constantsIn(OnnxGraph graph)
{
    const Fold fold = foldIn(std::move(graph));
    CHECK(fold.whyNot.empty());
    return fold.constants;
}

using Names = std::vector<std::string>;

TEST_CASE("factors go into the nearest constants that multiply")
{
    CHECK(constantsIn(graph().node("Mul", {"x", "k"}, {"t"})) == Names{"k"});
    CHECK(constantsIn(graph().node("Div", {"x", "k"}, {"t"})) == Names{"k"});
    CHECK(constantsIn(graph().node("Conv", {"x", "v", "b"}, {"t"})) == Names{"v", "b"});
    CHECK(constantsIn(graph().node("Conv", {"x", "v"}, {"t"})) == Names{"v"});
    CHECK(constantsIn(graph().node("BatchNormalization", {"x", "b", "b", "b", "b"}, {"t"})) ==
          Names{"b", "b"});
}

TEST_CASE("on the way they pass what keeps them, and constants that add or bound")
{
    const auto made = [] { return graph().node("Mul", {"x", "k"}, {"m"}); };
    for (const std::string op : {"Relu", "LeakyRelu", "AveragePool", "MaxPool", "Resize"})
        CHECK(constantsIn(made().node(op, {"m"}, {"t"})) == Names{"k"});
    CHECK(constantsIn(made().node("Add", {"b", "m"}, {"t"})) == Names{"b", "k"});
    CHECK(constantsIn(made().node("Max", {"m", "b"}, {"t"})) == Names{"b", "k"});
    CHECK(constantsIn(made().node("Clip", {"m", "zero", "six"}, {"t"})) == Names{"six", "k"});
    CHECK(constantsIn(made().node("Clip", {"m", "zero"}, {"t"})) == Names{"k"});
}

TEST_CASE("activations that are added or joined must all fold, of a product one")
{
    const auto made = [] {
        return graph()
            .node("Mul", {"x", "k"}, {"m"})
            .node("Conv", {"x", "v", "b"}, {"c"})
            .node("Sigmoid", {"x"}, {"s"});
    };
    CHECK(constantsIn(made().node("Add", {"m", "c"}, {"t"})) == Names{"k", "v", "b"});
    CHECK(constantsIn(made()
                          .weight("u", {2, 2, 1, 1})
                          .node("Conv", {"x", "u"}, {"d"})
                          .node("Concat", {"m", "d"}, {"j"})
                          .with("axis", std::int64_t{2})
                          .node("Relu", {"j"}, {"t"})) == Names{"k", "u"});
    CHECK(constantsIn(made().node("Mul", {"c", "m"}, {"t"})) == Names{"k"});
    CHECK(constantsIn(made().node("Mul", {"s", "c"}, {"t"})) == Names{"v", "b"});
    CHECK(foldIn(made().node("Add", {"m", "s"}, {"t"})).whyNot ==
          "`s_node`, a Sigmoid, does not keep factors");
}

TEST_CASE("what is taken by others, made by no constant, or an output does not fold")
{
    CHECK(foldIn(graph().node("Sigmoid", {"x"}, {"t"})).whyNot ==
          "`t_node`, a Sigmoid, does not keep factors");
    CHECK(foldIn(graph().node("Relu", {"x"}, {"t"})).whyNot == "`x` is an input of the graph");
    CHECK(foldIn(graph()
                     .node("Mul", {"x", "k"}, {"m"})
                     .node("Relu", {"m"}, {"t"})
                     .node("Abs", {"m"}, {"z"}))
              .whyNot == "`m` is taken by others, too");
    CHECK(foldIn(graph().node("Mul", {"x", "k"}, {"t"}).node("Abs", {"t"}, {"z"})).whyNot ==
          "`z_node`, a Abs, takes it, too");
    CHECK(foldIn(graph().node("Mul", {"x", "k"}, {"t"}).output("t", {1, 2, 3, 3})).whyNot ==
          "`t` is an output of the graph");
    CHECK(foldIn(graph().node("Abs", {"v"}, {"r"}).node("Conv", {"x", "r"}, {"t"})).whyNot ==
          "`r` is computed at run time");
}

TEST_CASE("operators with their channels on another axis end the search")
{
    const auto foldOfProduct = [](OnnxGraph made) {
        const ::onnx::ModelProto model = made.weight("u", {3, 4})
                                             .node("MatMul", {"t", "u"}, {"y"})
                                             .output("y", {1, 2, 3, 4})
                                             .model();
        const GraphIndex index(model);
        const IndexedConstants constants(index, model, "m.onnx");
        return foldOf(index, constants, index.findIn(0, "t").value());
    };
    CHECK(foldOfProduct(graph().node("Conv", {"x", "v"}, {"t"})).whyNot ==
          "`t_node`, a Conv, has its channels on another axis");
    CHECK(foldOfProduct(graph().weight("p", {3, 3}).node("MatMul", {"x", "p"}, {"t"})).constants ==
          Names{"p"});
    CHECK(foldIn(graph().weight("p", {3, 3}).node("MatMul", {"x", "p"}, {"t"})).whyNot ==
          "`t_node`, a MatMul, has its channels on another axis");
    CHECK(foldIn(graph()
                     .weight("p", {3, 3})
                     .node("Mul", {"x", "k"}, {"t"})
                     .node("MatMul", {"t", "p"}, {"z"}))
              .whyNot == "`t` has its channels on two axes");
}

TEST_CASE("a fold as text")
{
    CHECK(foldText({.constants = {"k"}}) == "fold into `k`");
    CHECK(foldText({.constants = {"k", "b", "v"}}) == "fold into `k` and 2 more");
    CHECK(foldText({.whyNot = "`x` is an input of the graph"}) ==
          "no fold: `x` is an input of the graph");
}

}  // namespace fold_search_test
