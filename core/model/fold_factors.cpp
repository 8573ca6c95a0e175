// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fold_factors.h"

#include "core/base/number_text.h"
#include "core/model/fold_search.h"
#include "core/model/graph_edits.h"
#include "core/model/indexed_constants.h"
#include "core/model/new_names.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>

namespace calibscope::model {

namespace {

std::uint64_t productOf(std::span<const std::uint64_t> lengths)
{
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies{});
}

/// Values in their shape.
struct ShapedValues
{
    std::vector<float> values;
    std::vector<std::uint64_t> shape;
};

/// Values times a number for each channel, `behind` axes from the last; one value for all channels
/// is repeated.
ShapedValues timesChannels(ShapedValues from, std::size_t behind, std::span<const float> times)
{
    while (from.shape.size() <= behind)
        from.shape.insert(from.shape.begin(), 1);
    const std::size_t axis = from.shape.size() - 1 - behind;
    const std::uint64_t run = productOf(std::span(from.shape).subspan(axis + 1));
    const std::uint64_t outer = productOf(std::span(from.shape).first(axis));
    const std::uint64_t had = from.shape[axis];
    ShapedValues result{.values = {}, .shape = from.shape};
    result.shape[axis] = times.size();
    result.values.reserve(outer * times.size() * run);
    for (std::uint64_t i = 0; i < outer; ++i)
        for (std::uint64_t channel = 0; channel < times.size(); ++channel)
            for (std::uint64_t k = 0; k < run; ++k)
                result.values.push_back(from.values[(i * had + channel % had) * run + k] *
                                        times[channel]);
    return result;
}

/// A layer's weight times the factors of the channels that it multiplies.
std::vector<float> timesInput(const ::onnx::NodeProto& layer, const ShapedValues& weight,
                              std::span<const float> factors)
{
    const std::vector<std::uint64_t>& shape = weight.shape;
    const std::size_t rank = shape.size();
    if (isOp(layer, "MatMul") || isOp(layer, "Gemm")) {
        const bool isLast = isOp(layer, "Gemm") && intAttribute(layer, "transB", 0) != 0;
        return timesChannels(weight, isLast ? 0 : 1, factors).values;
    }
    if (isOp(layer, "ConvTranspose"))
        return timesChannels(weight, rank - 1, factors).values;
    const std::uint64_t groups = factors.size() / shape[1];
    const std::uint64_t kernel = productOf(std::span(shape).subspan(2));
    const std::uint64_t rows = shape[0] / std::max<std::uint64_t>(groups, 1);
    std::vector<float> values = weight.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t column = i / kernel % shape[1];
        const std::uint64_t group = i / kernel / shape[1] / rows;
        values[i] *= factors[group * shape[1] + column];
    }
    return values;
}

/// One layer's factors, or integers, put into a model.
class LayerFolder
{
public:
    LayerFolder(::onnx::ModelProto& model, const std::string& path,
                std::span<const std::string> scopes, const LayerChange& change)
        : m_model(model),
          m_index(model),
          m_constants(m_index, model, path),
          m_scopes(scopes),
          m_change(change),
          m_names(model),
          m_edits(m_index)
    {}

    /// The layer's weight gets the values of its integers. A reason against it; empty: it is done.
    std::string round(FoldedModel& result)
    {
        const ::onnx::NodeProto* layer = layerOf();
        if (layer == nullptr)
            return "no layer of the model makes it";
        const WeightRounding& rounding = m_change.rounding;
        for (const int input : {1, 0}) {
            const auto weight = m_index.find(m_graph, layer->input(input));
            const GraphTensor* constant = weight ? m_constants.find(*weight) : nullptr;
            if (constant == nullptr)
                continue;
            if (m_index.tensors()[*weight].uses.size() != 1)
                return "several nodes take its weight";
            const TensorQuantization& given = rounding.quantization;
            const std::vector<std::uint64_t>& shape = constant->shape;
            const bool hasAxis = !given.axis || axisFromFront(*given.axis, shape.size());
            if (constant->elementType != ElementKind::Float32 ||
                productOf(shape) != rounding.integers.size() || !hasAxis ||
                productOf(given.scaleShape(shape)) != given.scales.size())
                return "its weight has another shape or type";
            replaceWeight(*weight, dequantized(rounding.integers, given, given.axisIn(shape)),
                          result);
            m_edits.apply(m_model);
            removeUnused(m_model, m_replaced);
            return {};
        }
        return "its weight is no constant";
    }

