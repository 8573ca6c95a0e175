// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lift.h"

#include "core/base/error.h"
#include "core/model/model_file.h"
#include "core/model/write_model.h"
#include "tests/model/lift_models.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace lift_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

::onnx::ModelProto modelNamed(const std::string& name)
{
    const std::vector<LiftModel> models = liftModels();
    return std::ranges::find(models, name, &LiftModel::name)->model;
}

::onnx::ModelProto lifted(::onnx::ModelProto model)
{
    static_cast<void>(lift(model, "m.onnx"));
    return model;
}

std::string numbersOf(const ::onnx::TensorProto& tensor)
{
    std::string text = tensor.dims_size() == 0 ? "" : "[";
    for (const float number : tensor.float_data())
        text += (text.size() > 1 ? " " : "") + std::to_string(number).substr(0, 5);
    for (const std::int64_t number : tensor.int64_data())
        text += (text.size() > 1 ? " " : "") + std::to_string(number);
    return text + (tensor.dims_size() == 0 ? "" : "]");
}

std::string attributeText(const ::onnx::AttributeProto& attribute)
{
    switch (attribute.type()) {
    case ::onnx::AttributeProto::INT: return std::to_string(attribute.i());
    case ::onnx::AttributeProto::STRING: return attribute.s();
    default: return "...";
    }
}

/// Its nodes a line each, with the values of initializers in place of their names.
std::string nodesOf(const ::onnx::GraphProto& graph)
{
    std::map<std::string, std::string> values;
    for (const ::onnx::TensorProto& tensor : graph.initializer())
        values[tensor.name()] = numbersOf(tensor);
    std::string text;
    for (const ::onnx::NodeProto& node : graph.node()) {
        for (const std::string& output : node.output())
            text += (&output == &node.output(0) ? "" : ",") + output;
        text += " = " + node.op_type() + "(";
        for (const std::string& input : node.input())
            text += (&input == &node.input(0) ? "" : ", ") +
                    (values.contains(input) ? values[input] : input);
        for (const ::onnx::AttributeProto& attribute : node.attribute())
            text += "; " + attribute.name() + " " + attributeText(attribute);
        text += ")\n";
    }
    return text;
}

std::string liftedNodes(const std::string& name)
{
    const ::onnx::ModelProto model = lifted(modelNamed(name));
    CHECK(opsetOf(model, "m") == 13);
    CHECK(model.ir_version() == 7);
    return nodesOf(model.graph());
}

/// The sentence with which the model is refused.
std::string refusal(::onnx::ModelProto model)
{
    try {
        static_cast<void>(lift(model, "m.onnx"));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        CHECK_THAT(error.what(), containsText("m.onnx: "));
        return error.what();
    }
    return {};
}

void collectNames(const ::onnx::GraphProto& graph, std::vector<std::string>& names)
{
    for (const ::onnx::TensorProto& tensor : graph.initializer())
        names.push_back(tensor.name());
    for (const ::onnx::NodeProto& node : graph.node()) {
        names.push_back(node.name());
        names.insert(names.end(), node.output().begin(), node.output().end());
        for (const ::onnx::AttributeProto& attribute : node.attribute())
            if (attribute.has_g())
                collectNames(attribute.g(), names);
    }
}

TEST_CASE("lifting: limits, slices, pads and k become inputs, values that were left out stay out")
{
    CHECK(liftedNodes("clip") == "y = Clip(x)\n");
    CHECK(liftedNodes("clip_low") == "y = Clip(x, -0.50)\n");
    CHECK(liftedNodes("clip_high") == "y = Clip(x, , 0.750)\n");
    CHECK(liftedNodes("clip_both") == "y = Clip(x, -0.50, 0.750)\n");
    CHECK(liftedNodes("slice") == "y = Slice(x, [1 -2], [5 3])\n");
    CHECK(liftedNodes("slice_axes") == "y = Slice(x, [1], [-1], [2])\n");
    CHECK(liftedNodes("pad") == "y = Pad(x, [0 1 1 0 0 2]; mode constant)\n");
    CHECK(liftedNodes("pad_value") == "y = Pad(x, [0 1 1 0 0 2], -1.50; mode constant)\n");
    CHECK(liftedNodes("pad_minus_zero") == "y = Pad(x, [0 1 1 0 0 2], -0.00; mode constant)\n");
    CHECK(liftedNodes("top_k") == "y,places = TopK(x, [2])\n");
}

