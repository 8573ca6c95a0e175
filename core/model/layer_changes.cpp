// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_changes.h"

#include "core/base/number_text.h"
#include "core/model/graph_edits.h"
#include "core/model/indexed_constants.h"
#include "core/model/layer_rules.h"
#include "core/model/new_names.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

namespace calibscope::model {

namespace {

/// Values, repeated where one is for all channels, with the shift added.
std::vector<float> shifted(std::vector<float> values, std::span<const double> shift, double by)
{
    if (values.size() == 1)
        values.assign(shift.size(), values.front());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(static_cast<double>(values[i]) + shift[i] / by);
    return values;
}

class BiasShifter
{
public:
    BiasShifter(const ::onnx::ModelProto& model, const GraphIndex& index,
                const IndexedConstants& constants, std::span<const std::string> scopes)
        : m_index(index), m_constants(constants), m_scopes(scopes), m_names(model), m_edits(index)
    {}

    void add(const LayerChange& change)
    {
        m_change = &change;
        const auto graph = graphOfScope(m_index, m_scopes, change.scope);
        const auto tensor = graph ? m_index.findIn(*graph, change.output) : std::nullopt;
        const ::onnx::NodeProto* layer =
            tensor ? m_index.producer(m_index.tensors()[*tensor]) : nullptr;
        if (layer == nullptr || !isLayer(*layer))
            return refuse("no layer of the model makes it");
        m_tensor = &m_index.tensors()[*tensor];
        if (isOp(*layer, "MatMul"))
            addToProduct(*layer);
        else
            addToBias(*layer);
    }

    Findings apply(::onnx::ModelProto& model)
    {
        m_edits.apply(model);
        removeUnused(model, m_replaced);
        return std::move(m_findings);
    }

private:
    void refuse(const std::string& why)
    {
        m_findings.push_back(findingOn(m_change->output, FindingLevel::Error, "bias-shift",
                                       "its bias is not improved: " + why));
    }

    [[nodiscard]] const std::vector<double>& shift() const { return m_change->biasShift; }
    [[nodiscard]] std::size_t graph() const { return m_tensor->graph; }

    /// The constant in that input as a vector of a number for each channel, or of one for all.
    [[nodiscard]] std::optional<std::size_t>
    vectorAt(std::size_t inGraph, const ::onnx::NodeProto& node, int input) const
    {
        const auto tensor = m_index.find(inGraph, node.input(input));
        const GraphTensor* constant = tensor ? m_constants.find(*tensor) : nullptr;
        if (constant == nullptr || constant->elementType != ElementKind::Float32)
            return std::nullopt;
        const std::uint64_t count = std::accumulate(constant->shape.begin(), constant->shape.end(),
                                                    std::uint64_t{1}, std::multiplies{});
        const bool isAlongLast = constant->shape.empty() || constant->shape.back() == count;
        return isAlongLast && (count == 1 || count == shift().size()) ? tensor : std::nullopt;
    }

    void replaceVector(std::size_t vector, const TensorUse& use, double by)
    {
        const IndexedTensor& old = m_index.tensors()[vector];
        const std::string name = m_names.take(old.name + "_improved");
        const std::vector<float> values = shifted(m_constants.values(vector), shift(), by);
        m_edits.addInitializer(use.graph,
                               tensorOf(name, ::onnx::TensorProto::FLOAT, values, {values.size()}));
        m_edits.rewire(use, name);
        m_replaced.emplace_back(old.graph, old.name);
    }

    /// By the weight of a Conv, ConvTranspose or Gemm; nothing where that is no constant.
    [[nodiscard]] std::optional<std::uint64_t> outputChannels(const ::onnx::NodeProto& layer) const
    {
        const auto weight = m_index.find(graph(), layer.input(1));
        const GraphTensor* constant = weight ? m_constants.find(*weight) : nullptr;
        if (constant == nullptr || constant->shape.size() < 2)
            return std::nullopt;
        const std::vector<std::uint64_t>& shape = constant->shape;
        if (isOp(layer, "ConvTranspose"))
            return shape[1] * static_cast<std::uint64_t>(intAttribute(layer, "group", 1));
        return isOp(layer, "Gemm") && intAttribute(layer, "transB", 0) == 0 ? shape[1] : shape[0];
    }

