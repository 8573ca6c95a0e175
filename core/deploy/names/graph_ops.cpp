// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/graph_ops.h"

#include "core/layers/layer_plan.h"
#include "core/model/graph_index.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
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

}  // namespace

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
