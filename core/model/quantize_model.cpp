// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantize_model.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/model/bias_plan.h"
#include "core/model/graph_edits.h"
#include "core/model/lift.h"
#include "core/model/new_names.h"
#include "core/model/node_attributes.h"
#include "core/model/pair_plan.h"
#include "core/model/quantize_lints.h"
#include "core/model/tensor_values.h"
#include "core/model/weight_plan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

/// The narrowest type of ONNX that holds the levels.
std::int32_t dataTypeOf(const NumberFormat& format, bool isUnsigned = false)
{
    if (format.bits() <= 4)
        return isUnsigned ? uint4DataType : int4DataType;
    if (format.bits() <= 8)
        return isUnsigned ? ::onnx::TensorProto::UINT8 : ::onnx::TensorProto::INT8;
    return isUnsigned ? ::onnx::TensorProto::UINT16 : ::onnx::TensorProto::INT16;
}

template <typename Integer>
::onnx::TensorProto integersOf(const std::string& name, std::int32_t type,
                               const std::vector<Integer>& values,
                               const std::vector<std::uint64_t>& shape)
{
    ::onnx::TensorProto tensor = tensorOf(name, type, std::vector<char>{}, shape);
    tensor.set_raw_data(integerBytes(std::span(values), type));
    return tensor;
}

/// Whether opset 13 has no such pair or constant.
bool isOfBlocks(const TensorScales& scales)
{
    const int bits = scales.quantization.format.bits();
    return bits <= 4 || bits > 8 || scales.quantization.group > 1;
}

::onnx::NodeProto linearNode(const std::string& type, const std::string& name,
                             const std::vector<std::string>& inputs, const std::string& output,
                             std::optional<int> axis)
{
    ::onnx::NodeProto node;
    node.set_op_type(type);
    node.set_name(name);
    for (const std::string& input : inputs)
        node.add_input(input);
    node.add_output(output);
    if (axis)
        setInteger(node, "axis", *axis);
    return node;
}

/// Writes planned tensors into a model, one by one.
class PatternWriter
{
public:
    PatternWriter(const ::onnx::ModelProto& model, const GraphIndex& index,
                  const QuantizeOptions& options)
        : m_index(index), m_options(options), m_names(model), m_edits(index)
    {}

    IntegerTensor writePair(const PlannedPair& pair)
    {
        const IndexedTensor& tensor = m_index.tensors()[pair.tensor];
        const std::string from =
            pair.makesOutput ? m_names.take(tensor.name + "_float") : tensor.name;
        const bool isUnsigned = m_options.activations == ActivationIntegers::UInt8;
        IntegerTensor written = writeScales(tensor, pair.scales, {}, isUnsigned);
        written.integers = m_names.take(tensor.name + "_QuantizeLinear_Output");
        const std::string to =
            pair.makesOutput ? tensor.name : m_names.take(tensor.name + "_DequantizeLinear_Output");
        m_edits.addNode(tensor.graph, tensor.producer,
                        linearNode("QuantizeLinear", m_names.take(tensor.name + "_QuantizeLinear"),
                                   {from, written.scale, written.zeroPoint}, written.integers,
                                   pair.scales.quantization.axis));
        m_edits.addNode(tensor.graph, tensor.producer,
                        linearNode("DequantizeLinear",
                                   m_names.take(tensor.name + "_DequantizeLinear"),
                                   {written.integers, written.scale, written.zeroPoint}, to,
                                   pair.scales.quantization.axis));
        for (const TensorUse& use : pair.uses)
            m_edits.rewire(use, to);
        if (pair.makesOutput) {
            m_edits.renameOutput(tensor.graph, *tensor.producer, tensor.output, from);
            for (const TensorUse& use : tensor.uses)
                if (std::ranges::find(pair.uses, use) == pair.uses.end())
                    m_edits.rewire(use, from);
        }
        m_edits.clearValueInfo(tensor.graph, tensor.name);
        return written;
    }

