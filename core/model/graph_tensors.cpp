// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_tensors.h"

#include "core/base/error.h"
#include "core/model/external_data.h"
#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

// Values of a few integers are axes and shapes, which decide how others are moved.
constexpr std::uint64_t fewValues = 16;
// Every tensor tells its scope.
constexpr std::size_t mostScopeBytes = 256;
// Chains are a handful of ops long, and move a weight or two: these are the ends of patience.
constexpr int mostMoves = 64;
constexpr std::uint64_t bytesOfMove = 4096;
constexpr std::uint64_t mostBytesMoved = std::uint64_t{4} << 30U;

/// A graph, with what its names stand for.
struct Scope
{
    const ::onnx::GraphProto* graph = nullptr;
    std::string name;
    std::optional<std::size_t> parent;
    std::unordered_map<std::string_view, std::size_t> tensors;
};

const ::onnx::AttributeProto* constantsValue(const ::onnx::NodeProto& node)
{
    const bool isConstant = node.op_type() == "Constant" && node.attribute_size() == 1 &&
                            (node.domain().empty() || node.domain() == "ai.onnx");
    return isConstant ? &node.attribute(0) : nullptr;
}

template <typename Number, typename Field>
StoredTensor listedNumbers(ElementKind kind, const Field& numbers)
{
    StoredTensor tensor{
        .kind = kind, .shape = {static_cast<std::uint64_t>(numbers.size())}, .bytes = {}};
    for (const Number number : numbers) {
        const auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
        tensor.bytes.append(bytes.data(), bytes.size());
    }
    return tensor;
}

/// What value_float, value_floats, value_int and value_ints hold; nothing for other attributes.
std::optional<StoredTensor> numbersOf(const ::onnx::AttributeProto& attribute)
{
    const std::string& name = attribute.name();
    if (name == "value_floats")
        return listedNumbers<float>(ElementKind::Float32, attribute.floats());
    if (name == "value_ints")
        return listedNumbers<std::int64_t>(ElementKind::Int64, attribute.ints());
    StoredTensor tensor;
    if (name == "value_float")
        tensor = listedNumbers<float>(ElementKind::Float32, std::array{attribute.f()});
    else if (name == "value_int")
        tensor = listedNumbers<std::int64_t>(ElementKind::Int64,
                                             std::array{static_cast<std::int64_t>(attribute.i())});
    else
        return std::nullopt;
    tensor.shape.clear();
    return tensor;
}

class Lister
{
public:
    explicit Lister(std::string path) : m_path(std::move(path)) {}

    GraphTensors list(const ::onnx::GraphProto& graph)
    {
        addGraph(graph, {}, std::nullopt);
        m_layers.resize(m_list.tensors.size());
        for (const Scope& scope : m_scopes)
            noteConsumers(scope);
        for (std::optional<LayerConstant>& layer : m_layers)
            if (layer)
                m_list.layerConstants.push_back(*std::move(layer));
        return std::move(m_list);
    }

private:
    void addGraph(const ::onnx::GraphProto& graph, std::string name,
                  std::optional<std::size_t> parent)
    {
        const std::size_t scope = m_scopes.size();
        if (name.size() > mostScopeBytes)
            name = "graph_" + std::to_string(scope);
        m_scopes.push_back(
            {.graph = &graph, .name = std::move(name), .parent = parent, .tensors = {}});
        std::unordered_map<std::string_view, bool> isInitializer;
        for (const ::onnx::TensorProto& tensor : graph.initializer())
            isInitializer[tensor.name()] = true;
        for (const ::onnx::ValueInfoProto& input : graph.input())
            if (!isInitializer.contains(input.name()))
                m_list.tensors[add(scope, input.name())].op = "Input";
        for (const ::onnx::TensorProto& tensor : graph.initializer())
            setStored(add(scope, tensor.name()), tensor);
        for (const ::onnx::NodeProto& node : graph.node())
            addOutputs(scope, node);
        for (int place = 0; place < graph.node_size(); ++place)
            addInnerGraphs(scope, place);
    }

    void addOutputs(std::size_t scope, const ::onnx::NodeProto& node)
    {
        for (const std::string& output : node.output()) {
            if (output.empty())
                continue;
            const std::size_t tensor = add(scope, output);
            m_list.tensors[tensor].op = node.op_type();
            if (&output != &node.output(0))
                continue;
            if (const ::onnx::AttributeProto* value = constantsValue(node))
                setConstant(tensor, *value);
            else if (onlyMovesValues(node))
                setMoved(scope, tensor, node);
        }
    }

