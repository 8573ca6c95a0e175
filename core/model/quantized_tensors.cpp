// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantized_tensors.h"

#include "core/base/error.h"
#include "core/model/integer_ops.h"
#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"
#include "core/model/tensor_values.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

constexpr std::string_view dynamicOp = "DynamicQuantizeLinear";

std::size_t countInside(const ::onnx::GraphProto& graph)
{
    std::size_t count = 0;
    for (const ::onnx::NodeProto& node : graph.node()) {
        count += node.op_type() == dequantizeOp || integerOp(node) ? 1U : 0U;
        for (const ::onnx::AttributeProto& attribute : node.attribute()) {
            count += attribute.has_g() ? countInside(attribute.g()) : 0U;
            for (const ::onnx::GraphProto& inner : attribute.graphs())
                count += countInside(inner);
        }
    }
    return count;
}

const std::string& inputAt(const ::onnx::NodeProto& node, int position)
{
    static const std::string none;
    return position >= 0 && position < node.input_size() ? node.input(position) : none;
}

/// The main graph of a quantized model.
class QuantizedGraph
{
public:
    QuantizedGraph(const ModelFile& model, bool readsOtherFiles)
        : m_model(model), m_graph(model.proto().graph()), m_readsOtherFiles(readsOtherFiles)
    {
        for (std::size_t index = 0; index < model.tensors().size(); ++index)
            if (const GraphTensor& tensor = model.tensors()[index];
                tensor.scope.empty() && tensor.isConstant)
                m_constants.emplace(tensor.name, index);
        for (int index = 0; index < m_graph.node_size(); ++index) {
            const ::onnx::NodeProto& node = m_graph.node(index);
            for (int input = 0; input < node.input_size(); ++input)
                m_uses[node.input(input)].push_back({index, input});
            for (const std::string& output : node.output())
                m_maker.emplace(output, index);
        }
    }

    QuantizedTensors read()
    {
        for (int position = 0; position < m_graph.node_size(); ++position) {
            const ::onnx::NodeProto& node = m_graph.node(position);
            if (node.op_type() == quantizeOp && node.input_size() >= 2 && node.output_size() > 0)
                quantized(node);
            else if (node.op_type() == dequantizeOp && node.input_size() >= 2)
                dequantized(node);
            else if (node.op_type() == dynamicOp)
                ++m_found.leftOut;
            else if (const std::optional<IntegerOp> op = integerOp(node))
                computed(position, *op);
            for (const ::onnx::AttributeProto& attribute : node.attribute()) {
                m_found.inInnerGraphs += attribute.has_g() ? countInside(attribute.g()) : 0U;
                for (const ::onnx::GraphProto& inner : attribute.graphs())
                    m_found.inInnerGraphs += countInside(inner);
            }
        }
        for (std::vector<QuantizedTensor>* list : {&m_found.tensors, &m_found.unusable})
            std::ranges::stable_sort(*list, {}, &QuantizedTensor::order);
        return std::move(m_found);
    }

private:
    struct Use
    {
        int node = 0;
        int input = 0;
    };

    /// What a node says of a tensor's integers.
    struct Stated
    {
        std::string scale;
        std::string zeroPoint;                    ///< empty: 0
        std::optional<int> axis = {};             ///< of several scales
        std::optional<NumberFormat> format = {};  ///< where no zero point tells it
        std::vector<std::uint64_t> shape = {};    ///< of a weight
    };

    [[nodiscard]] std::optional<std::size_t> constant(const std::string& name) const
    {
        const auto found = m_constants.find(name);
        const bool isThere = found != m_constants.end() &&
                             (m_readsOtherFiles || m_model.dataFile(found->second).empty());
        return isThere ? std::optional(found->second) : std::nullopt;
    }

    [[nodiscard]] const std::vector<Use>& usesOf(const std::string& name) const
    {
        static const std::vector<Use> none;
        const auto found = m_uses.find(name);
        return found == m_uses.end() ? none : found->second;
    }

    [[nodiscard]] std::string dequantizedAs(const std::string& integers) const
    {
        for (const Use& use : usesOf(integers))
            if (const ::onnx::NodeProto& node = m_graph.node(use.node);
                node.op_type() == dequantizeOp && use.input == 0 && node.output_size() == 1)
                return node.output(0);
        return {};
    }

    /// What a constant that scales a weight holds; nothing where it is not as many numbers.
    [[nodiscard]] std::optional<std::vector<float>> numbers(const std::string& name,
                                                            std::uint64_t count) const
    {
        const std::optional<std::size_t> index = constant(name);
        if (!index || !m_model.tensors()[*index].elementType ||
            elementCount(m_model.tensors()[*index].shape) != count)
            return std::nullopt;
        return m_model.values(*index);
    }

