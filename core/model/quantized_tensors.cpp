// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantized_tensors.h"

#include "core/base/error.h"
#include "core/model/tensor_values.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

constexpr std::string_view quantizeOp = "QuantizeLinear";
constexpr std::string_view dequantizeOp = "DequantizeLinear";

/// The integers of a type; nothing for those that are not those of a quantized tensor.
std::optional<NumberFormat> formatOf(std::int32_t dataType)
{
    switch (dataType) {
    case ::onnx::TensorProto::INT8: return NumberFormat::integers(-128, 127);
    case ::onnx::TensorProto::UINT8: return NumberFormat::integers(0, 255);
    case ::onnx::TensorProto::INT16: return NumberFormat::integers(-32768, 32767);
    case ::onnx::TensorProto::UINT16: return NumberFormat::integers(0, 65535);
    default: return std::nullopt;
    }
}

/// "w_DequantizeLinear_Output_2" -> "w"
std::string floatName(const std::string& dequantized, const std::string& integers)
{
    for (const auto& [name, mark] :
         {std::pair<const std::string&, std::string_view>{dequantized, "_DequantizeLinear_Output"},
          std::pair<const std::string&, std::string_view>{integers, "_quantized"}}) {
        const std::size_t end = name.rfind(mark);
        if (end != std::string::npos && end > 0)
            return name.substr(0, end);
    }
    return integers;
}

std::size_t countInside(const ::onnx::GraphProto& graph)
{
    std::size_t count = 0;
    for (const ::onnx::NodeProto& node : graph.node()) {
        count += node.op_type() == dequantizeOp ? 1U : 0U;
        for (const ::onnx::AttributeProto& attribute : node.attribute()) {
            count += attribute.has_g() ? countInside(attribute.g()) : 0U;
            for (const ::onnx::GraphProto& inner : attribute.graphs())
                count += countInside(inner);
        }
    }
    return count;
}

/// The main graph of a quantized model.
class QuantizedGraph
{
public:
    explicit QuantizedGraph(const ModelFile& model)
        : m_path(model.path()), m_graph(model.proto().graph())
    {
        for (const ::onnx::TensorProto& tensor : m_graph.initializer())
            m_constants.emplace(tensor.name(), &tensor);
        for (int index = 0; index < m_graph.node_size(); ++index) {
            const ::onnx::NodeProto& node = m_graph.node(index);
            for (const std::string& input : node.input())
                m_firstUse.emplace(input, index);
            for (const std::string& output : node.output())
                m_maker.emplace(output, index);
            if (node.op_type() == "Constant" && node.output_size() == 1 &&
                node.attribute_size() == 1 && node.attribute(0).has_t())
                m_constants.emplace(node.output(0), &node.attribute(0).t());
        }
    }

    QuantizedTensors read()
    {
        for (const ::onnx::NodeProto& node : m_graph.node())
            if (node.op_type() == quantizeOp && node.input_size() >= 2)
                activation(node);
            else if (node.op_type() == dequantizeOp && node.input_size() >= 2)
                weight(node);
            else
                for (const ::onnx::AttributeProto& attribute : node.attribute()) {
                    m_found.inInnerGraphs += attribute.has_g() ? countInside(attribute.g()) : 0U;
                    for (const ::onnx::GraphProto& inner : attribute.graphs())
                        m_found.inInnerGraphs += countInside(inner);
                }
        std::ranges::stable_sort(m_found.tensors, {}, &QuantizedTensor::order);
        return std::move(m_found);
    }

private:
    [[nodiscard]] const ::onnx::TensorProto* constant(const std::string& name) const
    {
        const auto found = m_constants.find(name);
        return found == m_constants.end() ? nullptr : found->second;
    }