    void addInnerGraphs(std::size_t scope, int place)
    {
        const ::onnx::NodeProto& node = m_scopes[scope].graph->node(place);
        for (const ::onnx::AttributeProto& attribute : node.attribute()) {
            const std::string owner =
                (m_scopes[scope].name.empty() ? "" : m_scopes[scope].name + "/") +
                (node.name().empty() ? node.op_type() + "_" + std::to_string(place) : node.name()) +
                "." + attribute.name();
            if (attribute.has_g())
                addGraph(attribute.g(), owner, scope);
            for (int graph = 0; graph < attribute.graphs_size(); ++graph)
                addGraph(attribute.graphs(graph), owner + std::to_string(graph), scope);
        }
    }

    std::size_t add(std::size_t scope, const std::string& name)
    {
        const std::size_t tensor = m_list.tensors.size();
        m_list.tensors.push_back({.name = name,
                                  .scope = m_scopes[scope].name,
                                  .op = {},
                                  .elementType = {},
                                  .shape = {},
                                  .consumerOp = {}});
        m_list.sources.emplace_back();
        m_few.emplace_back();
        m_scopes[scope].tensors.try_emplace(name, tensor);
        return tensor;
    }

    [[nodiscard]] std::optional<std::size_t> find(std::size_t scope, std::string_view name) const
    {
        for (std::optional<std::size_t> at = scope; at; at = m_scopes[*at].parent)
            if (const auto found = m_scopes[*at].tensors.find(name);
                found != m_scopes[*at].tensors.end())
                return found->second;
        return std::nullopt;
    }

    void setConstant(std::size_t tensor, const ::onnx::AttributeProto& value)
    {
        if (value.name() == "value" && value.has_t()) {
            setStored(tensor, value.t());
        } else if (std::optional<StoredTensor> numbers = numbersOf(value)) {
            m_list.sources[tensor].number = &value;
            note(tensor, numbers->kind, numbers->shape);
            if (numbers->shape.empty() || numbers->shape.front() <= fewValues)
                m_few[tensor] = std::move(numbers);
        }
    }

    void setStored(std::size_t tensor, const ::onnx::TensorProto& stored)
    {
        if (isExternal(stored))
            static_cast<void>(externalPlace(stored, m_path));
        m_list.sources[tensor].stored = &stored;
        note(tensor, kindOfDataType(stored.data_type()), shapeOf(stored, m_path));
        m_list.tensors[tensor].isPacked = isPacked(stored.data_type());
        const GraphTensor& noted = m_list.tensors[tensor];
        if (noted.elementType && ElementType{*noted.elementType}.isInteger() &&
            elementCount(noted.shape).value_or(fewValues + 1) <= fewValues && !isExternal(stored))
            m_few[tensor] = storedTensor(stored, m_path);
    }

    void setMoved(std::size_t scope, std::size_t tensor, const ::onnx::NodeProto& node)
    {
        ConstantSource source;
        std::vector<std::optional<MovedInput>> inputs;
        for (const std::string& name : node.input()) {
            const std::optional<std::size_t> input = find(scope, name);
            inputs.emplace_back();
            source.inputs.push_back(input.value_or(tensor));
            if (!input || !m_list.tensors[*input].isConstant || !m_list.tensors[*input].elementType)
                continue;
            const GraphTensor& known = m_list.tensors[*input];
            inputs.back() = {.kind = *known.elementType, .shape = known.shape, .integers = {}};
            if (m_few[*input])
                inputs.back()->integers = integerValues(*m_few[*input]);
        }
        source.move = moveOf(node, inputs);
        if (!source.move)
            return;
        const ElementKind kind = inputs.front()->kind;
        source.inputs.resize(source.move->inputs);
        const std::uint64_t count = elementCount(source.move->shape).value_or(mostBytesMoved);
        // Also for moving nothing: a chain that doubles its inputs would never end.
        source.bytesMoved = std::min(count, mostBytesMoved) * ElementType{kind}.bytes() +
                            bytesOfMove * (1 + source.inputs.size());
        for (const std::size_t input : source.inputs) {
            source.depth = std::max(source.depth, m_list.sources[input].depth + 1);
            source.bytesMoved += m_list.sources[input].bytesMoved;
        }
        if (source.depth > mostMoves || source.bytesMoved > mostBytesMoved)
            return;
        note(tensor, kind, source.move->shape);
        m_list.tensors[tensor].isPacked = m_list.tensors[source.inputs.front()].isPacked;
        setFew(tensor, source, count);
        m_list.sources[tensor] = std::move(source);
    }

