// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pair_plan.h"

#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"
#include "core/model/widest_scale.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <numeric>

namespace calibscope::model {

namespace {

/// With the levels left out of account, but for their bits.
bool isSameScale(const TensorQuantization& one, const TensorQuantization& other)
{
    return one.scales == other.scales && one.zeroPoints == other.zeroPoints &&
           one.axis == other.axis && one.format.bits() == other.format.bits();
}

bool isConvolution(const ::onnx::NodeProto& node)
{
    return isOp(node, "Conv") || isOp(node, "ConvTranspose");
}

class PairPlanner
{
public:
    PairPlanner(const GraphIndex& index, const IndexedConstants& constants,
                const ActivationScales& scales, const FloatLayers& floats,
                const QuantizeOptions& options, Findings& lints)
        : m_index(index),
          m_constants(constants),
          m_scales(scales),
          m_floats(floats),
          m_options(options),
          m_lints(lints)
    {}

    PairPlan planned()
    {
        for (std::size_t tensor = 0; tensor < m_index.tensors().size(); ++tensor)
            consider(tensor);
        joinScales();
        tellOfUnused();
        return std::move(m_plan);
    }

private:
    [[nodiscard]] const IndexedTensor& at(std::size_t tensor) const
    {
        return m_index.tensors()[tensor];
    }

    void tell(FindingLevel level, std::string_view rule, std::size_t tensor,
              const std::string& text)
    {
        m_lints.push_back(findingOn(at(tensor).name, level, rule, text));
    }

    void consider(std::size_t tensor)
    {
        const auto decided = m_scales.find(tensor);
        if (const std::optional<std::size_t> pair = carriedInto(tensor)) {
            m_plan.carried[tensor] = *pair;
            if (decided != m_scales.end() &&
                !isSameScale(decided->second.quantization, m_plan.pairs[*pair].scales.quantization))
                tell(FindingLevel::Warning, "move-scale", tensor,
                     "no pair of its own, as its values are those of `" +
                         at(m_plan.pairs[*pair].tensor).name +
                         "`, which has another scale; they would be rounded twice");
            if (isWantedOutput(tensor))
                addPair(tensor, m_plan.pairs[*pair].scales, {});
            return;
        }
        if (decided != m_scales.end() && !isAbsorbedByRelu(tensor)) {
            const std::vector<TensorUse> uses = wantedUses(tensor);
            if (!uses.empty() || isWantedOutput(tensor)) {
                addPair(tensor, decided->second, uses);
                return;
            }
        }
        if (const std::optional<std::size_t> pair = joinedInto(tensor))
            m_plan.carried[tensor] = *pair;
    }

    void addPair(std::size_t tensor, const TensorScales& scales, const std::vector<TensorUse>& uses)
    {
        for (const TensorUse& use : uses)
            m_plan.pairAt[use] = m_plan.pairs.size();
        m_pairOf[tensor] = m_plan.pairs.size();
        m_plan.pairs.push_back({.tensor = tensor,
                                .scales = scales,
                                .uses = uses,
                                .makesOutput = isWantedOutput(tensor)});
    }

    [[nodiscard]] std::optional<std::size_t> arrivingAt(const TensorUse& use) const
    {
        const PlannedPair* pair = m_plan.arriving(m_index, use);
        if (pair == nullptr)
            return std::nullopt;
        return static_cast<std::size_t>(pair - m_plan.pairs.data());
    }

    /// A Pad that is given the value to pad with, and that is 0.
    [[nodiscard]] bool padsWithZero(std::size_t graph, const ::onnx::NodeProto& node) const
    {
        const auto value = isOp(node, "Pad") && node.input_size() > 2
                               ? m_index.find(graph, node.input(2))
                               : std::nullopt;
        if (!value || m_constants.find(*value) == nullptr)
            return false;
        return std::ranges::all_of(m_constants.values(*value),
                                   [](float number) { return number == 0.0F; });
    }

    /// The pair whose integers the op moves that makes the tensor.
    [[nodiscard]] std::optional<std::size_t> carriedInto(std::size_t tensor) const
    {
        const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
        if (producer == nullptr || isOp(*producer, "Concat") ||
            !(movesValues(*producer) || padsWithZero(at(tensor).graph, *producer)) ||
            at(tensor).output >= (isOp(*producer, "Split") ? producer->output_size() : 1))
            return std::nullopt;
        return arrivingAt({.graph = at(tensor).graph, .node = *at(tensor).producer, .input = 0});
    }

