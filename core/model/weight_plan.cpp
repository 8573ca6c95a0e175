// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weight_plan.h"

#include "core/base/number_text.h"
#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"
#include "core/model/tensor_values.h"
#include "core/model/widest_scale.h"
#include "core/quant/integers.h"
#include "core/quant/raised_scales.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

namespace calibscope::model {

namespace {

class WeightPlanner
{
public:
    WeightPlanner(const GraphIndex& index, const IndexedConstants& constants, const PairPlan& pairs,
                  const FloatLayers& floats, const QuantizeOptions& options,
                  std::span<const std::string> scopes, Findings& lints)
        : m_index(index),
          m_constants(constants),
          m_pairs(pairs),
          m_floats(floats),
          m_options(options),
          m_scopes(scopes),
          m_lints(lints)
    {}

    std::optional<IntegerWeight> planned(std::size_t tensor, const TensorScales& decided)
    {
        m_tensor = tensor;
        const GraphTensor& constant = *m_constants.find(tensor);
        IntegerWeight weight{.tensor = tensor,
                             .scales = decided,
                             .shape = constant.shape,
                             .integers = {},
                             .uses = {}};
        if (!hasFloats(constant) || !fits(weight) || !findUses(weight))
            return std::nullopt;
        const TensorQuantization* const given = givenFor(weight);
        if (given != nullptr)
            weight.scales.quantization = *given;
        if (m_options.mostWeightLevel < 127 && weight.scales.quantization.format.bits() <= 8)
            weight.scales = withinLevels(weight.scales, m_options.mostWeightLevel);
        if (weight.scales.quantization.group == 1)
            raise(weight);
        if (!std::ranges::all_of(weight.scales.quantization.scales, isUsableScale)) {
            tell(FindingLevel::Error, "scale",
                 "not written: no float32 is large enough a scale for its layer's bias");
            return std::nullopt;
        }
        if (!setIntegers(weight))
            return std::nullopt;
        if (given != nullptr && weight.scales.quantization.scales != given->scales)
            tell(FindingLevel::Warning, "rounding",
                 "its improved integers are rounded anew, under other scales");
        if (!decided.roundsHalfEven)
            tell(FindingLevel::Note, "rounding",
                 "halves are rounded to even integers, as QuantizeLinear does");
        return weight;
    }

private:
    void tell(FindingLevel level, std::string_view rule, const std::string& text)
    {
        m_lints.push_back(findingOn(m_index.tensors()[m_tensor].name, level, rule, text));
    }

    bool hasFloats(const GraphTensor& constant)
    {
        if (constant.elementType == ElementKind::Float32)
            return true;
        const std::string type =
            constant.elementType ? std::string(ElementType{*constant.elementType}.text()) : "";
        tell(FindingLevel::Error, "element-type",
             type == "float16" || type == "float64" || type == "bfloat16"
                 ? "not written: it is " + type + "; convert the model to float32"
                 : "not written: it does not hold floats");
        return false;
    }

    bool fits(IntegerWeight& weight)
    {
        TensorQuantization& given = weight.scales.quantization;
        const std::optional<int> axis =
            given.axis ? axisFromFront(*given.axis, weight.shape.size()) : std::nullopt;
        const bool isWithin = axis.has_value() == given.axis.has_value();
        given.axis = axis;
        const std::uint64_t length = axis ? weight.shape[static_cast<std::size_t>(*axis)] : 1;
        const std::uint64_t due = length % given.group == 0
                                      ? elementCount(given.scaleShape(weight.shape)).value_or(0)
                                      : 0;
        if (!isWithin || given.scales.size() != (axis ? due : 1)) {
            tell(FindingLevel::Error, "scale-count",
                 "not written: there are " + countText(given.scales.size(), "scale", "scales") +
                     " for " +
                     (given.group > 1 ? countText(length, "value", "values") + " in groups of " +
                                            std::to_string(given.group)
                                      : countText(length, "channel", "channels")));
            return false;
        }
        return true;
    }

    /// Who takes the integers; widens the scales to one where a stack of matrices is multiplied.
    bool findUses(IntegerWeight& weight)
    {
        const IndexedTensor& tensor = m_index.tensors()[weight.tensor];
        std::vector<TensorUse> uses;
        std::ranges::copy_if(tensor.uses, std::back_inserter(uses), [&](const TensorUse& use) {
            return isWeightInput(m_index.node(use), use.input);
        });
        if (uses.empty()) {
            tell(FindingLevel::Warning, "unused-decision",
                 "its decision is not used: no layer takes it");
            return false;
        }
        std::erase_if(uses, [&](const TensorUse& use) { return m_floats.contains(use); });
        if (uses.empty())
            return false;  // as was chosen
        const std::size_t rank = weight.shape.size();
        if (weight.scales.quantization.group > 1) {
            weight.uses = uses;
            return true;
        }
        if (weight.scales.quantization.axis && rank > 2 &&
            std::ranges::any_of(
                uses, [&](const TensorUse& use) { return isOp(m_index.node(use), "MatMul"); })) {
            weight.scales = perTensor(weight.scales);
            tell(FindingLevel::Error, "stacked-matmul",
                 "written with one scale, the widest: a MatMul multiplies by a stack of matrices, "
                 "for which fused kernels take no scale per channel; choose it per tensor");
        }
        for (const TensorUse& use : uses) {
            const ::onnx::NodeProto& node = m_index.node(use);
            if (!weight.scales.quantization.axis ||
                channelAxisAt(node, use.input, rank) == weight.scales.quantization.axis)
                weight.uses.push_back(use);
            else
                tell(FindingLevel::Note, "other-axis",
                     "left in float for `" + std::string(nodeText(node)) +
                         "`, whose channels are on another axis");
        }
        return !weight.uses.empty();
    }