    /// A reason against it; empty: it is done.
    std::string fold(FoldedModel& result)
    {
        const ::onnx::NodeProto* layer = layerOf();
        const auto input = layer == nullptr ? std::nullopt : m_index.find(m_graph, layer->input(0));
        if (!input)
            return "no layer of the model makes it";
        const Fold found = foldOf(m_index, m_constants, *input, m_change.takesMul);
        if (!found.whyNot.empty())
            return found.whyNot;
        const std::vector<float>& factors = m_change.inputFactors;
        if (found.tensors.front().part.count != factors.size())
            return "its input has " + std::to_string(found.tensors.front().part.count) +
                   " channels, not " + std::to_string(factors.size());
        for (const float factor : factors)
            m_inverse.push_back(1.0F / factor);
        for (const FoldTarget& target : found.targets)
            change(target, result);
        addBounds();
        const auto weight = *m_index.find(m_graph, layer->input(1));
        replaceWeight(weight, timesInput(*layer, valuesOf(weight), factors), result);
        const bool areLast = isOp(*layer, "MatMul") || isOp(*layer, "Gemm");
        for (const FoldedTensor& tensor : found.tensors)
            addTensor(tensor, areLast, result);
        m_edits.apply(m_model);
        removeUnused(m_model, m_replaced);
        return {};
    }

private:
    [[nodiscard]] ShapedValues valuesOf(std::size_t constant) const
    {
        return {.values = m_constants.values(constant), .shape = m_constants.find(constant)->shape};
    }

    [[nodiscard]] std::span<const float> timesOf(const ChannelPart& part) const
    {
        return std::span(m_inverse).subspan(part.first, part.count);
    }

    /// T = made(...) becomes T_undivided, and T the product of that.
    void addMul(const FoldTarget& target)
    {
        const IndexedTensor& tensor = m_index.tensors()[target.constant];
        const std::string from = m_names.take(tensor.name + "_undivided");
        const std::string by = m_names.take(tensor.name + "_factors");
        std::vector<std::uint64_t> shape(target.behind + 1, 1);
        shape.front() = m_inverse.size();
        m_edits.addInitializer(tensor.graph,
                               tensorOf(by, ::onnx::TensorProto::FLOAT, m_inverse, shape));
        m_edits.renameOutput(tensor.graph, *tensor.producer, tensor.output, from);
        ::onnx::NodeProto node;
        node.set_op_type("Mul");
        node.set_name(m_names.take(tensor.name + "_Mul"));
        node.add_input(from);
        node.add_input(by);
        node.add_output(tensor.name);
        m_edits.addNode(tensor.graph, tensor.producer, std::move(node));
    }

    void change(const FoldTarget& target, FoldedModel& result)
    {
        using Kind = FoldTarget::Kind;
        if (target.kind == Kind::Mul)
            return addMul(target);
        const std::span<const float> times =
            target.kind == Kind::Divisor
                ? std::span(m_change.inputFactors).subspan(target.part.first, target.part.count)
                : timesOf(target.part);
        ShapedValues changed = timesChannels(valuesOf(target.constant), target.behind, times);
        if (target.kind == Kind::Weight)
            return replaceWeight(target.constant, std::move(changed.values), result);
        const IndexedTensor& old = m_index.tensors()[target.constant];
        const std::string name = m_names.take(old.name + "_improved");
        m_edits.addInitializer(target.use.graph, tensorOf(name, ::onnx::TensorProto::FLOAT,
                                                          changed.values, changed.shape));
        m_replaced.emplace_back(old.graph, old.name);
        if (target.kind == Kind::Bound)
            m_bounds.emplace_back(target.use, name);
        else
            m_edits.rewire(target.use, name);
    }

    /// T = Clip(x, low, high) becomes a Max or Min, or both, of T_unbounded = Clip(x).
    void addBounds()
    {
        std::string from;
        for (std::size_t i = 0; i < m_bounds.size(); ++i) {
            const auto& [clip, bound] = m_bounds[i];
            const std::string& output = m_index.node(clip).output(0);
            if (i == 0 || m_bounds[i - 1].first.node != clip.node) {
                from = m_names.take(output + "_unbounded");
                m_edits.renameOutput(clip.graph, clip.node, 0, from);
            }
            const bool isLast = i + 1 == m_bounds.size() || m_bounds[i + 1].first.node != clip.node;
            ::onnx::NodeProto node;
            node.set_op_type(clip.input == 1 ? "Max" : "Min");
            node.set_name(m_names.take(output + "_" + node.op_type()));
            node.add_input(from);
            node.add_input(bound);
            from = isLast ? output : m_names.take(output + "_bounded");
            node.add_output(from);
            m_edits.rewire(clip, "");
            m_edits.addNode(clip.graph, clip.node, std::move(node));
        }
    }