    [[nodiscard]] std::uint64_t countOf(const std::string& name) const
    {
        const std::optional<std::size_t> index = constant(name);
        return index ? elementCount(m_model.tensors()[*index].shape).value_or(0) : 0;
    }

    [[nodiscard]] static std::optional<NumberFormat> formatOf(const GraphTensor& tensor)
    {
        return quantizedFormat(tensor.elementType, tensor.isPacked);
    }

    /// Values that share one of so many scales, if these are whole groups.
    [[nodiscard]] static std::uint64_t groupIn(std::uint64_t length, std::uint64_t scales)
    {
        return scales > 0 && length % scales == 0 ? length / scales : 1;
    }

    /// Scales, zero points and levels; nothing where they are not constants, or don't fit.
    [[nodiscard]] std::optional<TensorQuantization> quantizationOf(const Stated& stated) const
    {
        TensorQuantization read;
        const std::optional<std::size_t> zeroPoint = constant(stated.zeroPoint);
        const auto format = zeroPoint ? formatOf(m_model.tensors()[*zeroPoint]) : stated.format;
        const std::uint64_t count = countOf(stated.scale);
        if (!format || count == 0 || (!zeroPoint && !stated.zeroPoint.empty()))
            return std::nullopt;
        read.format = *format;
        if (count > 1) {
            read.axis =
                stated.axis ? axisFromFront(*stated.axis, stated.shape.size()) : std::nullopt;
            const std::vector<std::uint64_t>& scaled =
                m_model.tensors()[*constant(stated.scale)].shape;
            if (read.axis && scaled.size() == stated.shape.size() && scaled.size() > 1)
                read.group = groupIn(stated.shape[static_cast<std::size_t>(*read.axis)],
                                     scaled[static_cast<std::size_t>(*read.axis)]);
            if (!read.axis || elementCount(read.scaleShape(stated.shape)) != std::optional(count))
                return std::nullopt;
        }
        const auto scales = numbers(stated.scale, count);
        const auto zeroPoints =
            zeroPoint ? numbers(stated.zeroPoint, count)
                      : std::optional(std::vector<float>(static_cast<std::size_t>(count)));
        if (!scales || !zeroPoints)
            return std::nullopt;
        read.scales = *scales;
        read.zeroPoints.assign(zeroPoints->begin(), zeroPoints->end());
        return read;
    }

    /// A float tensor that is quantized; the graph's output has another name before.
    void quantized(const ::onnx::NodeProto& node)
    {
        const std::string& input = node.input(0);
        const std::size_t mark = input.rfind("_QuantizeLinear_Input");
        const bool isMarked = mark != std::string::npos && mark > 0;
        if (!constant(input))
            activation(isMarked ? input.substr(0, mark) : input, node.output(0), makerOp(input),
                       orderOf(input),
                       {.scale = node.input(1),
                        .zeroPoint = inputAt(node, 2),
                        .format = NumberFormat::integers(0, 255)});
    }

    [[nodiscard]] std::string makerOp(const std::string& name) const
    {
        const auto maker = m_maker.find(name);
        return maker == m_maker.end() ? "Input" : m_graph.node(maker->second).op_type();
    }

    [[nodiscard]] int orderOf(const std::string& name) const
    {
        const auto maker = m_maker.find(name);
        return maker == m_maker.end() ? -1 : 2 * maker->second + 1;
    }

    void activation(const std::string& name, const std::string& integers, std::string op, int order,
                    const Stated& stated)
    {
        if (m_seen.insert(name).second)
            keep({.name = name,
                  .op = std::move(op),
                  .order = order,
                  .integers = integers,
                  .scale = stated.scale,
                  .zeroPoint = stated.zeroPoint},
                 quantizationOf(stated));
    }

    /// A constant whose integers a node makes floats of.
    void dequantized(const ::onnx::NodeProto& node)
    {
        const auto integers = m_constants.find(node.input(0));
        if (integers == m_constants.end() || node.output_size() != 1)
            return;
        Use taker{.node = m_graph.node_size()};
        LayerConstant use;
        for (const Use& found : usesOf(node.output(0))) {
            const ::onnx::NodeProto& user = m_graph.node(found.node);
            const bool isLayer = isWeightInput(user, found.input);
            if (taker.node < m_graph.node_size() && !isLayer)
                continue;
            taker.node = std::min(taker.node, found.node);
            use.op = user.op_type();
            use.node = nodeText(user);
            use.input = found.input;
            use.channelAxis =
                isLayer ? channelAxisAt(user, found.input, shapeAt(integers->second).size())
                        : std::nullopt;
            if (isLayer)
                break;
        }
        const int axis = static_cast<int>(
            std::clamp<std::int64_t>(intAttribute(node, "axis", 1), std::numeric_limits<int>::min(),
                                     std::numeric_limits<int>::max()));
        weight(floatName(node.output(0), node.input(0), node.input(0)), integers->second,
               2 * taker.node, std::move(use),
               {.scale = node.input(1), .zeroPoint = inputAt(node, 2), .axis = axis});
    }