    IntegerTensor writeWeight(const IntegerWeight& weight)
    {
        const IndexedTensor& tensor = m_index.tensors()[weight.tensor];
        const TensorQuantization& quantization = weight.scales.quantization;
        IntegerTensor written = writeScales(tensor, weight.scales, weight.shape, false);
        written.integers = m_names.take(tensor.name + "_quantized");
        m_edits.addInitializer(tensor.graph,
                               integersOf(written.integers, dataTypeOf(quantization.format),
                                          weight.integers, weight.shape));
        const std::string to = m_names.take(tensor.name + "_DequantizeLinear_Output");
        ::onnx::NodeProto node =
            linearNode("DequantizeLinear", m_names.take(tensor.name + "_DequantizeLinear"),
                       {written.integers, written.scale, written.zeroPoint}, to, quantization.axis);
        if (quantization.group > 1)
            setInteger(node, "block_size", static_cast<std::int64_t>(quantization.group));
        m_edits.addNode(tensor.graph, std::nullopt, std::move(node));
        for (const TensorUse& use : weight.uses)
            m_edits.rewire(use, to);
        forgetFloat(tensor);
        return written;
    }

    void writeBias(const IntegerBias& bias)
    {
        const IndexedTensor& tensor = m_index.tensors()[bias.tensor];
        const std::string integers = m_names.take(tensor.name + "_quantized");
        const std::string scale = m_names.take(tensor.name + "_scale");
        const bool isVector = bias.scales.size() == bias.integers.size();
        m_edits.addInitializer(tensor.graph, tensorOf(integers, ::onnx::TensorProto::INT32,
                                                      bias.integers, {bias.integers.size()}));
        m_edits.addInitializer(tensor.graph,
                               tensorOf(scale, ::onnx::TensorProto::FLOAT, bias.scales,
                                        isVector ? std::vector<std::uint64_t>{bias.scales.size()}
                                                 : std::vector<std::uint64_t>{}));
        const std::string to = m_names.take(tensor.name + "_DequantizeLinear_Output");
        m_edits.addNode(
            tensor.graph, std::nullopt,
            linearNode("DequantizeLinear", m_names.take(tensor.name + "_DequantizeLinear"),
                       {integers, scale}, to, isVector ? std::optional(0) : std::nullopt));
        m_edits.rewire(bias.use, to);
        forgetFloat(tensor);
    }

    [[nodiscard]] bool needsBlocks() const { return m_needsBlocks; }

    /// Makes the changes; floats that nobody takes any more go.
    void apply(::onnx::ModelProto& model)
    {
        m_edits.apply(model);
        removeUnused(model, m_replaced);
    }

private:
    /// Their shape is a list's unless groups have scales, in a tensor of that shape.
    IntegerTensor writeScales(const IndexedTensor& tensor, const TensorScales& scales,
                              const std::vector<std::uint64_t>& tensorShape, bool isUnsigned)
    {
        const TensorQuantization& given = scales.quantization;
        std::vector<std::uint64_t> shape;
        if (given.group > 1)
            shape = given.scaleShape(tensorShape);
        else if (given.axis)
            shape = {given.scales.size()};
        IntegerTensor written{.scales = scales,
                              .integers = {},
                              .scale = m_names.take(tensor.name + "_scale"),
                              .zeroPoint = m_names.take(tensor.name + "_zero_point")};
        std::vector<int> zeroPoints;
        const int shift = isUnsigned ? 1 << (given.format.bits() - 1) : 0;
        for (const double zeroPoint : given.zeroPoints)
            zeroPoints.push_back(static_cast<int>(zeroPoint) + shift);
        m_edits.addInitializer(
            tensor.graph, tensorOf(written.scale, ::onnx::TensorProto::FLOAT, given.scales, shape));
        m_edits.addInitializer(
            tensor.graph,
            integersOf(written.zeroPoint, dataTypeOf(given.format, isUnsigned), zeroPoints, shape));
        m_needsBlocks = m_needsBlocks || isOfBlocks(scales);
        return written;
    }

    void forgetFloat(const IndexedTensor& tensor)
    {
        m_edits.clearValueInfo(tensor.graph, tensor.name);
        m_replaced.emplace_back(tensor.graph, tensor.name);
        if (tensor.isGraphInput && tensor.initializer)
            m_edits.removeInput(tensor.graph, tensor.name);
    }

    const GraphIndex& m_index;
    const QuantizeOptions& m_options;
    NewNames m_names;
    GraphEdits m_edits;
    std::vector<std::pair<std::size_t, std::string>> m_replaced;  ///< floats, by graph
    bool m_needsBlocks = false;
};

/// Decisions by the tensors that they are for, as far as they can be written.
class SortedDecisions
{
public:
    SortedDecisions(const GraphIndex& index, const IndexedConstants& constants,
                    const QuantizeOptions& options, std::span<const std::string> scopes,
                    Findings& lints)
        : m_index(index),
          m_constants(constants),
          m_options(options),
          m_scopes(scopes),
          m_lints(lints)
    {}