    void addToBias(const ::onnx::NodeProto& layer)
    {
        const bool isGemm = isOp(layer, "Gemm");
        const auto beta = static_cast<double>(isGemm ? floatAttribute(layer, "beta", 1.0F) : 1.0F);
        const TensorUse use{.graph = graph(), .node = *m_tensor->producer, .input = 2};
        const bool hasBias = layer.input_size() > 2 && !layer.input(2).empty();
        if (beta == 0.0)
            return addBehind(1);
        if (!hasBias) {
            const auto channels = outputChannels(layer);
            if (channels && *channels != shift().size())
                return refuse("it has " + countText(*channels, "channel", "channels") + ", and " +
                              countText(shift().size(), "value", "values") + " are to be added");
            const std::string name = m_names.take(m_tensor->name + "_bias");
            const std::vector<float> values =
                shifted(std::vector<float>(shift().size(), 0.0F), shift(), beta);
            m_edits.addInitializer(
                graph(), tensorOf(name, ::onnx::TensorProto::FLOAT, values, {values.size()}));
            return m_edits.rewire(use, name);
        }
        if (const auto vector = vectorAt(graph(), layer, 2))
            return replaceVector(*vector, use, beta);
        if (isGemm)
            return addBehind(1);
        refuse("its bias is not a constant of float32 with " +
               countText(shift().size(), "value", "values"));
    }

    void addToProduct(const ::onnx::NodeProto& layer)
    {
        const auto first = m_index.find(graph(), layer.input(0));
        if (first && m_constants.find(*first) != nullptr)
            return addBehind(2);  // channels are rows
        if (!m_tensor->isGraphOutput && m_tensor->uses.size() == 1) {
            const TensorUse& next = m_tensor->uses.front();
            const ::onnx::NodeProto& node = m_index.node(next);
            const auto vector = isOp(node, "Add") && node.input_size() == 2
                                    ? vectorAt(next.graph, node, 1 - next.input)
                                    : std::nullopt;
            if (vector) {
                TensorUse use = next;
                use.input = 1 - next.input;
                return replaceVector(*vector, use, 1.0);
            }
        }
        addBehind(1);
    }

    /// T = T_unshifted + T_shift, channels along that axis from behind.
    void addBehind(std::uint64_t fromBehind)
    {
        std::vector<std::uint64_t> shape(fromBehind, 1);
        shape.front() = shift().size();
        const std::string& name = m_tensor->name;
        const std::string constant = m_names.take(name + "_shift");
        const std::string before = m_names.take(name + "_unshifted");
        m_edits.addInitializer(
            graph(),
            tensorOf(constant, ::onnx::TensorProto::FLOAT,
                     shifted(std::vector<float>(shift().size(), 0.0F), shift(), 1.0), shape));
        ::onnx::NodeProto node;
        node.set_op_type("Add");
        node.set_name(m_names.take(name + "_Add"));
        node.add_input(before);
        node.add_input(constant);
        node.add_output(name);
        m_edits.renameOutput(graph(), *m_tensor->producer, m_tensor->output, before);
        m_edits.addNode(graph(), m_tensor->producer, std::move(node));
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    std::span<const std::string> m_scopes;
    NewNames m_names;
    GraphEdits m_edits;
    Findings m_findings;
    std::vector<std::pair<std::size_t, std::string>> m_replaced;  ///< biases, by graph
    const LayerChange* m_change = nullptr;                        ///< that is being made
    const IndexedTensor* m_tensor = nullptr;                      ///< its output
};

}  // namespace

FloatLayers::FloatLayers(const GraphIndex& index, std::span<const LayerChange> changes,
                         std::span<const std::string> scopes)
{
    for (const LayerChange& change : changes) {
        const auto graph = graphOfScope(index, scopes, change.scope);
        const auto tensor =
            change.isFloat && graph ? index.findIn(*graph, change.output) : std::nullopt;
        if (tensor && index.tensors()[*tensor].producer)
            m_nodes.insert({*graph, *index.tensors()[*tensor].producer});
    }
}

Findings shiftBiases(::onnx::ModelProto& model, std::span<const LayerChange> changes,
                     const std::string& path, std::span<const std::string> scopes)
{
    if (std::ranges::all_of(changes, [](const LayerChange& one) { return one.biasShift.empty(); }))
        return {};
    const GraphIndex index(model);
    const IndexedConstants constants(index, model, path);
    BiasShifter shifter(model, index, constants, scopes);
    for (const LayerChange& change : changes)
        if (!change.biasShift.empty())
            shifter.add(change);
    return shifter.apply(model);
}

std::optional<std::size_t>
graphOfScope(const GraphIndex& index, std::span<const std::string> scopes, const std::string& scope)
{
    if (scopes.empty())
        return index.graphAt(scope);
    const auto found = std::ranges::find(scopes, scope);
    if (found == scopes.end())
        return std::nullopt;
    const auto graph = static_cast<std::size_t>(found - scopes.begin());
    return graph < index.graphs().size() ? std::optional(graph) : std::nullopt;
}

}  // namespace calibscope::model
