// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/check_model.h"

#include "tests/support/catch.h"
#include "tests/support/onnx_model.h"

namespace check_model_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

/// y = x + w, and z = y in one branch, x in the other.
::onnx::ModelProto soundModel()
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1});
    addInput(graph, "go", {}, ::onnx::TensorProto::BOOL);
    addInitializer(graph, floatTensor("w", {1}, {1}));
    addNode(graph, "Add", {"x", "w", ""}, {"y", ""});
    ::onnx::NodeProto& branch = addNode(graph, "If", {"go"}, {"z"});
    for (const char* name : {"then_branch", "else_branch"}) {
        ::onnx::GraphProto& inner = addGraph(branch, name);
        addNode(inner, "Identity", {name[0] == 't' ? "y" : "x"}, {"same"});
        addOutput(inner, "same", {1});
    }
    addOutput(graph, "z", {1});
    return model;
}

TEST_CASE("a model holds together: two branches may share a name, an initializer may be an input")
{
    ::onnx::ModelProto model = soundModel();
    CHECK(faultOf(model).empty());
    addInput(*model.mutable_graph(), "w", {1});
    CHECK(faultOf(model).empty());
}

TEST_CASE("a model without graph or opset does not")
{
    CHECK(faultOf({}) == "it has no graph");
    ::onnx::ModelProto model = soundModel();
    model.clear_opset_import();
    CHECK(faultOf(model) == "it asks for no opset");
}

TEST_CASE("what is taken must be made before, there or outside")
{
    ::onnx::ModelProto model = soundModel();
    model.mutable_graph()->mutable_node()->SwapElements(0, 1);
    CHECK(faultOf(model) == "node make_same (Identity) takes y, which nothing before it makes");

    model = soundModel();
    // A branch's tensor is not there for the graph around it.
    addNode(*model.mutable_graph(), "Identity", {"same"}, {"other"});
    CHECK(faultOf(model) == "node make_other (Identity) takes same, which nothing before it makes");

    model = soundModel();
    addOutput(*model.mutable_graph(), "none", {1});
    CHECK(faultOf(model) == "the graph g gives none, which nothing in it makes");
}

TEST_CASE("each name is made once, and not again inside")
{
    ::onnx::ModelProto model = soundModel();
    addNode(*model.mutable_graph(), "Identity", {"x"}, {"w"});
    CHECK(faultOf(model) == "node make_w (Identity) makes w, which is there already");

    model = soundModel();
    ::onnx::GraphProto& inner =
        *model.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
    addNode(inner, "Identity", {"x"}, {"y"}).clear_name();
    CHECK(faultOf(model) == "node y (Identity) makes y, which is there already");

    model = soundModel();
    addInput(*model.mutable_graph(), "x", {1});
    CHECK(faultOf(model) == "the graph g has the input x twice");

    model = soundModel();
    addInitializer(*model.mutable_graph(), floatTensor("w", {1}, {1}));
    CHECK(faultOf(model) == "the graph g has the initializer w twice");

    model = soundModel();
    model.mutable_graph()->mutable_node(0)->clear_op_type();
    CHECK(faultOf(model) == "node make_y () has no op");
}

}  // namespace check_model_test