    [[nodiscard]] const std::vector<std::uint64_t>& shapeAt(std::size_t index) const
    {
        return m_model.tensors()[index].shape;
    }

    void weight(const std::string& name, std::size_t integers, int order, LayerConstant use,
                Stated stated)
    {
        const GraphTensor& constant = m_model.tensors()[integers];
        const std::optional<NumberFormat> format = formatOf(constant);
        if (!format) {
            m_found.leftOut += !constant.elementType && m_seen.insert(name).second ? 1U : 0U;
            return;
        }
        if (!m_seen.insert(name).second)
            return;
        use.tensor = integers;
        stated.format = format;
        stated.shape = constant.shape;
        std::optional<TensorQuantization> found = quantizationOf(stated);
        // A zero point that is of another type than the integers it belongs to.
        if (found && found->format != *format)
            found.reset();
        if (!use.channelAxis && found && found->group == 1)
            use.channelAxis = found->axis;
        keep({.name = name,
              .op = {},
              .isWeight = true,
              .order = order,
              .integers = constant.name,
              .scale = stated.scale,
              .zeroPoint = stated.zeroPoint,
              .use = std::move(use)},
             std::move(found));
    }

    /// Operands and result of an operator of integers.
    void computed(int position, const IntegerOp& op)
    {
        const ::onnx::NodeProto& node = m_graph.node(position);
        for (std::size_t operand = 0; operand < op.operands.size(); ++operand) {
            const IntegerPlaces& places = op.operands[operand];
            const std::string& integers = inputAt(node, places.integers);
            if (integers.empty())
                continue;
            Stated stated{.scale = inputAt(node, places.scale),
                          .zeroPoint = inputAt(node, places.zeroPoint)};
            const auto constant = m_constants.find(integers);
            if (constant != m_constants.end())
                weightOf(position, op, operand, constant->second, std::move(stated));
            else if (!stated.scale.empty())
                operandOf(integers, stated);
        }
        const std::string scale = op.result ? inputAt(node, op.result->scale) : "";
        if (scale.empty() || node.output_size() == 0)
            return;
        const std::string& integers = node.output(0);
        const std::string dequantized = dequantizedAs(integers);
        activation(floatName(dequantized, integers, dequantized.empty() ? integers : dequantized),
                   integers, std::string(op.floatOp), 2 * position + 1,
                   {.scale = scale,
                    .zeroPoint = inputAt(node, op.result->zeroPoint),
                    .format = NumberFormat::integers(0, 255)});
    }

    /// Integers that another node made: of a float tensor, or of integers.
    void operandOf(const std::string& integers, const Stated& stated)
    {
        const auto maker = m_maker.find(integers);
        if (maker != m_maker.end()) {
            const ::onnx::NodeProto& node = m_graph.node(maker->second);
            if (node.op_type() == quantizeOp || node.op_type() == dynamicOp || integerOp(node))
                return;  // tells it itself
        }
        activation(floatName({}, integers, integers), integers, makerOp(integers),
                   orderOf(integers), stated);
    }

    void weightOf(int position, const IntegerOp& op, std::size_t operand, std::size_t integers,
                  Stated stated)
    {
        const ::onnx::NodeProto& node = m_graph.node(position);
        const int input = static_cast<int>(operand);
        const auto rank = static_cast<int>(shapeAt(integers).size());
        ::onnx::NodeProto asFloat = node;
        asFloat.set_op_type(std::string(op.floatOp));
        asFloat.clear_domain();
        LayerConstant use;
        use.op = op.floatOp;
        use.node = nodeText(node);
        use.input = input;
        if (op.operands[operand].isLast)
            use.channelAxis = rank > 0 ? std::optional(rank - 1) : std::nullopt;
        else if (isWeightInput(asFloat, input))
            use.channelAxis = channelAxisAt(asFloat, input, static_cast<std::size_t>(rank));
        if (op.operands[operand].scale < 0 && node.output_size() > 0)
            stated.scale = scaleBehind(node.output(0));
        stated.axis = use.channelAxis;
        const std::string& name = m_model.tensors()[integers].name;
        weight(floatName(dequantizedAs(name), name, name), integers, 2 * position, std::move(use),
               std::move(stated));
    }

    /// The constant that sums of integers are multiplied with: behind a Cast, alone or times the
    /// scale of what was quantized as the model runs.
    [[nodiscard]] std::string scaleBehind(std::string sums) const
    {
        for (int steps = 0; steps < 2; ++steps)
            for (const Use& use : usesOf(sums)) {
                const ::onnx::NodeProto& node = m_graph.node(use.node);
                if (node.op_type() == "Cast" && node.output_size() == 1) {
                    sums = node.output(0);
                    break;
                }
                if (node.op_type() == "Mul" && node.input_size() == 2)
                    return constantFactor(node.input(1 - use.input));
            }
        return {};
    }