    /// The node that makes the change's output.
    [[nodiscard]] const ::onnx::NodeProto* layerOf()
    {
        const auto graph = graphOfScope(m_index, m_scopes, m_change.scope);
        if (!graph)
            return nullptr;
        m_graph = *graph;
        const auto output = m_index.findIn(m_graph, m_change.output);
        return output ? m_index.producer(m_index.tensors()[*output]) : nullptr;
    }

    /// A weight under its own name, by which its scales are found.
    void replaceWeight(std::size_t weight, std::vector<float> values, FoldedModel& result)
    {
        const IndexedTensor& old = m_index.tensors()[weight];
        ::onnx::TensorProto made =
            tensorOf(old.name, ::onnx::TensorProto::FLOAT, values, m_constants.find(weight)->shape);
        if (old.initializer)
            *graphsOf(m_model)[old.graph]->mutable_initializer(*old.initializer) = std::move(made);
        else {
            const std::string former = m_names.take(old.name + "_former");
            m_edits.renameOutput(old.graph, *old.producer, old.output, former);
            m_edits.addInitializer(old.graph, std::move(made));
            m_replaced.emplace_back(old.graph, former);
        }
        result.weights[{scopeOf(old.graph), old.name}] = std::move(values);
    }

    [[nodiscard]] const std::string& scopeOf(std::size_t graph) const
    {
        return m_scopes.empty() ? m_index.graphs()[graph].scope : m_scopes[graph];
    }

    void addTensor(const FoldedTensor& folded, bool areLast, FoldedModel& result)
    {
        const IndexedTensor& tensor = m_index.tensors()[folded.tensor];
        const std::span<const float> times = timesOf(folded.part);
        result.activations.push_back({.name = tensor.name,
                                      .scope = scopeOf(tensor.graph),
                                      .areLast = areLast,
                                      .times = {times.begin(), times.end()}});
        const auto scale = [&](auto& values) {
            if (values.size() == times.size())
                std::ranges::transform(values, times, values.begin(),
                                       []<typename Value>(Value value, float one) {
                                           return value * static_cast<Value>(one);
                                       });
        };
        for (LayerChange& change : result.changes)
            if (change.output == tensor.name && change.scope == scopeOf(tensor.graph)) {
                scale(change.biasShift);
                scale(change.rounding.quantization.scales);
            }
    }

    ::onnx::ModelProto& m_model;
    GraphIndex m_index;
    IndexedConstants m_constants;
    std::span<const std::string> m_scopes;
    const LayerChange& m_change;
    NewNames m_names;
    GraphEdits m_edits;
    std::size_t m_graph = 0;  ///< of the layer
    std::vector<float> m_inverse;
    std::vector<std::pair<TensorUse, std::string>>
        m_bounds;  ///< of Clips, and what takes over from them
    std::vector<std::pair<std::size_t, std::string>> m_replaced;  ///< constants, by graph
};

}  // namespace

FoldedModel foldFactors(::onnx::ModelProto& model, const std::vector<LayerChange>& changes,
                        const std::string& path, std::span<const std::string> scopes)
{
    FoldedModel result{.activations = {}, .weights = {}, .changes = changes, .lints = {}};
    for (const LayerChange& change : changes) {
        if (change.inputFactors.empty())
            continue;
        const std::string why = LayerFolder(model, path, scopes, change).fold(result);
        if (!why.empty())
            result.lints.push_back(findingOn(change.output, FindingLevel::Error, "channel-factors",
                                             "the channels of its input are not divided: " + why));
    }
    for (const LayerChange& change : std::vector<LayerChange>(result.changes)) {
        if (change.rounding.integers.empty())
            continue;
        const std::string why = LayerFolder(model, path, scopes, change).round(result);
        if (!why.empty())
            result.lints.push_back(findingOn(change.output, FindingLevel::Error, "rounding",
                                             "its weight is rounded to nearest: " + why));
    }
    return result;
}

}  // namespace calibscope::model
