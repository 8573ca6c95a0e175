// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/graph_ops.h"

#include "core/layers/layer_plan.h"
#include "core/model/graph_index.h"
#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace calibscope::deploy {

namespace {

std::vector<std::int64_t> integersOf(const onnx::NodeProto& node, std::string_view name)
{
    const onnx::AttributeProto* const attribute = model::attributeNamed(node, name);
    return attribute == nullptr
               ? std::vector<std::int64_t>{}
               : std::vector<std::int64_t>{attribute->ints().begin(), attribute->ints().end()};
}

/// All of it, ONNX's defaults included: nothing is left open.
OpGeometry geometryOf(const onnx::NodeProto& node)
{
    if (!layers::isLayerOp(node.op_type()) || model::isOp(node, "MatMul"))
        return {};
    if (model::isOp(node, "Gemm"))
        return {.transA = model::intAttribute(node, "transA", 0),
                .transB = model::intAttribute(node, "transB", 0),
                .alpha = static_cast<double>(model::floatAttribute(node, "alpha", 1.0F)),
                .beta = static_cast<double>(model::floatAttribute(node, "beta", 1.0F))};
    return {.kernelShape = integersOf(node, "kernel_shape"),
            .strides = integersOf(node, "strides"),
            .pads = integersOf(node, "pads"),
            .dilations = integersOf(node, "dilations"),
            .outputPadding = integersOf(node, "output_padding"),
            .outputShape = integersOf(node, "output_shape"),
            .group = model::intAttribute(node, "group", 1),
            .autoPad = std::string(model::textAttribute(node, "auto_pad", ""))};
}

void describe(TensorInfo& tensor, const onnx::NodeProto& node, int output)
{
    tensor.op = node.op_type();
    tensor.node = node.name();
    tensor.inputs = {node.input().begin(), node.input().end()};
    tensor.outputIndex = static_cast<std::uint64_t>(output);
    tensor.geometry = geometryOf(node);
    tensor.opAttributes.clear();
}

void describe(TensorInfo& tensor, const model::LayerConstant& constant)
{
    tensor.op = constant.op;
    tensor.consumer = constant.node;
    tensor.role = constant.isBias ? Role::Bias : Role::Weight;
    tensor.batchAxis.reset();
    tensor.channelAxis = constant.channelAxis;
}

/// Length of a convolution's output along an axis of space; nothing where it is not known so.
std::optional<std::uint64_t> convolved(const OpGeometry& geometry, bool isTransposed,
                                       std::size_t axis, std::size_t axes, std::uint64_t input,
                                       std::uint64_t kernel)
{
    const auto at = [&](const std::vector<std::int64_t>& of, std::size_t index,
                        std::int64_t absent) { return index < of.size() ? of[index] : absent; };
    if (at(geometry.strides, axis, 1) < 1)
        return std::nullopt;
    if (!geometry.autoPad.empty() && geometry.autoPad != "NOTSET")
        return std::nullopt;
    const auto length = static_cast<std::int64_t>(input);
    const std::int64_t stride = at(geometry.strides, axis, 1);
    const std::int64_t pads = at(geometry.pads, axis, 0) + at(geometry.pads, axis + axes, 0);
    const std::int64_t reach =
        at(geometry.dilations, axis, 1) * (static_cast<std::int64_t>(kernel) - 1) + 1;
    const std::int64_t output =
        isTransposed ? stride * (length - 1) + at(geometry.outputPadding, axis, 0) + reach - pads
                     : (length + pads - reach) / stride + 1;
    return output > 0 ? std::optional(static_cast<std::uint64_t>(output)) : std::nullopt;
}

/// Shape of what a layer makes of its operands; empty where it does not follow from them.
std::vector<std::uint64_t> shapeOfOutput(const TensorInfo& output, const TensorInfo& input,
                                         const TensorInfo& weight)
{
    const std::size_t rank = input.shape.size();
    const OpGeometry& geometry = output.geometry;
    if (rank < 2 || weight.shape.size() < 2)
        return {};
    std::vector<std::uint64_t> shape = input.shape;
    if (output.op == "MatMul" || output.op == "Gemm") {
        if (weight.shape.size() != 2 || geometry.transA.value_or(0) != 0)
            return {};
        shape.back() = weight.shape[geometry.transB.value_or(0) != 0 ? 0 : 1];
        return shape;
    }
    if (weight.shape.size() != rank || !geometry.outputShape.empty())
        return {};
    const bool isTransposed = output.op == "ConvTranspose";
    shape[1] = isTransposed
                   ? weight.shape[1] * static_cast<std::uint64_t>(geometry.group.value_or(1))
                   : weight.shape[0];
    for (std::size_t axis = 2; axis < rank; ++axis) {
        const auto length = convolved(geometry, isTransposed, axis - 2, rank - 2, input.shape[axis],
                                      weight.shape[axis]);
        if (!length)
            return {};
        shape[axis] = *length;
    }
    return shape;
}

}  // namespace

std::vector<TensorInfo> withComputedOutputs(std::vector<TensorInfo> described,
                                            const model::ModelFile& model)
{
    std::map<std::string, std::size_t, std::less<>> indexOf;
    for (std::size_t index = 0; index < described.size(); ++index)
        if (!described[index].graphName.empty())
            indexOf.emplace(described[index].graphName, index);
    for (const onnx::NodeProto& node : model.proto().graph().node()) {
        if (!model::isLayer(node) || node.input_size() < 2 || indexOf.contains(node.output(0)))
            continue;
        const auto input = indexOf.find(node.input(0));
        const auto weight = indexOf.find(node.input(1));
        if (input == indexOf.end() || weight == indexOf.end() ||
            described[weight->second].role != Role::Weight)
            continue;
        TensorInfo output;
        describe(output, node, 0);
        output.name = output.graphName = node.output(0);
        output.role = Role::Activation;
        const TensorInfo& from = described[input->second];
        output.shape = shapeOfOutput(output, from, described[weight->second]);
        if (output.shape.empty())
            continue;
        output.batchAxis = from.batchAxis;
        output.batchSize = from.batchSize;
        output.samples = from.samples;
        output.channelAxis = output.op == "MatMul" || output.op == "Gemm"
                                 ? static_cast<int>(output.shape.size()) - 1
                                 : 1;
        output.unreadable = "it is not in the dump";
        described.push_back(std::move(output));
    }
    return described;
}

std::vector<TensorInfo> withOperators(std::span<const TensorInfo> tensors,
                                      std::span<const GraphName> names,
                                      const model::ModelFile& model)
{
    const model::GraphIndex index(model.proto());
    std::vector<TensorInfo> described(tensors.begin(), tensors.end());
    for (std::size_t place = 0; place < described.size(); ++place) {
        if (!names[place].tensor)
            continue;
        const model::GraphTensor& found = model.tensors()[*names[place].tensor];
        described[place].graphName = found.name;
        const std::optional<std::size_t> graph = index.graphAt(found.scope);
        const auto indexed = graph ? index.findIn(*graph, found.name) : std::nullopt;
        const onnx::NodeProto* const node =
            indexed ? index.producer(index.tensors()[*indexed]) : nullptr;
        if (node != nullptr && !found.isConstant)
            describe(described[place], *node, index.tensors()[*indexed].output);
    }
    for (const model::LayerConstant& constant : model.layerConstants())
        for (std::size_t place = 0; place < described.size(); ++place)
            if (names[place].tensor == constant.tensor)
                describe(described[place], constant);
    return described;
}

}  // namespace calibscope::deploy