    [[nodiscard]] std::string constantFactor(const std::string& factor) const
    {
        const auto maker = m_maker.find(factor);
        if (m_constants.contains(factor) || maker == m_maker.end())
            return factor;
        const ::onnx::NodeProto& node = m_graph.node(maker->second);
        for (const std::string& input : node.input())
            if (node.op_type() == "Mul" && m_constants.contains(input))
                return input;
        return {};
    }

    void keep(QuantizedTensor tensor, std::optional<TensorQuantization> quantization)
    {
        if (!quantization) {
            ++m_found.leftOut;
            return;
        }
        tensor.quantization = *std::move(quantization);
        const bool isUsable = std::ranges::all_of(tensor.quantization.scales, isUsableScale);
        (isUsable ? m_found.tensors : m_found.unusable).push_back(std::move(tensor));
    }

    const ModelFile& m_model;
    const ::onnx::GraphProto& m_graph;
    bool m_readsOtherFiles = true;
    std::map<std::string, std::size_t> m_constants;  ///< places in the model's list
    std::map<std::string, std::vector<Use>> m_uses;
    std::map<std::string, int> m_maker;
    std::set<std::string> m_seen;
    QuantizedTensors m_found;
};

}  // namespace

std::optional<NumberFormat> quantizedFormat(const std::optional<ElementKind>& kind, bool isPacked)
{
    switch (kind.value_or(ElementKind::Float32)) {
    case ElementKind::Int8:
        return isPacked ? NumberFormat::integers(-8, 7) : NumberFormat::integers(-128, 127);
    case ElementKind::Uint8: return NumberFormat::integers(0, isPacked ? 15 : 255);
    case ElementKind::Int16: return NumberFormat::integers(-32768, 32767);
    case ElementKind::Uint16: return NumberFormat::integers(0, 65535);
    default: return std::nullopt;
    }
}

std::string floatName(const std::string& dequantized, const std::string& integers,
                      const std::string& absent)
{
    for (const auto& [name, mark] :
         {std::pair<const std::string&, std::string_view>{dequantized, "_DequantizeLinear_Output"},
          std::pair<const std::string&, std::string_view>{integers, "_quantized"}}) {
        const std::size_t end = name.rfind(mark);
        if (end != std::string::npos && end > 0)
            return name.substr(0, end);
    }
    return absent;
}

QuantizedTensors quantizedTensors(const ModelFile& quantized, bool readsOtherFiles)
{
    return QuantizedGraph(quantized, readsOtherFiles).read();
}

void dequantize(const TensorQuantization& quantization, std::span<const std::uint64_t> shape,
                std::uint64_t first, std::span<float> values)
{
    forEachRun(quantization.axisIn(shape), first, values.size(),
               [&](std::size_t channel, std::uint64_t from, std::uint64_t count) {
                   const IntegerScale scale = quantization.integerScale(channel);
                   for (float& value : values.subspan(from - first, count))
                       value = fromInteger(static_cast<int>(value), scale);
               });
}

std::vector<float> dequantizedValues(const ModelFile& quantized, const QuantizedTensor& weight)
{
    std::vector<float> values = quantized.values(weight.use.tensor);
    dequantize(weight.quantization, quantized.tensors()[weight.use.tensor].shape, 0, values);
    return values;
}

NumberFormat levelsOf(const ModelFile& quantized, const QuantizedTensor& tensor)
{
    const NumberFormat& format = tensor.quantization.format;
    const bool isSymmetric = format.low() == -format.high() - 1 &&
                             std::ranges::all_of(tensor.quantization.zeroPoints,
                                                 [](double zero) { return zero == 0.0; });
    if (!tensor.isWeight || !isSymmetric)
        return format;
    bool hasLeast = false;
    const auto hasLeastOf = [&](auto least, std::span<const std::byte> bytes) {
        for (std::size_t at = 0; at + sizeof(least) <= bytes.size(); at += sizeof(least))
            if (std::memcmp(&bytes[at], &least, sizeof(least)) == 0)
                return true;
        return false;
    };
    quantized.visitElements(tensor.use.tensor, [&](std::span<const std::byte> bytes) {
        hasLeast = hasLeast || (format.bits() <= 8
                                    ? hasLeastOf(static_cast<std::int8_t>(format.low()), bytes)
                                    : hasLeastOf(static_cast<std::int16_t>(format.low()), bytes));
    });
    return hasLeast ? format : NumberFormat::integers(format.low() + 1, format.high());
}

}  // namespace calibscope::model
