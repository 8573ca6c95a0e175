// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/layer_rows.h"

#include "core/layers/found_layers.h"
#include "core/model/node_attributes.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <onnx/onnx_pb.h>

namespace calibscope::deploy {

namespace {

bool isRowOp(std::string_view op)
{
    constexpr std::array<std::string_view, 3> ops{"Conv", "Gemm", "MatMul"};
    return std::ranges::find(ops, op) != ops.end();
}

/// As recorded; else those of the input's channels for each of which the weight has one.
std::uint64_t groupsOf(const TensorInfo& input, const TensorInfo& weight, const TensorInfo& output)
{
    if (output.op != "Conv")
        return 1;
    if (output.geometry.isRecorded())
        return static_cast<std::uint64_t>(
            std::max<std::int64_t>(output.geometry.group.value_or(1), 1));
    const std::uint64_t depth = weight.shape.size() > 1 ? weight.shape[1] : 0;
    const std::uint64_t channels = input.channelCount();
    return depth > 0 && channels % depth == 0 && channels > 0 ? channels / depth : 1;
}

void nameRow(TableLayer& row, const TensorInfo& output, const TensorInfo& weight)
{
    const bool isConsumer = !weight.consumer.empty() && weight.consumer != output.name;
    row.name = !output.node.empty() ? output.node : isConsumer ? weight.consumer : output.graphName;
    row.hasOwnName = !row.name.empty();
    if (row.name.empty())
        row.name = output.name;
}

/// What the model tells of the tensor that this node makes.
void describe(TensorInfo& tensor, const ::onnx::NodeProto& node)
{
    tensor.op = node.op_type();
    tensor.node = node.name();
    tensor.inputs = {node.input().begin(), node.input().end()};
    tensor.geometry = {};
    if (model::isOp(node, "Conv"))
        tensor.geometry.group = model::intAttribute(node, "group", 1);
}

}  // namespace

TableLayers layerRows(std::span<const TensorInfo> tensors)
{
    TableLayers layers;
    const NamedTensors names(tensors);
    for (const layers::FoundLayer& found : layers::foundLayers(tensors)) {
        const bool hasWeight =
            found.weight.tensor && tensors[*found.weight.tensor].role == Role::Weight;
        if (!isRowOp(found.op) || !hasWeight || found.isWeightFirst)
            continue;
        const TensorInfo& weight = tensors[*found.weight.tensor];
        if (!found.whyNot.empty()) {
            layers.whyNot.emplace(*found.weight.tensor, found.whyNot);
            continue;
        }
        TableLayer row{.inputs = {*found.input.tensor}, .weight = *found.weight.tensor};
        nameRow(row, tensors[*found.output], weight);
        row.groups = groupsOf(tensors[row.inputs.front()], weight, tensors[*found.output]);
        for (const std::size_t origin : layers::movedFrom(names, row.inputs.front()))
            row.inputs.push_back(origin);
        layers.rows.push_back(std::move(row));
    }
    for (const TableLayer& row : layers.rows)
        layers.whyNot.erase(row.weight);
    return layers;
}

std::vector<TensorInfo> tensorsInGraph(std::span<const TensorInfo> tensors,
                                       std::span<const std::string> names,
                                       const model::ModelFile& model)
{
    std::vector<TensorInfo> described(tensors.begin(), tensors.end());
    std::map<std::string_view, std::size_t> places;
    for (std::size_t place = 0; place < described.size(); ++place) {
        TensorInfo& tensor = described[place];
        tensor.name = names[place];
        tensor.graphName = names[place];
        tensor.consumer.clear();
        if (tensor.role != Role::Weight || names[place].empty())
            tensor.op.clear();
        tensor.inputs.clear();
        places.emplace(names[place], place);
    }
    const ::onnx::GraphProto& graph = model.proto().graph();
    std::vector<TensorInfo> others;
    for (const ::onnx::NodeProto& node : graph.node())
        for (const std::string& output : node.output()) {
            if (output.empty())
                continue;
            const auto place = places.find(output);
            if (place != places.end())
                describe(described[place->second], node);
            else
                describe(others.emplace_back(TensorInfo{
                             .name = output, .role = Role::Activation, .graphName = output}),
                         node);
        }
    described.insert(described.end(), others.begin(), others.end());
    return described;
}

std::string weightRowName(const std::string& layer)
{
    return layer + "_param_0";
}

exchange::LayerEntries layerEntries(std::span<const TensorInfo> tensors)
{
    exchange::LayerEntries entries;
    for (const TableLayer& row : layerRows(tensors).rows) {
        const auto recorded = std::ranges::find_if(
            row.inputs, [&](std::size_t place) { return !tensors[place].path.empty(); });
        if (recorded != row.inputs.end())
            entries.emplace(row.name, exchange::LayerEntry{.path = tensors[*recorded].path});
        entries.emplace(
            weightRowName(row.name),
            exchange::LayerEntry{.path = tensors[row.weight].path, .groups = row.groups});
    }
    return entries;
}

}  // namespace calibscope::deploy