    /// The first of the pairs whose integers a Concat joins, if it joins nothing else.
    [[nodiscard]] std::optional<std::size_t> joinedInto(std::size_t tensor) const
    {
        const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
        if (producer == nullptr || !isOp(*producer, "Concat"))
            return std::nullopt;
        std::optional<std::size_t> first;
        for (int input = producer->input_size() - 1; input >= 0; --input) {
            first = arrivingAt(
                {.graph = at(tensor).graph, .node = *at(tensor).producer, .input = input});
            if (!first || m_plan.pairs[*first].scales.quantization.axis)
                return std::nullopt;
        }
        return first;
    }

    [[nodiscard]] bool isWantedOutput(std::size_t tensor) const
    {
        if (!m_options.quantizesOutputs || at(tensor).graph != 0 || !at(tensor).producer)
            return false;
        return std::ranges::any_of(
            m_index.graphs().front().proto->output(),
            [&](const ::onnx::ValueInfoProto& output) { return output.name() == at(tensor).name; });
    }

    /// The one node that takes the tensor; null if several do, or somebody else.
    [[nodiscard]] const ::onnx::NodeProto* onlyUser(const IndexedTensor& tensor) const
    {
        if (tensor.isGraphOutput || tensor.uses.size() != 1)
            return nullptr;
        return &m_index.node(tensor.uses.front());
    }

    /// A layer's result whose Relu has levels from 0 on: the layer's integers can begin there.
    [[nodiscard]] bool isAbsorbedByRelu(std::size_t tensor) const
    {
        const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
        const ::onnx::NodeProto* user = onlyUser(at(tensor));
        if (producer == nullptr || user == nullptr || !isLayer(*producer) || !isOp(*user, "Relu"))
            return false;
        const auto relu = m_index.find(at(tensor).uses.front().graph, user->output(0));
        return relu && startsAtZero(*relu) && (!wantedUses(*relu).empty() || isWantedOutput(*relu));
    }

    [[nodiscard]] bool startsAtZero(std::size_t tensor) const
    {
        const auto decided = m_scales.find(tensor);
        return decided != m_scales.end() && !decided->second.quantization.axis &&
               decided->second.quantization.zeroPoints.front() ==
                   decided->second.quantization.format.least();
    }

    [[nodiscard]] bool isResultOfLayer(std::size_t tensor) const
    {
        const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
        if (producer == nullptr)
            return false;
        if (isLayer(*producer))
            return !m_floats.contains(at(tensor).graph, *at(tensor).producer);
        if (!isOp(*producer, "Relu") || !startsAtZero(tensor))
            return false;
        const auto input = m_index.find(at(tensor).graph, producer->input(0));
        const ::onnx::NodeProto* layer = input ? m_index.producer(at(*input)) : nullptr;
        return layer != nullptr && isLayer(*layer) && onlyUser(at(*input)) != nullptr;
    }

    [[nodiscard]] std::vector<TensorUse> wantedUses(std::size_t tensor) const
    {
        const bool takesAll = m_options.places == PairPlaces::Decided ||
                              (m_options.places == PairPlaces::Layers && isResultOfLayer(tensor));
        const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
        std::vector<TensorUse> uses;
        for (const TensorUse& use : at(tensor).uses) {
            const ::onnx::NodeProto& node = m_index.node(use);
            const bool isFolded =
                producer != nullptr && isConvolution(*producer) && isOp(node, "BatchNormalization");
            if (!isFolded && !m_floats.contains(use) && (takesAll || isOperand(node, use.input)))
                uses.push_back(use);
        }
        return uses;
    }

    /// Gives one scale to all that a Concat joins, and to what it gives.
    void joinScales()
    {
        std::vector<std::size_t> joined(m_plan.pairs.size());
        std::iota(joined.begin(), joined.end(), std::size_t{0});
        const auto rootOf = [&joined](std::size_t pair) {
            while (joined[pair] != pair)
                pair = joined[pair] = joined[joined[pair]];
            return pair;
        };
        for (const std::vector<std::size_t>& members : concatMembers())
            for (const std::size_t pair : members)
                joined[rootOf(pair)] = rootOf(members.front());
        std::map<std::size_t, std::vector<std::size_t>> groups;
        for (std::size_t pair = 0; pair < joined.size(); ++pair)
            groups[rootOf(pair)].push_back(pair);
        for (const auto& [root, pairs] : groups)
            if (pairs.size() > 1)
                joinGroup(pairs);
    }