    /// The scales of the integers whose values the weight already has, by a change of its layer.
    [[nodiscard]] const TensorQuantization* givenFor(const IntegerWeight& weight) const
    {
        const TensorQuantization& decided = weight.scales.quantization;
        for (const LayerChange& change : m_options.changes) {
            const auto graph = graphOfScope(m_index, m_scopes, change.scope);
            const auto output = graph && !change.rounding.integers.empty()
                                    ? m_index.findIn(*graph, change.output)
                                    : std::nullopt;
            const TensorQuantization& given = change.rounding.quantization;
            if (output && weight.uses.size() == 1 &&
                weight.uses.front().graph == m_index.tensors()[*output].graph &&
                weight.uses.front().node == m_index.tensors()[*output].producer &&
                given.axis == decided.axis && given.group == decided.group &&
                given.scales.size() == decided.scales.size())
                return &given;
        }
        return nullptr;
    }

    void raise(IntegerWeight& weight)
    {
        for (const TensorUse& use : weight.uses) {
            if (!isOperand(m_index.node(use), use.input))
                continue;
            TensorUse inputUse = use;
            inputUse.input = 1 - use.input;
            const PlannedPair* input = m_pairs.arriving(m_index, inputUse);
            const auto bias = biasOf(use);
            if (input == nullptr || input->scales.quantization.axis ||
                input->scales.quantization.format.bits() > 8 || !bias ||
                m_constants.find(*bias) == nullptr)
                continue;
            std::vector<float> biases = m_constants.values(*bias);
            const std::size_t scales = weight.scales.quantization.scales.size();
            if (biases.size() == 1)
                biases.assign(scales, biases.front());
            if (biases.size() % scales != 0)
                continue;
            const RaisedScales raised =
                raisedForBiases(weight.scales.quantization.scales,
                                input->scales.quantization.scales.front(), biases);
            if (raised.raised.empty())
                continue;
            weight.scales.quantization.scales = raised.scales;
            tell(FindingLevel::Warning, "raised-scale", raisedNote(raised));
        }
    }

    /// The bias of the layer that takes a weight. That of a MatMul is what an Add directly behind
    /// it adds: ONNX Runtime 1.30 makes both a Gemm, whose bias is as integer as a Conv's.
    [[nodiscard]] std::optional<std::size_t> biasOf(const TensorUse& use) const
    {
        const ::onnx::NodeProto& layer = m_index.node(use);
        if (const std::optional<int> input = biasInput(layer))
            return m_index.find(use.graph, layer.input(*input));
        if (!isOp(layer, "MatMul") || use.input != 1)
            return std::nullopt;
        const auto product = m_index.find(use.graph, layer.output(0));
        if (!product || m_index.tensors()[*product].uses.size() != 1)
            return std::nullopt;
        const TensorUse& next = m_index.tensors()[*product].uses.front();
        const ::onnx::NodeProto& add = m_index.node(next);
        if (!isOp(add, "Add") || add.input_size() != 2 || m_pairs.pairAt.contains(next))
            return std::nullopt;
        const auto added = m_index.find(next.graph, add.input(1 - next.input));
        const GraphTensor* constant = added ? m_constants.find(*added) : nullptr;
        return constant != nullptr && constant->shape.size() == 1 ? added : std::nullopt;
    }

    bool setIntegers(IntegerWeight& weight)
    {
        const std::vector<float> values = m_constants.values(weight.tensor);
        if (std::ranges::any_of(values, [](float value) { return std::isnan(value); })) {
            tell(FindingLevel::Error, "nan", "not written: it has NaN");
            return false;
        }
        weight.integers.resize(values.size());
        const std::span<const float> from(values);
        const std::span<std::int16_t> to(weight.integers);
        const TensorQuantization& quantization = weight.scales.quantization;
        forEachRun(quantization.axisIn(weight.shape), 0, values.size(),
                   [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                       toIntegers(from.subspan(first, count), quantization.integerScale(channel),
                                  to.subspan(first, count));
                   });
        return true;
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    const PairPlan& m_pairs;
    const FloatLayers& m_floats;
    const QuantizeOptions& m_options;
    std::span<const std::string> m_scopes;
    Findings& m_lints;
    std::size_t m_tensor = 0;  ///< that is being planned
};

}  // namespace

std::vector<IntegerWeight> planWeights(const GraphIndex& index, const IndexedConstants& constants,
                                       const std::map<std::size_t, TensorScales>& scales,
                                       const PairPlan& pairs, const FloatLayers& floats,
                                       const QuantizeOptions& options,
                                       std::span<const std::string> scopes, Findings& lints)
{
    WeightPlanner planner(index, constants, pairs, floats, options, scopes, lints);
    std::vector<IntegerWeight> weights;
    for (const auto& [tensor, decided] : scales)
        if (std::optional<IntegerWeight> weight = planner.planned(tensor, decided))
            weights.push_back(std::move(*weight));
    return weights;
}

}  // namespace calibscope::model