    void add(const TensorScales& scales)
    {
        const std::optional<std::size_t> tensor = find(scales);
        if (!tensor) {
            tell(FindingLevel::Warning, "not-in-graph", scales, "is not in the graph");
            return;
        }
        ++found;
        if (isQuantizedAlready(*tensor)) {
            ++quantized;
            tell(FindingLevel::Note, "quantized-already", scales,
                 "is left alone: it is quantized already");
            return;
        }
        TensorScales usable = scales;
        TensorQuantization& quantization = usable.quantization;
        usable.isWeight = m_constants.find(*tensor) != nullptr;
        if (quantization.axis && quantization.scales.size() == 1 && !usable.isWeight)
            quantization.axis.reset();
        if (!isWritable(usable, m_options, m_lints))
            return;
        if (const std::string type = otherFloat(*tensor); !type.empty()) {
            tell(FindingLevel::Error, "element-type", scales,
                 "not written: it is " + type + "; convert the model to float32");
            return;
        }
        auto& decisions = usable.isWeight ? weights : activations;
        if (!decisions.emplace(*tensor, std::move(usable)).second)
            tell(FindingLevel::Warning, "decided-twice", scales,
                 "was decided twice; the first decision is written");
    }

    std::map<std::size_t, TensorScales> weights;
    std::map<std::size_t, TensorScales> activations;
    std::size_t found = 0;
    std::size_t quantized = 0;

private:
    void tell(FindingLevel level, std::string_view rule, const TensorScales& scales,
              const std::string& text)
    {
        m_lints.push_back(findingOn(scales.tensor, level, rule, text));
    }

    [[nodiscard]] std::optional<std::size_t> find(const TensorScales& scales) const
    {
        const auto graph = graphOfScope(m_index, m_scopes, scales.scope);
        return graph ? m_index.findIn(*graph, scales.tensor) : std::nullopt;
    }

    [[nodiscard]] bool isQuantizedAlready(std::size_t number) const
    {
        const IndexedTensor& tensor = m_index.tensors()[number];
        const ::onnx::NodeProto* producer = m_index.producer(tensor);
        return (producer != nullptr && isOfQuantizedModel(*producer)) ||
               std::ranges::any_of(tensor.uses, [&](const TensorUse& use) {
                   return isOfQuantizedModel(m_index.node(use));
               });
    }

    /// "float16" or "float64" of an activation that the model tells to be such; else empty.
    [[nodiscard]] std::string otherFloat(std::size_t number) const
    {
        const IndexedTensor& tensor = m_index.tensors()[number];
        const ::onnx::GraphProto& graph = *m_index.graphs()[tensor.graph].proto;
        for (const auto* infos : {&graph.value_info(), &graph.input(), &graph.output()})
            for (const ::onnx::ValueInfoProto& info : *infos) {
                const int type = info.type().tensor_type().elem_type();
                if (info.name() == tensor.name && type == ::onnx::TensorProto::FLOAT16)
                    return "float16";
                if (info.name() == tensor.name && type == ::onnx::TensorProto::DOUBLE)
                    return "float64";
            }
        return {};
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    const QuantizeOptions& m_options;
    std::span<const std::string> m_scopes;
    Findings& m_lints;
};

std::string_view exampleOf(std::span<const TensorScales> scales)
{
    return scales.front().dumpName.empty() ? scales.front().tensor : scales.front().dumpName;
}

/// Throws where there is nothing to write.
void checkFound(const SortedDecisions& decisions, const GraphIndex& index,
                std::span<const TensorScales> scales, const std::string& path)
{
    if (decisions.found == 0) {
        std::string text = path + ": none of the " + numberText(std::uint64_t{scales.size()}) +
                           " tensors is in the graph";
        const auto made = std::ranges::find_if(index.tensors(), [](const IndexedTensor& tensor) {
            return tensor.producer.has_value();
        });
        if (made != index.tensors().end() && !scales.empty())
            text += "; names look like `" + made->name + "`, the dump's like `" +
                    std::string(exampleOf(scales)) + "`";
        throw Error(Fault::Input, text);
    }
    if (decisions.quantized == decisions.found)
        throw Error(Fault::Input, "{}: is quantized already", path);
}

/// What is unusual about floats that were replaced by integers.
void tellOfFloats(const GraphIndex& index, const std::vector<IntegerWeight>& weights,
                  Findings& lints)
{
    for (const IntegerWeight& weight : weights) {
        const IndexedTensor& tensor = index.tensors()[weight.tensor];
        const auto tell = [&](std::string_view rule, const std::string& text) {
            lints.push_back(findingOn(tensor.name, FindingLevel::Note, rule, text));
        };
        if (tensor.isGraphInput && tensor.initializer)
            tell("weight-input", "can no longer be fed: it was an input of the graph, too");
        if (tensor.isGraphOutput || weight.uses.size() < tensor.uses.size())
            tell("float-beside", "stays as float32, too (" +
                                     groupedText(weight.integers.size() * sizeof(float)) +
                                     " bytes), as " +
                                     (tensor.isGraphOutput ? "it is an output of the graph"
                                                           : "others than its layers take it"));
    }
}

void checkVersion(const ::onnx::ModelProto& model, const std::string& path)
{
    if (opsetOf(model, path) < perChannelOpset)
        throw Error(Fault::Input, "{}: a scale per channel needs opset 13 or later", path);
}

}  // namespace