    /// Scales, zero points and levels of a node of either op; false where they are not constants.
    [[nodiscard]] bool readScales(const ::onnx::NodeProto& node, std::int32_t dataType,
                                  TensorQuantization& read) const
    {
        const ::onnx::TensorProto* scale = constant(node.input(1));
        const ::onnx::TensorProto* zeroPoint =
            node.input_size() > 2 && !node.input(2).empty() ? constant(node.input(2)) : nullptr;
        if (scale == nullptr || (node.input_size() > 2 && !node.input(2).empty() && !zeroPoint))
            return false;
        const auto format = formatOf(zeroPoint != nullptr ? zeroPoint->data_type() : dataType);
        if (!format)
            return false;
        read.format = *format;
        read.scales = floatValues(storedTensor(*scale, m_path));
        if (!std::ranges::all_of(read.scales, isUsableScale))
            return false;
        read.zeroPoints.assign(read.scales.size(), 0.0);
        if (zeroPoint != nullptr) {
            const std::vector<float> values = floatValues(storedTensor(*zeroPoint, m_path));
            if (values.size() != read.scales.size())
                return false;
            read.zeroPoints.assign(values.begin(), values.end());
        }
        if (scale->dims_size() > 0 && !read.scales.empty()) {
            read.axis = 1;  // the operator's default
            for (const ::onnx::AttributeProto& attribute : node.attribute())
                if (attribute.name() == "axis")
                    read.axis = static_cast<int>(
                        std::clamp<std::int64_t>(attribute.i(), std::numeric_limits<int>::min(),
                                                 std::numeric_limits<int>::max()));
        }
        return !read.scales.empty();
    }

    void activation(const ::onnx::NodeProto& node)
    {
        if (constant(node.input(0)) != nullptr || !m_seen.insert(node.input(0)).second)
            return;
        QuantizedTensor tensor{.name = node.input(0), .op = "Input", .order = -1};
        const auto maker = m_maker.find(node.input(0));
        if (maker != m_maker.end()) {
            tensor.op = m_graph.node(maker->second).op_type();
            tensor.order = 2 * maker->second + 1;
        }
        const bool isRead = readScales(node, ::onnx::TensorProto::UINT8, tensor.quantization);
        keep(isRead, std::move(tensor));
    }

    void weight(const ::onnx::NodeProto& node)
    {
        const ::onnx::TensorProto* integers = constant(node.input(0));
        if (integers == nullptr || node.output_size() != 1 || !formatOf(integers->data_type()))
            return;
        QuantizedTensor tensor{
            .name = floatName(node.output(0), node.input(0)), .op = {}, .isWeight = true};
        if (!m_seen.insert(tensor.name).second)
            return;
        const auto use = m_firstUse.find(node.output(0));
        tensor.order = 2 * (use == m_firstUse.end() ? m_graph.node_size() : use->second);
        const bool isRead = readScales(node, integers->data_type(), tensor.quantization) &&
                            dequantize(*integers, tensor);
        keep(isRead, std::move(tensor));
    }

    [[nodiscard]] bool dequantize(const ::onnx::TensorProto& integers,
                                  QuantizedTensor& tensor) const
    {
        const StoredTensor stored = storedTensor(integers, m_path);
        tensor.values = floatValues(stored);
        const TensorQuantization& quantization = tensor.quantization;
        ChannelAxis scaled;
        if (quantization.axis) {
            const auto axis = axisFromFront(*quantization.axis, stored.shape.size());
            if (!axis)
                return false;
            scaled = axisWithin(stored.shape, *axis);
        }
        if (quantization.scales.size() != scaled.channels)
            return false;
        forEachRun(scaled, 0, tensor.values.size(),
                   [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                       const IntegerScale scale = quantization.integerScale(channel);
                       for (float& value : std::span(tensor.values).subspan(first, count))
                           value = fromInteger(static_cast<int>(value), scale);
                   });
        return true;
    }

    void keep(bool isUnderstood, QuantizedTensor tensor)
    {
        if (isUnderstood)
            m_found.tensors.push_back(std::move(tensor));
        else
            ++m_found.notUnderstood;
    }

    std::string m_path;
    const ::onnx::GraphProto& m_graph;
    std::map<std::string, const ::onnx::TensorProto*> m_constants;
    std::map<std::string, int> m_firstUse;
    std::map<std::string, int> m_maker;
    std::set<std::string> m_seen;
    QuantizedTensors m_found;
};

}  // namespace

QuantizedTensors quantizedTensors(const ModelFile& quantized)
{
    return QuantizedGraph(quantized).read();
}

}  // namespace calibscope::model
