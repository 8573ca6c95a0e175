// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_layers.h"

#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <map>
#include <numeric>

namespace calibscope::model {

namespace {

double weightProduct(const std::vector<std::uint64_t>& shape)
{
    return std::accumulate(
        shape.begin(), shape.end(), 1.0,
        [](double product, std::uint64_t length) { return product * static_cast<double>(length); });
}

/// Multiplications of one value of the sized tensor; 0: of that shape no layer has a weight.
double multiplicationsOf(const ::onnx::NodeProto& node, int input,
                         const std::vector<std::uint64_t>& weight)
{
    if (weight.empty() || weightProduct(weight) == 0.0)
        return 0.0;
    if (isOp(node, "MatMul") && input == 0)
        return static_cast<double>(weight.back());
    if (isOp(node, "MatMul"))
        return static_cast<double>(weight.size() < 2 ? weight.front() : weight[weight.size() - 2]);
    if (isOp(node, "ConvTranspose"))
        return weightProduct(weight) / static_cast<double>(weight.front());
    const auto axis = channelAxisAt(node, input, weight.size());
    return axis ? weightProduct(weight) /
                      static_cast<double>(weight[static_cast<std::size_t>(*axis)])
                : 0.0;
}

}  // namespace

std::vector<ModelLayer> modelLayers(const ModelFile& model)
{
    const ::onnx::GraphProto& graph = model.proto().graph();
    std::map<std::string, const ::onnx::NodeProto*, std::less<>> makers;
    for (const ::onnx::NodeProto& node : graph.node())
        for (const std::string& output : node.output())
            makers.emplace(output, &node);
    std::map<std::string, const GraphTensor*, std::less<>> constants;
    for (const GraphTensor& tensor : model.tensors())
        if (tensor.scope.empty() && tensor.isConstant)
            constants.emplace(tensor.name, &tensor);
    std::vector<ModelLayer> layers;
    for (const ::onnx::NodeProto& node : graph.node()) {
        if (!isLayer(node) || node.input_size() < 2 || node.output_size() < 1)
            continue;
        ModelLayer layer{.output = node.output(0), .operands = {}, .sized = node.output(0)};
        for (int input = 0; input < 2; ++input) {
            const auto weight = constants.find(node.input(input));
            if (weight != constants.end() && isWeightInput(node, input)) {
                layer.weightValues = weightProduct(weight->second->shape);
                layer.multiplications = multiplicationsOf(node, input, weight->second->shape);
            }
            for (std::string name = node.input(input);;) {
                layer.operands.push_back(name);
                const auto maker = makers.find(name);
                if (maker == makers.end() || !movesValues(*maker->second) ||
                    maker->second->input_size() == 0)
                    break;
                name = maker->second->input(0);
            }
        }
        if (isOp(node, "ConvTranspose"))
            layer.sized = node.input(0);
        if (layer.multiplications > 0.0)
            layers.push_back(std::move(layer));
    }
    return layers;
}

}  // namespace calibscope::model
