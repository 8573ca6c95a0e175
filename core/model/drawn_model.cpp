// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/drawn_model.h"

#include "core/base/digest.h"
#include "core/base/split_mix.h"
#include "core/model/graph_edits.h"
#include "core/model/graph_index.h"
#include "core/model/node_attributes.h"
#include "core/model/probed_model.h"
#include "core/model/quantized_tensors.h"
#include "core/model/tensor_values.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

static_assert(std::endian::native == std::endian::little, "raw_data holds the lowest byte first");

/// A constant of scales.
struct DrawnScale
{
    std::string tensor;     ///< whose factors it gets
    std::size_t first = 0;  ///< the scale, in the index, with which it is drawn or not
};

/// A weight in integers.
struct DrawnWeight
{
    std::size_t scale = 0;  ///< in the index
    ::onnx::TensorProto* integers = nullptr;
    std::size_t recorded = 0;  ///< among the recorded model's tensors
    TensorQuantization quantization;
};

void setRaw(::onnx::TensorProto& tensor, std::string bytes)
{
    tensor.clear_float_data();
    tensor.clear_int32_data();
    tensor.set_raw_data(std::move(bytes));
}

/// Scales, zero points and levels of a node of either op, whose integers are of that data type
/// unless there is a zero point (null: none). Nothing for scales that quantize nothing, another
/// number of zero points, and types that are not those of a quantized tensor (biases' int32).
std::optional<TensorQuantization> storedQuantization(const ::onnx::NodeProto& node,
                                                     const ::onnx::TensorProto& scale,
                                                     const ::onnx::TensorProto* zeroPoint,
                                                     std::int32_t dataType, const std::string& path)
{
    const std::int32_t type = zeroPoint != nullptr ? zeroPoint->data_type() : dataType;
    const auto format = quantizedFormat(kindOfDataType(type), isPacked(type));
    if (!format)
        return std::nullopt;
    TensorQuantization read{.format = *format};
    read.scales = floatValues(storedTensor(scale, path));
    if (read.scales.empty() || !std::ranges::all_of(read.scales, isUsableScale))
        return std::nullopt;
    read.zeroPoints.assign(read.scales.size(), 0.0);
    if (zeroPoint != nullptr) {
        const std::vector<float> values = floatValues(storedTensor(*zeroPoint, path));
        if (values.size() != read.scales.size())
            return std::nullopt;
        read.zeroPoints.assign(values.begin(), values.end());
    }
    if (scale.dims_size() > 0)
        read.axis = static_cast<int>(std::clamp<std::int64_t>(intAttribute(node, "axis", 1),
                                                              std::numeric_limits<int>::min(),
                                                              std::numeric_limits<int>::max()));
    read.group =
        static_cast<std::uint64_t>(std::max<std::int64_t>(intAttribute(node, "block_size", 0), 1));
    return read;
}

/// One draw of one model.
class ModelDraw
{
public:
    ModelDraw(const ModelFile& quantized, const ModelFile& recorded)
        : m_path(quantized.path()),
          m_recorded(recorded),
          m_index(quantized.proto()),
          m_model(quantized.proto())
    {
        bringIn(m_model, m_path);
        m_graphs = graphsOf(m_model);
        for (std::size_t index = 0; index < recorded.tensors().size(); ++index)
            if (const GraphTensor& tensor = recorded.tensors()[index]; tensor.isConstant)
                m_constants.emplace(std::pair(tensor.scope, tensor.name), index);
        for (std::size_t graph = 0; graph < m_index.graphs().size(); ++graph)
            for (const ::onnx::NodeProto& node : m_index.graphs()[graph].proto->node())
                find(graph, node);
    }