TEST_CASE("lifting: axes and parts become inputs; none at all, and an empty list, is not an input")
{
    CHECK(liftedNodes("squeeze") == "y = Squeeze(x)\n");
    const ::onnx::ModelProto listsNone =
        withLists(oneNode(11, "Squeeze", {2, 3, 4}), {{"axes", {}}});
    CHECK(nodesOf(lifted(listsNone).graph()) == "y = Squeeze(x)\n");
    CHECK(liftedNodes("unsqueeze") == "y = Unsqueeze(x, [0 3])\n");
    CHECK(liftedNodes("reduce_sum") == "y = ReduceSum(x)\n");
    CHECK(liftedNodes("reduce_sum_axes") == "y = ReduceSum(x, [0 2]; keepdims 0)\n");
    CHECK(liftedNodes("split") == "y,z = Split(x; axis 2)\n");
    CHECK(liftedNodes("split_given") == "y,z = Split(x, [1 3]; axis 2)\n");
}

TEST_CASE("lifting: dropout loses ratio and unused mask, normalization `spatial`")
{
    CHECK(liftedNodes("dropout") == "y = Dropout(x)\n");
    CHECK_THAT(liftedNodes("batch_normalization"),
               containsText("y = BatchNormalization(x, [0.500 1.000 2.000]"));
    CHECK_THAT(liftedNodes("batch_normalization"), !containsText("spatial"));
}

TEST_CASE("lifting: softmax over an axis and all behind it is one of flattened rows")
{
    const std::string rows = "y_shape = Shape(x)\n"
                             "y_rows = Flatten(x; axis 1)\n"
                             "y_of_rows = Softmax(y_rows; axis 1)\n"
                             "y = Reshape(y_of_rows, y_shape)\n";
    CHECK(liftedNodes("softmax") == rows);
    CHECK_THAT(liftedNodes("softmax_0"), containsText("Flatten(x; axis 0)"));
    CHECK_THAT(liftedNodes("softmax_back"), containsText("Flatten(x; axis -2)"));
    // The last axis has nothing behind it.
    CHECK(liftedNodes("softmax_last") == "y = Softmax(x; axis -1)\n");
    CHECK_THAT(liftedNodes("log_softmax"), containsText("LogSoftmax(y_rows; axis 1)"));
    CHECK_THAT(liftedNodes("hardmax"), containsText("Hardmax(y_rows; axis 1)"));
}

TEST_CASE("lifting: sizes of Resize exclude the empty scales beside them")
{
    CHECK_THAT(liftedNodes("resize_sizes"), containsText("y = Resize(x, [], , [2 3 8]; "));
}

TEST_CASE("lifting: limits have the type of what is clipped")
{
    const ::onnx::ModelProto model = lifted(modelNamed("clip_half"));
    REQUIRE(model.graph().initializer_size() == 2);
    for (const ::onnx::TensorProto& limit : model.graph().initializer())
        CHECK(limit.data_type() == ::onnx::TensorProto::FLOAT16);
    CHECK(model.graph().initializer(0).int32_data(0) == 0xb600);  // -0.375
    CHECK(model.graph().initializer(1).int32_data(0) == 0x3e00);  // 1.5

    // Its type follows from nothing, as no rule tells what If makes.
    ::onnx::ModelProto unknown = modelNamed("branches");
    addInput(*unknown.mutable_graph(), "h", {1}, ::onnx::TensorProto::FLOAT16);
    unknown.mutable_graph()->mutable_output()->Clear();
    setFloat(addNode(*unknown.mutable_graph(), "Clip", {"y"}, {"z"}), "min", 0);
    CHECK_THAT(refusal(unknown), containsText("node make_z (Clip) takes a tensor of a type that is "
                                              "not known"));
}

