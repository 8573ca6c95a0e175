// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/check_integers.h"

#include "core/base/error.h"
#include "core/model/graph_index.h"
#include "core/model/lift.h"
#include "core/model/node_attributes.h"
#include "core/model/tensor_values.h"
#include "core/quant/tensor_quantization.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

/// A DequantizeLinear with the initializers that it takes.
struct Dequantizer
{
    const ::onnx::TensorProto* integers = nullptr;
    const ::onnx::TensorProto* scales = nullptr;
    const ::onnx::TensorProto* zeroPoints = nullptr;
    std::optional<int> axis;
    std::uint64_t group = 1;
};

/// By the name of its integers, which no other tensor of the model has.
std::unordered_map<std::string, Dequantizer> dequantizersOf(const GraphIndex& index)
{
    std::unordered_map<std::string, Dequantizer> all;
    for (std::size_t graph = 0; graph < index.graphs().size(); ++graph)
        for (const ::onnx::NodeProto& node : index.graphs()[graph].proto->node()) {
            if (!isOp(node, "DequantizeLinear") || node.input_size() != 3)
                continue;
            const auto initializer = [&](int input) -> const ::onnx::TensorProto* {
                const auto tensor = index.find(graph, node.input(input));
                if (!tensor || !index.tensors()[*tensor].initializer)
                    return nullptr;
                const IndexedTensor& found = index.tensors()[*tensor];
                return &index.graphs()[found.graph].proto->initializer(*found.initializer);
            };
            Dequantizer& dequantizer = all[node.input(0)];
            dequantizer = {.integers = initializer(0),
                           .scales = initializer(1),
                           .zeroPoints = initializer(2),
                           .axis = std::nullopt};
            if (node.attribute_size() > 0)
                dequantizer.axis = static_cast<int>(intAttribute(node, "axis", 1));
            dequantizer.group = static_cast<std::uint64_t>(
                std::max<std::int64_t>(intAttribute(node, "block_size", 0), 1));
        }
    return all;
}

/// The first value that is not what its scale gives; nothing: all are.
std::optional<std::size_t> firstWrong(const Dequantizer& read, const TensorQuantization& wanted,
                                      const std::vector<float>& weight, const std::string& path)
{
    const StoredTensor stored = storedTensor(*read.integers, path);
    const std::vector<float> integers = floatValues(stored);
    const std::vector<float> scales = floatValues(storedTensor(*read.scales, path));
    const std::vector<float> zeroPoints = floatValues(storedTensor(*read.zeroPoints, path));
    if (integers.size() != weight.size() || scales != wanted.scales || read.axis != wanted.axis ||
        read.group != wanted.group || zeroPoints.size() != scales.size())
        return 0;
    std::optional<std::size_t> wrong;
    forEachRun(wanted.axisIn(stored.shape), 0, weight.size(),
               [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                   const IntegerScale scale = wanted.integerScale(channel);
                   for (std::uint64_t i = first; i < first + count; ++i) {
                       const float made = (integers[i] - zeroPoints[channel]) * scales[channel];
                       const float due = fromInteger(integerOf(weight[i], scale), scale);
                       if (std::bit_cast<std::uint32_t>(made) !=
                               std::bit_cast<std::uint32_t>(due) &&
                           !wrong)
                           wrong = i;
                   }
               });
    return wrong;
}

}  // namespace

void checkIntegers(const ::onnx::ModelProto& quantized, std::span<const IntegerTensor> weights,
                   const ModelFile& source,
                   const std::map<std::pair<std::string, std::string>, std::vector<float>>& changed)
{
    const GraphIndex index(quantized);
    const std::unordered_map<std::string, Dequantizer> dequantizers = dequantizersOf(index);
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < source.tensors().size(); ++i)
        places.emplace(std::pair(source.tensors()[i].scope, source.tensors()[i].name), i);
    for (const IntegerTensor& weight : weights) {
        const auto read = dequantizers.find(weight.integers);
        const auto place = places.find({weight.scales.scope, weight.scales.tensor});
        const bool isThere = read != dequantizers.end() && place != places.end() &&
                             read->second.integers != nullptr && read->second.scales != nullptr &&
                             read->second.zeroPoints != nullptr;
        const auto other = changed.find({weight.scales.scope, weight.scales.tensor});
        if (!isThere ||
            firstWrong(read->second, weight.scales.quantization,
                       other == changed.end() ? source.values(place->second) : other->second,
                       source.path()))
            throw Error(Fault::Output,
                        "{}: the integers of `{}` do not give its values back; nothing is written",
                        source.path(), weight.scales.tensor);
    }
}

}  // namespace calibscope::model
