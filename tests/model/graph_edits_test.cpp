// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_edits.h"

#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"

namespace graph_edits_test {

using namespace calibscope::model;
using calibscope::test::OnnxGraph;

::onnx::NodeProto relu(const std::string& input, const std::string& output)
{
    ::onnx::NodeProto node;
    node.set_op_type("Relu");
    node.add_input(input);
    node.add_output(output);
    return node;
}

std::vector<std::string> outputsOf(const ::onnx::GraphProto& graph)
{
    std::vector<std::string> outputs;
    for (const ::onnx::NodeProto& node : graph.node())
        outputs.push_back(node.output(0));
    return outputs;
}

/// a and b in the main graph, b of an If whose branches make t and e of a.
::onnx::ModelProto nested()
{
    return OnnxGraph()
        .input("x", {1})
        .input("which", {}, ::onnx::TensorProto::BOOL)
        .node("Abs", {"x"}, {"a"})
        .node("If", {"which"}, {"b"})
        .with("then_branch", OnnxGraph().node("Exp", {"a"}, {"t"}).output("t", {1}))
        .with("else_branch", OnnxGraph().node("Log", {"a"}, {"e"}).output("e", {1}))
        .output("b", {1})
        .model();
}

TEST_CASE("an index knows who makes and takes a tensor, in all graphs")
{
    const ::onnx::ModelProto model = nested();
    const GraphIndex index(model);
    REQUIRE(index.graphs().size() == 3);
    CHECK(index.graphs()[2].scope == "b_node.else_branch");
    const IndexedTensor& a = index.tensors()[index.findIn(0, "a").value()];
    CHECK(index.producer(a)->op_type() == "Abs");
    REQUIRE(a.uses.size() == 2);
    CHECK(index.node(a.uses[1]).op_type() == "Log");
    CHECK(index.find(2, "a") == index.findIn(0, "a"));
    CHECK(!index.findIn(2, "a"));
    CHECK(!index.find(0, "t"));
    CHECK(!index.find(0, ""));
    CHECK(index.tensors()[index.findIn(1, "t").value()].isGraphOutput);
}

TEST_CASE("changes inside and outside of a graph are made together")
{
    ::onnx::ModelProto model = nested();
    const GraphIndex index(model);
    GraphEdits edits(index);
    edits.addNode(0, 0, relu("a", "r"));
    edits.addNode(0, 0, relu("r", "s"));
    edits.addNode(0, std::nullopt, relu("x", "front"));
    edits.rewire({.graph = 2, .node = 0, .input = 0}, "inner");
    edits.addNode(2, std::nullopt, relu("s", "inner"));
    edits.apply(model);
    CHECK(outputsOf(model.graph()) == std::vector<std::string>{"front", "a", "r", "s", "b"});
    const ::onnx::GraphProto& branch = model.graph().node(4).attribute(1).g();
    CHECK(outputsOf(branch) == std::vector<std::string>{"inner", "e"});
    CHECK(branch.node(1).input(0) == "inner");
    CHECK(model.graph().node(4).attribute(0).g().node(0).input(0) == "a");
}

TEST_CASE("what nobody takes goes, with what was there for it alone")
{
    ::onnx::ModelProto model = OnnxGraph()
                                   .input("x", {2})
                                   .floats("f", {2}, {1, 2})
                                   .floats("shared", {2}, {3, 4})
                                   .node("Neg", {"f"}, {"n"})
                                   .node("Add", {"n", "shared"}, {"w"})
                                   .node("Mul", {"x", "shared"}, {"y"})
                                   .node("Relu", {"x"}, {"dead"})
                                   .output("y", {2})
                                   .model();
    removeUnused(model, {{0, "w"}, {0, "x"}, {0, "y"}, {0, "unknown"}});
    CHECK(outputsOf(model.graph()) == std::vector<std::string>{"y", "dead"});
    REQUIRE(model.graph().initializer_size() == 1);
    CHECK(model.graph().initializer(0).name() == "shared");
}

}  // namespace graph_edits_test