TEST_CASE("lifting: nested graphs, where two may have the same names; what is added has new ones")
{
    for (const char* name : {"branches", "taken_names"}) {
        const ::onnx::ModelProto model = lifted(modelNamed(name));
        for (const ::onnx::AttributeProto& branch : model.graph().node(0).attribute()) {
            CHECK(branch.g().initializer_size() == 2);  // the former Constant, and the limit
            CHECK(branch.g().node_size() == 2 + 4);
        }
        std::vector<std::string> names;
        collectNames(model.graph(), names);
        const std::set<std::string> given = {"half",         "scaled",     "clipped",
                                             "result",       "make_y",     "make_scaled",
                                             "make_clipped", "make_result"};
        std::erase_if(names, [&](const std::string& one) { return given.contains(one); });
        const std::set<std::string> different(names.begin(), names.end());
        CHECK(different.size() == names.size());
        CHECK(different.contains("clipped_max") == (std::string(name) == "branches"));
        CHECK(different.contains("clipped_max_2"));
    }
}

TEST_CASE("lifting: later opsets are rewritten only where something has changed since")
{
    const auto nodesFrom = [](int opset, const std::string& op) {
        ::onnx::ModelProto model = oneNode(opset, op, {2, 3, 4});
        if (op == "Softmax")
            setInt(nodeOf(model), "axis", 1);
        return nodesOf(lifted(model).graph());
    };
    CHECK(nodesFrom(13, "Softmax") == "y = Softmax(x; axis 1)\n");
    CHECK(nodesFrom(17, "Softmax") == "y = Softmax(x; axis 1)\n");
    CHECK_THAT(nodesFrom(12, "Softmax"), containsText("Flatten"));

    ::onnx::ModelProto newer = oneNode(17, "Relu", {2, 3, 4});
    CHECK(opsetOf(lifted(newer), "m") == 17);
    newer.mutable_opset_import(0)->set_domain("ai.onnx");
    newer.mutable_opset_import(0)->set_version(9);
    CHECK(opsetOf(lifted(newer), "m") == 13);

    // Another domain's op of the same name is another op.
    ::onnx::ModelProto foreign = oneNode(9, "Softmax", {2, 3, 4});
    nodeOf(foreign).set_domain("com.example");
    CHECK(nodesOf(lifted(foreign).graph()) == "y = Softmax(x)\n");
}

/// Its nodes as opset 21 says them.
std::string nodesOfBlocks(::onnx::ModelProto model)
{
    static_cast<void>(liftToBlocks(model, "m.onnx"));
    CHECK(opsetOf(model, "m") == 21);
    CHECK(model.ir_version() == 10);
    return nodesOf(model.graph());
}

TEST_CASE("lifting to opset 21: what 14 to 20 have changed")
{
    for (const char* op : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                           "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSumSquare"}) {
        const ::onnx::ModelProto axes = withLists(oneNode(13, op, {2, 1, 4}), {{"axes", {1}}});
        CHECK(nodesOfBlocks(axes) == "y = " + std::string(op) + "(x, [1])\n");
        CHECK(nodesOfBlocks(oneNode(17, op, {1, 1, 1})) == "y = " + std::string(op) + "(x)\n");
    }
    CHECK(nodesOfBlocks(lifted(modelNamed("split"))) == "y,z = Split(x; axis 2; num_outputs 2)\n");
    CHECK(nodesOfBlocks(lifted(modelNamed("split_given"))) == "y,z = Split(x, [1 3]; axis 2)\n");
    CHECK(nodesOfBlocks(oneNode(18, "Split", {2, 3, 4})) == "y = Split(x)\n");
    CHECK(nodesOfBlocks(oneNode(15, "RoiAlign", {2, 3, 4})) ==
          "y = RoiAlign(x; coordinate_transformation_mode output_half_pixel)\n");
    CHECK(nodesOfBlocks(oneNode(16, "RoiAlign", {2, 3, 4})) == "y = RoiAlign(x)\n");
    CHECK(nodesOfBlocks(oneNode(16, "GridSample", {2, 3, 4})) ==
          "y = GridSample(x; mode linear)\n");
    ::onnx::ModelProto cubic = oneNode(19, "GridSample", {2, 3, 4});
    setText(nodeOf(cubic), "mode", "bicubic");
    CHECK(nodesOfBlocks(cubic) == "y = GridSample(x; mode cubic)\n");
    CHECK(nodesOfBlocks(oneNode(17, "DFT", {2, 3, 4})) == "y = DFT(x, , 1)\n");
    CHECK_THAT(nodesOfBlocks(lifted(modelNamed("batch_normalization"))),
               containsText("y = BatchNormalization(x, "));
    // A model of the 21st stays as it is.
    ::onnx::ModelProto newest = oneNode(21, "GroupNormalization", {2, 3, 4});
    newest.set_ir_version(10);
    ::onnx::ModelProto same = newest;
    CHECK(liftToBlocks(same, "m").empty());
    CHECK(same.SerializeAsString() == newest.SerializeAsString());
}