QuantizePlan planQuantization(const GraphIndex& index, const IndexedConstants& constants,
                              std::span<const TensorScales> scales, const QuantizeOptions& options,
                              const std::string& path, std::span<const std::string> scopes,
                              Findings& lints)
{
    SortedDecisions decisions(index, constants, options, scopes, lints);
    for (const TensorScales& one : scales)
        decisions.add(one);
    checkFound(decisions, index, scales, path);
    QuantizePlan plan{.floats = FloatLayers(index, options.changes, scopes)};
    plan.pairs = planPairs(index, constants, decisions.activations, plan.floats, options, lints);
    plan.weights = planWeights(index, constants, decisions.weights, plan.pairs, plan.floats,
                               options, scopes, lints);
    return plan;
}

QuantizedModel quantizeModel(::onnx::ModelProto& model, std::span<const TensorScales> scales,
                             const QuantizeOptions& options, const std::string& path,
                             std::span<const std::string> scopes)
{
    checkVersion(model, path);
    QuantizedModel result;
    const GraphIndex index(model);
    const IndexedConstants constants(index, model, path);
    const auto [floats, pairs, weights] =
        planQuantization(index, constants, scales, options, path, scopes, result.lints);
    std::vector<IntegerBias> biases;
    if (options.biases == BiasStorage::Int32)
        biases = planBiases(index, constants, pairs, weights, result.lints);
    lintPlan(index, constants, pairs, weights, floats, options, result.lints);
    tellOfFloats(index, weights, result.lints);
    if (model.functions_size() > 0)
        result.lints.push_back({.id = "functions",
                                .level = FindingLevel::Note,
                                .subject = {},
                                .text = "the bodies of the model's functions are left alone"});
    PatternWriter writer(model, index, options);
    for (const PlannedPair& pair : pairs.pairs)
        result.activations.push_back(writer.writePair(pair));
    for (const IntegerWeight& weight : weights)
        result.weights.push_back(writer.writeWeight(weight));
    for (const IntegerBias& bias : biases)
        writer.writeBias(bias);
    result.biases = biases.size();
    result.needsBlocks = writer.needsBlocks();
    writer.apply(model);
    setMetadata(model, options);
    return result;
}

std::string metadataOf(const ModelFile& model, std::string_view key)
{
    for (const ::onnx::StringStringEntryProto& entry : model.proto().metadata_props())
        if (entry.key() == key)
            return entry.value();
    return {};
}

void setMetadata(::onnx::ModelProto& model, const QuantizeOptions& options)
{
    for (const auto& [key, value] : options.metadata) {
        ::onnx::StringStringEntryProto* entry = nullptr;
        for (::onnx::StringStringEntryProto& known : *model.mutable_metadata_props())
            if (known.key() == key)
                entry = &known;
        if (entry == nullptr)
            entry = model.add_metadata_props();
        entry->set_key(key);
        entry->set_value(value);
    }
}

std::vector<std::string> graphScopes(const ::onnx::ModelProto& model)
{
    const GraphIndex index(model);
    std::vector<std::string> scopes;
    for (const IndexedGraph& graph : index.graphs())
        scopes.push_back(graph.scope);
    return scopes;
}

}  // namespace calibscope::model