    void setFew(std::size_t tensor, const ConstantSource& source, std::uint64_t count)
    {
        if (count > fewValues)
            return;
        std::vector<StoredTensor> inputs;
        for (const std::size_t input : source.inputs) {
            if (!m_few[input])
                return;
            inputs.push_back(*m_few[input]);
        }
        m_few[tensor] = moved(*source.move, inputs);
    }

    void note(std::size_t tensor, std::optional<ElementKind> kind, std::vector<std::uint64_t> shape)
    {
        m_list.tensors[tensor].isConstant = true;
        m_list.tensors[tensor].elementType = kind;
        m_list.tensors[tensor].shape = std::move(shape);
    }

    void noteConsumers(const Scope& scope)
    {
        const auto place = static_cast<std::size_t>(&scope - m_scopes.data());
        for (const ::onnx::NodeProto& node : scope.graph->node())
            for (int input = 0; input < node.input_size(); ++input) {
                const std::optional<std::size_t> tensor =
                    node.input(input).empty() ? std::nullopt : find(place, node.input(input));
                if (!tensor)
                    continue;
                noteLayer(place, node, input, *tensor);
                if (!m_list.tensors[*tensor].consumerOp.empty())
                    continue;
                m_list.tensors[*tensor].consumerOp = node.op_type();
                m_list.tensors[*tensor].consumerInput = input;
            }
    }

    void noteLayer(std::size_t scope, const ::onnx::NodeProto& node, int input, std::size_t tensor)
    {
        const GraphTensor& constant = m_list.tensors[tensor];
        if (m_layers[tensor] || !constant.isConstant || !constant.elementType ||
            ElementType{*constant.elementType}.isInteger())
            return;
        const bool isWeight = isWeightInput(node, input);
        const bool isBias = biasInput(node) == input || isRecurrentBias(node, input) ||
                            isAddedToLayer(scope, node, input, constant);
        if (!isWeight && !isBias)
            return;
        const std::size_t rank = constant.shape.size();
        std::optional<int> axis;
        if (isWeight)
            axis = channelAxisAt(node, input, rank);
        else if (rank == 1)
            axis = 0;
        m_layers[tensor] = {.tensor = tensor,
                            .isBias = isBias,
                            .channelAxis = axis,
                            .op = node.op_type(),
                            .node = std::string(nodeText(node)),
                            .input = input};
    }

    static bool isRecurrentBias(const ::onnx::NodeProto& node, int input)
    {
        return input == 3 && (isOp(node, "LSTM") || isOp(node, "GRU") || isOp(node, "RNN"));
    }

    bool isAddedToLayer(std::size_t scope, const ::onnx::NodeProto& node, int input,
                        const GraphTensor& constant) const
    {
        if (!isOp(node, "Add") || node.input_size() != 2 || constant.shape.size() != 1)
            return false;
        const std::optional<std::size_t> other = find(scope, node.input(1 - input));
        const std::string op = other ? m_list.tensors[*other].op : std::string();
        return op == "Conv" || op == "ConvTranspose" || op == "Gemm" || op == "MatMul";
    }

    std::string m_path;
    GraphTensors m_list;
    std::vector<Scope> m_scopes;
    std::vector<std::optional<StoredTensor>> m_few;      ///< of each tensor, if it is few integers
    std::vector<std::optional<LayerConstant>> m_layers;  ///< that take it
};

}  // namespace

GraphTensors listTensors(const ::onnx::ModelProto& model, const std::string& path)
{
    return Lister(path).list(model.graph());
}

StoredTensor constantElements(const GraphTensors& list, std::size_t tensor, const std::string& path)
{
    const ConstantSource& source = list.sources.at(tensor);
    if (source.stored != nullptr)
        return storedTensor(*source.stored, path);
    if (source.number != nullptr)
        return numbersOf(*source.number).value_or(StoredTensor{});
    if (!source.move)
        throw Error(Fault::Input, "{}:{}: it is computed, not a constant", path,
                    list.tensors[tensor].name);
    std::vector<StoredTensor> inputs;
    for (const std::size_t input : source.inputs)
        inputs.push_back(constantElements(list, input, path));
    return moved(*source.move, inputs);
}

}  // namespace calibscope::model