TEST_CASE("lifting to opset 21: what it does not say alike is refused")
{
    const auto refusalOf = [](::onnx::ModelProto model) -> std::string {
        try {
            static_cast<void>(liftToBlocks(model, "m.onnx"));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            return error.what();
        }
        return {};
    };
    CHECK(refusalOf(oneNode(18, "GroupNormalization", {2, 3, 4})) ==
          "m.onnx: node make_y (GroupNormalization) has no equal in opset 21 that could be written "
          "without its shapes; export the model with opset 21 or later");
    ::onnx::ModelProto statistics = lifted(modelNamed("batch_normalization"));
    for (::onnx::NodeProto& node : *statistics.mutable_graph()->mutable_node())
        if (node.op_type() == "BatchNormalization")
            node.add_output("mean_of_batch");
    CHECK(refusalOf(statistics).empty());  // that nobody takes
    addOutput(*statistics.mutable_graph(), "mean_of_batch", {3});
    CHECK_THAT(refusalOf(statistics), containsText("gives statistics, as in training"));
    ::onnx::ModelProto pool = oneNode(13, "AveragePool", {2, 3, 4});
    setInt(nodeOf(pool), "ceil_mode", 1);
    CHECK(refusalOf(pool).empty());
    setInt(nodeOf(pool), "count_include_pad", 1);
    CHECK_THAT(refusalOf(pool), containsText("counts pads in windows that reach beyond them"));
}

TEST_CASE("lifting: Constants of floating point become initializers, but not outputs")
{
    ::onnx::ModelProto model = emptyModel(13, 8);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addConstant(graph, floatTensor("w", {2}, {1, 2}));
    addConstant(graph, intTensor("i", {2}, {1, 2}));
    addConstant(graph, floatTensor("out", {1}, {3}));
    setFloat(addNode(graph, "Constant", {}, {"v"}), "value_float", 4);
    addOutput(graph, "out", {1});
    graph.mutable_node(0)->set_doc_string("from the training");
    graph.mutable_node(0)->mutable_attribute(0)->mutable_t()->set_name("another");

    ::onnx::ModelProto changed = model;
    const std::vector<std::string> notes = lift(changed, "m");
    CHECK(notes == std::vector<std::string>{"2 Constant nodes are initializers now"});
    CHECK(nodesOf(changed.graph()) == "i = Constant(; value ...)\nout = Constant(; value ...)\n");
    REQUIRE(changed.graph().initializer_size() == 2);
    CHECK(changed.graph().initializer(0).name() == "w");
    CHECK(changed.graph().initializer(0).doc_string() == "from the training");
    CHECK(numbersOf(changed.graph().initializer(1)) == "4.000");
    CHECK(changed.ir_version() == 8);
}

TEST_CASE("lifting: below version 4 of the file initializers were inputs, and are none any more")
{
    ::onnx::ModelProto model = oneNode(9, "Add", {2, 3, 4});
    nodeOf(model).add_input("w");
    addInput(*model.mutable_graph(), "w", {1});
    addInitializer(*model.mutable_graph(), floatTensor("w", {1}, {2}));
    for (const int version : {3, 4}) {
        model.set_ir_version(version);
        ::onnx::ModelProto changed = model;
        const std::vector<std::string> notes = lift(changed, "m");
        CHECK(changed.graph().input_size() == (version == 3 ? 1 : 2));
        CHECK(changed.ir_version() == 7);
        CHECK(notes.back() == "lifted from opset 9 to 13; rewritten nodes: none");
        CHECK(notes.size() == (version == 3 ? 2 : 1));
    }
}