    DrawnModel make(std::uint64_t draw)
    {
        DrawnModel drawn;
        std::map<std::size_t, std::vector<float>> scales;
        for (const auto& [index, scale] : m_scales) {
            if (m_fixed.contains(scale.first)) {
                ++drawn.unchanged;
                continue;
            }
            ::onnx::TensorProto& tensor = *constant(index);
            std::vector<float> values = floatValues(storedTensor(tensor, m_path));
            const std::vector<double> factors = drawnFactors(scale.tensor, draw, values.size());
            std::ranges::transform(values, factors, values.begin(), [](float value, double factor) {
                return static_cast<float>(static_cast<double>(value) * factor);
            });
            setRaw(tensor,
                   {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
            scales.emplace(index, std::move(values));
            ++drawn.scales;
        }
        for (const DrawnWeight& weight : m_weights)
            if (const auto found = scales.find(weight.scale); found != scales.end())
                setRaw(*weight.integers, integerBytes<int>(rounded(weight, found->second),
                                                           weight.integers->data_type()));
        drawn.bytes = modelBytes(m_model, m_path);
        return drawn;
    }

private:
    /// The stored constant; null for what is none.
    [[nodiscard]] ::onnx::TensorProto* constant(std::size_t index) const
    {
        const IndexedTensor& tensor = m_index.tensors()[index];
        ::onnx::GraphProto& graph = *m_graphs[tensor.graph];
        if (tensor.initializer)
            return graph.mutable_initializer(*tensor.initializer);
        if (!tensor.producer)
            return nullptr;
        ::onnx::NodeProto& node = *graph.mutable_node(*tensor.producer);
        const bool isStored =
            node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t();
        return isStored ? node.mutable_attribute(0)->mutable_t() : nullptr;
    }

    /// Nothing but QuantizeLinear and DequantizeLinear takes it, as their scale.
    [[nodiscard]] bool isScaleAlone(std::size_t index) const
    {
        const ::onnx::TensorProto* stored = constant(index);
        const IndexedTensor& tensor = m_index.tensors()[index];
        return stored != nullptr && stored->data_type() == ::onnx::TensorProto::FLOAT &&
               !tensor.isGraphOutput && std::ranges::all_of(tensor.uses, [&](const TensorUse& use) {
                   const std::string& op = m_index.node(use).op_type();
                   return use.input == 1 && (op == quantizeOp || op == dequantizeOp);
               });
    }

    DrawnScale& add(std::size_t scale, const std::string& tensor)
    {
        const auto [added, isNew] = m_scales.try_emplace(scale, DrawnScale{tensor, scale});
        if (isNew && !isScaleAlone(scale))
            m_fixed.insert(scale);
        return added->second;
    }

    void find(std::size_t graph, const ::onnx::NodeProto& node)
    {
        const bool isQuantize = node.op_type() == quantizeOp;
        if ((!isQuantize && node.op_type() != dequantizeOp) || node.input_size() < 2)
            return;
        const std::optional<std::size_t> scale = m_index.find(graph, node.input(1));
        const std::optional<std::size_t> from = m_index.find(graph, node.input(0));
        if (!scale || !from)
            return;
        if (isQuantize) {
            add(*scale, node.input(0));
            return;
        }
        const IndexedTensor& integers = m_index.tensors()[*from];
        const ::onnx::NodeProto* producer = m_index.producer(integers);
        const bool isPair = producer != nullptr && producer->op_type() == quantizeOp;
        const auto other = isPair ? m_index.find(integers.graph, producer->input(1)) : std::nullopt;
        if (other && m_scales.contains(*other))
            join(*scale, m_scales.at(*other));
        else
            addWeight(graph, node, *scale, *from);
    }

    /// The scale behind a pair's other half: both are drawn alike, or neither is.
    void join(std::size_t scale, const DrawnScale& other)
    {
        const DrawnScale before = other;
        DrawnScale& joined = add(scale, before.tensor);
        if (joined.first == before.first)
            return;
        if (joined.first != scale || m_fixed.contains(scale)) {
            m_fixed.insert({joined.first, before.first});  // two pairs would want it
            return;
        }
        joined.first = before.first;
    }

    void addWeight(std::size_t graph, const ::onnx::NodeProto& node, std::size_t scale,
                   std::size_t integers)
    {
        const std::string name = floatName(node.output(0), node.input(0), node.input(0));
        const std::size_t first = add(scale, name).first;
        const std::optional<DrawnWeight> weight = weightOf(graph, node, scale, integers, name);
        if (!weight || rounded(*weight, weight->quantization.scales) != stored(*weight)) {
            m_fixed.insert(first);
            return;
        }
        m_weights.push_back(*weight);
    }

    [[nodiscard]] std::optional<DrawnWeight> weightOf(std::size_t graph,
                                                      const ::onnx::NodeProto& node,
                                                      std::size_t scale, std::size_t integers,
                                                      const std::string& name) const
    {
        const auto recorded =
            m_constants.find({m_index.graphs()[m_index.tensors()[integers].graph].scope, name});
        ::onnx::TensorProto* const tensor = constant(integers);
        const auto zero = node.input_size() > 2 ? m_index.find(graph, node.input(2)) : std::nullopt;
        const ::onnx::TensorProto* const zeroPoint = zero ? constant(*zero) : nullptr;
        if (recorded == m_constants.end() || tensor == nullptr || constant(scale) == nullptr ||
            (zero && zeroPoint == nullptr))
            return std::nullopt;
        const auto quantization =
            storedQuantization(node, *constant(scale), zeroPoint, tensor->data_type(), m_path);
        if (!quantization)
            return std::nullopt;
        return DrawnWeight{.scale = scale,
                           .integers = tensor,
                           .recorded = recorded->second,
                           .quantization = *quantization};
    }

    [[nodiscard]] std::vector<int> stored(const DrawnWeight& weight) const
    {
        const std::vector<float> values = floatValues(storedTensor(*weight.integers, m_path));
        return {values.begin(), values.end()};
    }

    /// The recorded values in steps of those scales, up to the outermost integers that each
    /// channel has; a NaN has the integer that it had. Empty where the shapes don't fit.
    [[nodiscard]] std::vector<int> rounded(const DrawnWeight& weight,
                                           const std::vector<float>& scales) const
    {
        std::vector<int> integers = stored(weight);
        const std::vector<float> values = m_recorded.values(weight.recorded);
        const std::vector<std::uint64_t> shape = shapeOf(*weight.integers, m_path);
        TensorQuantization quantization = weight.quantization;
        if (quantization.axis) {
            quantization.axis = axisFromFront(*quantization.axis, shape.size());
            if (!quantization.axis ||
                shape[static_cast<std::size_t>(*quantization.axis)] % quantization.group != 0)
                return {};
        }
        const ChannelAxis scaled = quantization.axisIn(shape);
        if (values.size() != integers.size() ||
            elementCount(quantization.scaleShape(shape)) != std::optional(scales.size()))
            return {};
        std::vector<IntegerScale> channels;
        for (std::size_t channel = 0; channel < scales.size(); ++channel) {
            channels.push_back(weight.quantization.integerScale(channel));
            channels.back().scale = scales[channel];
            // A larger scale moves integers to the zero point, so this end is open to all.
            channels.back().low = channels.back().zeroPoint;
            channels.back().high = channels.back().zeroPoint;
        }
        forEachRun(scaled, 0, integers.size(),
                   [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                       IntegerScale& scale = channels[channel];
                       for (const int integer : std::span(integers).subspan(first, count)) {
                           scale.low = std::min(scale.low, integer);
                           scale.high = std::max(scale.high, integer);
                       }
                   });
        forEachRun(scaled, 0, integers.size(),
                   [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                       for (std::uint64_t index = first; index < first + count; ++index)
                           if (!std::isnan(values[index]))
                               integers[index] = integerOf(values[index], channels[channel]);
                   });
        return integers;
    }

    std::string m_path;
    const ModelFile& m_recorded;
    GraphIndex m_index;
    ::onnx::ModelProto m_model;
    std::vector<::onnx::GraphProto*> m_graphs;
    std::map<std::pair<std::string, std::string>, std::size_t> m_constants;  ///< by scope and name
    std::map<std::size_t, DrawnScale> m_scales;                              ///< by the index
    std::set<std::size_t> m_fixed;  ///< DrawnScale::first of those that are not drawn
    std::vector<DrawnWeight> m_weights;
};

}  // namespace

std::vector<double> drawnFactors(std::string_view tensor, std::uint64_t draw, std::size_t count)
{
    constexpr double share = 1.0 / static_cast<double>(std::uint64_t{1} << 53U);
    SplitMix numbers(fnv1a<std::uint64_t>(std::string(tensor) + "\n" + std::to_string(draw)));
    std::vector<double> factors(count);
    for (double& factor : factors)
        factor = 1.0 + (mostDrawnFactor - 1.0) * static_cast<double>(numbers.next() >> 11U) * share;
    return factors;
}

DrawnModel drawnModel(const ModelFile& quantized, const ModelFile& recorded, std::uint64_t draw)
{
    return ModelDraw(quantized, recorded).make(draw);
}

}  // namespace calibscope::model
