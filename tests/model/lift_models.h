// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/onnx_model.h"

#include <string>
#include <utility>
#include <vector>

namespace calibscope::test {

struct LiftModel
{
    std::string name;
    ::onnx::ModelProto model;
};

/// Takes x, of 2 x 3 x 4 values, and makes y in one node.
inline ::onnx::ModelProto oneNode(int opset, const std::string& op,
                                  const std::vector<std::int64_t>& outputShape)
{
    ::onnx::ModelProto model = emptyModel(opset, 4);
    addInput(*model.mutable_graph(), "x", {2, 3, 4});
    addOutput(*model.mutable_graph(), "y", outputShape);
    addNode(*model.mutable_graph(), op, {"x"}, {"y"});
    return model;
}

inline ::onnx::NodeProto& nodeOf(::onnx::ModelProto& model)
{
    return *model.mutable_graph()->mutable_node(0);
}

inline ::onnx::ModelProto withFloats(::onnx::ModelProto model,
                                     const std::vector<std::pair<std::string, float>>& attributes)
{
    for (const auto& [name, value] : attributes)
        setFloat(nodeOf(model), name, value);
    return model;
}

inline ::onnx::ModelProto
withLists(::onnx::ModelProto model,
          const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& attributes)
{
    for (const auto& [name, values] : attributes)
        setInts(nodeOf(model), name, values);
    return model;
}

inline ::onnx::ModelProto withNumber(::onnx::ModelProto model, const std::string& name,
                                     std::int64_t value)
{
    setInt(nodeOf(model), name, value);
    return model;
}

inline ::onnx::ModelProto padded(const std::string& mode, float value)
{
    ::onnx::ModelProto model =
        withFloats(withLists(oneNode(7, "Pad", {2, 4, 7}), {{"pads", {0, 1, 1, 0, 0, 2}}}),
                   {{"value", value}});
    setText(nodeOf(model), "mode", mode);
    return model;
}

inline ::onnx::ModelProto topK(int opset)
{
    ::onnx::ModelProto model = withNumber(oneNode(opset, "TopK", {2, 3, 2}), "k", 2);
    nodeOf(model).add_output("places");
    addOutput(*model.mutable_graph(), "places", {2, 3, 2}, ::onnx::TensorProto::INT64);
    return model;
}

inline ::onnx::ModelProto split(bool isGiven)
{
    ::onnx::ModelProto model = withNumber(oneNode(7, "Split", {2, 3, isGiven ? 1 : 2}), "axis", 2);
    nodeOf(model).add_output("z");
    addOutput(*model.mutable_graph(), "z", {2, 3, isGiven ? 3 : 2});
    return isGiven ? withLists(std::move(model), {{"split", {1, 3}}}) : model;
}

inline ::onnx::ModelProto normalized()
{
    ::onnx::ModelProto model =
        withNumber(oneNode(7, "BatchNormalization", {2, 3, 4}), "spatial", 1);
    for (const char* name : {"gain", "offset", "mean", "variance"}) {
        nodeOf(model).add_input(name);
        addConstant(*model.mutable_graph(), floatTensor(name, {3}, {0.5F, 1.0F, 2.0F}));
    }
    // Constants stand before the node that takes them.
    auto& nodes = *model.mutable_graph()->mutable_node();
    for (int place = 0; place + 1 < nodes.size(); ++place)
        nodes.SwapElements(place, place + 1);
    return model;
}

/// Both branches have tensors of one name; the clip of each has limits of its own.
inline ::onnx::ModelProto branches()
{
    ::onnx::ModelProto model = emptyModel(9, 4);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {2, 3, 4});
    addInput(graph, "go", {}, ::onnx::TensorProto::BOOL);
    addOutput(graph, "y", {2, 3, 4});
    ::onnx::NodeProto& branch = addNode(graph, "If", {"go"}, {"y"});
    for (const char* name : {"then_branch", "else_branch"}) {
        ::onnx::GraphProto& inner = addGraph(branch, name);
        addConstant(inner, floatTensor("half", {}, {0.5F}));
        addNode(inner, "Mul", {"x", "half"}, {"scaled"});
        setFloat(addNode(inner, "Clip", {"scaled"}, {"clipped"}), "max",
                 name[0] == 't' ? 0.25F : 0.125F);
        addNode(inner, "Softmax", {"clipped"}, {"result"});
        addOutput(inner, "result", {2, 3, 4});
    }
    return model;
}