    [[nodiscard]] std::vector<std::vector<std::size_t>> concatMembers() const
    {
        std::vector<std::vector<std::size_t>> all;
        for (std::size_t tensor = 0; tensor < m_index.tensors().size(); ++tensor) {
            const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
            if (producer == nullptr || !isOp(*producer, "Concat"))
                continue;
            std::vector<std::size_t> members;
            for (int input = 0; input < producer->input_size(); ++input)
                if (const auto pair = arrivingAt(
                        {.graph = at(tensor).graph, .node = *at(tensor).producer, .input = input}))
                    members.push_back(*pair);
            if (const auto own = m_pairOf.find(tensor); own != m_pairOf.end() && !members.empty())
                members.push_back(own->second);
            std::erase_if(members, [&](std::size_t pair) {
                return m_plan.pairs[pair].scales.quantization.axis.has_value();
            });
            if (!members.empty())
                all.push_back(std::move(members));
        }
        return all;
    }

    void joinGroup(const std::vector<std::size_t>& pairs)
    {
        std::vector<TensorScales> scales;
        for (const std::size_t pair : pairs)
            scales.push_back(m_plan.pairs[pair].scales);
        const TensorQuantization widest = widestOf(scales).quantization;
        for (const std::size_t pair : pairs) {
            TensorQuantization& own = m_plan.pairs[pair].scales.quantization;
            if (isSameScale(own, widest))
                continue;
            tell(FindingLevel::Warning, "concat-scale", m_plan.pairs[pair].tensor,
                 "written with the widest scale of what is joined with it by Concat, else the "
                 "integers would be quantized again");
            own = widest;
        }
    }

    void tellOfUnused()
    {
        for (const auto& [tensor, scales] : m_scales) {
            const ::onnx::NodeProto* producer = m_index.producer(at(tensor));
            if (producer != nullptr && isConvolution(*producer) &&
                std::ranges::any_of(at(tensor).uses, [&](const TensorUse& use) {
                    return isOp(m_index.node(use), "BatchNormalization");
                }))
                tell(FindingLevel::Note, "before-normalization", tensor,
                     "no pair between a convolution and its BatchNormalization");
            else if (std::ranges::any_of(at(tensor).uses, [&](const TensorUse& use) {
                         return m_floats.contains(use);
                     }))
                continue;  // as was chosen
            else if (!m_pairOf.contains(tensor) && !m_plan.carried.contains(tensor) &&
                     !isAbsorbedByRelu(tensor))
                tell(FindingLevel::Warning, "unused-decision", tensor,
                     at(tensor).uses.empty() && at(tensor).isGraphOutput
                         ? "its decision is not used: outputs of the graph stay float"
                         : "its decision is not used: places are " +
                               std::string(pairPlacesText(m_options.places)));
        }
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    const ActivationScales& m_scales;
    const FloatLayers& m_floats;
    const QuantizeOptions& m_options;
    Findings& m_lints;
    PairPlan m_plan;
    std::map<std::size_t, std::size_t> m_pairOf;  ///< by tensor
};

}  // namespace

const PlannedPair* PairPlan::arriving(const GraphIndex& index, const TensorUse& use) const
{
    if (const auto direct = pairAt.find(use); direct != pairAt.end())
        return &pairs[direct->second];
    const auto tensor = index.find(use.graph, index.node(use).input(use.input));
    if (!tensor)
        return nullptr;
    const auto moved = carried.find(*tensor);
    return moved != carried.end() ? &pairs[moved->second] : nullptr;
}

PairPlan planPairs(const GraphIndex& index, const IndexedConstants& constants,
                   const ActivationScales& scales, const FloatLayers& floats,
                   const QuantizeOptions& options, Findings& lints)
{
    return PairPlanner(index, constants, scales, floats, options, lints).planned();
}

}  // namespace calibscope::model