TEST_CASE("lifting: what can't be rewritten is refused with the remedy")
{
    const std::string remedy = "; export the model with opset 13 or later";
    const auto refused = [&](int opset, const std::string& op) {
        const std::string text = refusal(oneNode(opset, op, {2, 3, 4}));
        CHECK_THAT(text, containsText(remedy));
        return text;
    };
    CHECK_THAT(refused(9, "Upsample"), containsText("node make_y (Upsample) has no equal"));
    CHECK_THAT(refused(10, "Resize"), containsText("has another meaning since opset 11"));
    CHECK_THAT(refused(9, "Scatter"), containsText("(Scatter)"));
    CHECK_THAT(refused(8, "Scan"), containsText("(Scan)"));
    CHECK(refusal(oneNode(9, "Scan", {2, 3, 4})).empty());
    CHECK_THAT(refused(6, "Relu"), containsText("it is of opset 6, lower than 7"));
    CHECK_THAT(refused(7, "Slice"), containsText("lacks its attribute `starts`"));

    ::onnx::ModelProto perValue = oneNode(7, "BatchNormalization", {2, 3, 4});
    CHECK_THAT(refusal(withNumber(perValue, "spatial", 0)), containsText("`spatial` 0"));

    ::onnx::ModelProto masked = modelNamed("dropout");
    addOutput(*masked.mutable_graph(), "mask", {2, 3, 4});
    CHECK_THAT(refusal(masked), containsText("has a mask that is used"));

    ::onnx::ModelProto mode = oneNode(11, "Resize", {2, 3, 8});
    setText(nodeOf(mode), "coordinate_transformation_mode", "tf_half_pixel_for_nn");
    CHECK_THAT(refusal(mode), containsText("tf_half_pixel_for_nn"));

    ::onnx::ModelProto training = oneNode(9, "Relu", {2, 3, 4});
    training.add_training_info();
    CHECK_THAT(refusal(training), containsText("graphs for training"));
}

TEST_CASE("lifting: several opsets, none and absurd ones are refused")
{
    ::onnx::ModelProto model = oneNode(9, "Relu", {1});
    model.add_opset_import()->set_version(9);  // the same twice is one
    CHECK(opsetOf(model, "m") == 9);
    model.mutable_opset_import(1)->set_version(11);
    CHECK_THROWS_WITH(opsetOf(model, "m"), containsText("several opsets"));
    model.mutable_opset_import(1)->set_version(9);
    model.mutable_opset_import(0)->set_domain("ai.onnx.ml");
    CHECK(opsetOf(model, "m") == 9);
    model.mutable_opset_import(1)->set_domain("com.example");
    CHECK_THROWS_WITH(opsetOf(model, "m"), containsText("no opset"));
    model.clear_opset_import();
    CHECK(opsetOf(model, "m") == 1);
    model.add_opset_import()->set_version(-3);
    CHECK_THROWS_WITH(opsetOf(model, "m"), containsText("opset -3"));
}

TEST_CASE("lifting: quantized nodes and functions are told of")
{
    ::onnx::ModelProto model = oneNode(13, "QuantizeLinear", {2, 3, 4});
    model.add_functions()->set_name("f");
    CHECK(lift(model, "m") ==
          std::vector<std::string>{
              "it has 1 node of a quantized model already, whose tensors are left alone",
              "the bodies of its 1 function are left alone"});
}

// Run by tests/model/lifted_models.py, which reads what this writes with other programs.
TEST_CASE("writes every model and what it is lifted to", "[.][lifted-models]")
{
    const char* const folder = std::getenv("CALIBSCOPE_MODELS");
    REQUIRE(folder != nullptr);
    for (LiftModel& model : liftModels()) {
        const std::string path = (std::filesystem::path(folder) / model.name).string();
        static_cast<void>(saved(model.model, path + ".onnx"));
        static_cast<void>(saved(lifted(std::move(model.model)), path + ".lifted.onnx"));
    }
}

// Run by tests/extra/lifted_networks.py.
TEST_CASE("lifts one model", "[.][lifts-a-model]")
{
    const char* const source = std::getenv("CALIBSCOPE_MODEL");
    const char* const target = std::getenv("CALIBSCOPE_LIFTED");
    REQUIRE(source != nullptr);
    REQUIRE(target != nullptr);
    ::onnx::ModelProto model = ModelFile::read(source)->proto();
    static_cast<void>(lift(model, source));
    WriteOptions options;
    if (const char* const most = std::getenv("CALIBSCOPE_MOST_INSIDE"))
        options.mostInside = std::stoull(most);
    static_cast<void>(writeModel(std::move(model), target, source, options));
}

}  // namespace lift_test