inline ::onnx::ModelProto resized()
{
    ::onnx::ModelProto model = oneNode(11, "Resize", {2, 3, 8});
    addInitializer(*model.mutable_graph(), floatTensor("roi", {0}, {}));
    addInitializer(*model.mutable_graph(), floatTensor("scales", {0}, {}));
    addInitializer(*model.mutable_graph(), intTensor("sizes", {3}, {2, 3, 8}));
    for (const char* name : {"roi", "scales", "sizes"})
        nodeOf(model).add_input(name);
    setText(nodeOf(model), "coordinate_transformation_mode", "asymmetric");
    setText(nodeOf(model), "nearest_mode", "floor");
    return model;
}

/// The names that are wanted for what is added are there already, in another graph and as a node.
inline ::onnx::ModelProto takenNames()
{
    ::onnx::ModelProto model = branches();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "clipped_max", {1});
    graph.mutable_node(0)->set_name("result_Shape");
    return model;
}

/// A float16 Clip among float32: the limits are float16.
inline ::onnx::ModelProto halfClip()
{
    ::onnx::ModelProto model = emptyModel(9, 4);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {2, 3, 4});
    addOutput(graph, "y", {2, 3, 4});
    setInt(addNode(graph, "Cast", {"x"}, {"h"}), "to", ::onnx::TensorProto::FLOAT16);
    ::onnx::NodeProto& clip = addNode(graph, "Clip", {"h"}, {"c"});
    setFloat(clip, "min", -0.375F);
    setFloat(clip, "max", 1.5F);
    setInt(addNode(graph, "Cast", {"c"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
    return model;
}

/// A model for each row of what changes between opset 7 and 13; all are valid.
inline std::vector<LiftModel> liftModels()
{
    const std::vector<std::int64_t> all = {2, 3, 4};
    ::onnx::ModelProto dropout = withFloats(oneNode(7, "Dropout", all), {{"ratio", 0.25F}});
    nodeOf(dropout).add_output("mask");
    return {
        {"clip", oneNode(7, "Clip", all)},
        {"clip_low", withFloats(oneNode(7, "Clip", all), {{"min", -0.5F}})},
        {"clip_high", withFloats(oneNode(8, "Clip", all), {{"max", 0.75F}})},
        {"clip_both", withFloats(oneNode(9, "Clip", all), {{"max", 0.75F}, {"min", -0.5F}})},
        {"clip_half", halfClip()},
        {"slice",
         withLists(oneNode(9, "Slice", {1, 2, 4}), {{"starts", {1, -2}}, {"ends", {5, 3}}})},
        {"slice_axes", withLists(oneNode(7, "Slice", {2, 3, 2}),
                                 {{"axes", {2}}, {"starts", {1}}, {"ends", {-1}}})},
        {"pad", padded("constant", 0.0F)},
        {"pad_value", padded("constant", -1.5F)},
        {"pad_minus_zero", padded("constant", -0.0F)},
        {"pad_reflect", padded("reflect", 0.0F)},
        {"top_k", topK(7)},
        {"dropout", dropout},
        {"squeeze", oneNode(7, "Squeeze", all)},
        {"unsqueeze", withLists(oneNode(7, "Unsqueeze", {1, 2, 3, 1, 4}), {{"axes", {0, 3}}})},
        {"reduce_sum", oneNode(7, "ReduceSum", {1, 1, 1})},
        {"reduce_sum_axes",
         withNumber(withLists(oneNode(11, "ReduceSum", {3}), {{"axes", {0, 2}}}), "keepdims", 0)},
        {"split", split(false)},
        {"split_given", split(true)},
        {"batch_normalization", normalized()},
        {"softmax", oneNode(7, "Softmax", all)},
        {"softmax_0", withNumber(oneNode(7, "Softmax", all), "axis", 0)},
        {"softmax_2", withNumber(oneNode(9, "Softmax", all), "axis", 2)},
        {"softmax_last", withNumber(oneNode(9, "Softmax", all), "axis", -1)},
        {"softmax_back", withNumber(oneNode(11, "Softmax", all), "axis", -2)},
        {"log_softmax", oneNode(9, "LogSoftmax", all)},
        {"hardmax", oneNode(9, "Hardmax", all)},
        {"resize_sizes", resized()},
        {"branches", branches()},
        {"taken_names", takenNames()},
    };
}

}  // namespace calibscope::test
