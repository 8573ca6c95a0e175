// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_decisions.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/recipes/candidates.h"

#include <algorithm>
#include <utility>

namespace calibscope::layers {

LayerDecisions::LayerDecisions(const LayerDump& dump, std::span<const DecidedTensor> decided)
    : m_dump(dump), m_names(dump.tensors())
{
    for (const DecidedTensor& tensor : decided)
        m_decided.emplace(tensor.info.path, &tensor);
}

OperandDecision LayerDecisions::of(std::size_t tensor) const
{
    const TensorInfo& info = m_dump.tensors()[tensor];
    if (const auto own = m_decided.find(info.path); own != m_decided.end())
        return {.decided = own->second, .of = {}};
    if (info.role == Role::Weight)
        return {};
    for (const std::size_t before : movedFrom(m_names, tensor)) {
        const TensorInfo& moved = m_dump.tensors()[before];
        const auto found = m_decided.find(moved.path);
        if (found != m_decided.end() && !found->second->outcome.isPerChannel())
            return {.decided = found->second, .of = moved.name};
    }
    return {};
}

LayerOperand LayerDecisions::operand(const FoundOperand& found) const
{
    LayerOperand operand{.tensor = found.name, .path = {}};
    if (!found.tensor)
        return operand;
    const TensorInfo& info = m_dump.tensors()[*found.tensor];
    operand.path = info.path;
    operand.isWeight = info.role == Role::Weight;
    const OperandDecision decision = of(*found.tensor);
    if (decision.decided != nullptr) {
        const Choice& choice = decision.decided->outcome.choice;
        operand.candidate = candidateId(choice);
        operand.label = shortLabel(choice);
        operand.decidedBy = decision.of;
    }
    return operand;
}

LayerResult LayerDecisions::begun(const FoundLayer& layer) const
{
    LayerResult result{.layer = layer.name,
                       .path = {},
                       .op = layer.op,
                       .input = operand(layer.input),
                       .weight = operand(layer.weight),
                       .whyNot = {}};
    if (layer.output)
        result.path = m_dump.tensors()[*layer.output].path;
    return result;
}

TensorQuantization operandScale(const DecidedTensor& decided)
{
    const auto refuse = [&](const std::string& why) {
        throw Error(Fault::Input, decided.info.name + why);
    };
    if (!decided.outcome.problem.empty())
        refuse(": " + decided.outcome.problem);
    TensorQuantization scale = quantizationOf(decided);
    if (const auto bad = std::ranges::find_if_not(scale.scales, isUsableScale);
        bad != scale.scales.end())
        refuse(" has the scale " + numberText(static_cast<double>(*bad)) +
               " in float32, which quantizes nothing");
    if (!scale.axis)
        return scale;
    const auto axis = static_cast<std::size_t>(*scale.axis);
    const bool isWithin = axis < decided.info.shape.size();
    const std::uint64_t due = !isWithin         ? 0
                              : scale.group > 1 ? decided.info.valueCount() / scale.group
                                                : decided.info.shape[axis];
    if (due != scale.scales.size())
        refuse(" has " + std::to_string(scale.scales.size()) +
               " scales, which are not those of its channels");
    if (axis == 0 && decided.info.role != Role::Weight)
        refuse(" has a scale for each sample");
    return scale;
}

std::optional<TensorQuantization> scaleOf(const OperandDecision& decision)
{
    return decision.decided == nullptr ? std::nullopt
                                       : std::optional(operandScale(*decision.decided));
}

std::vector<std::string> notesOf(const OperandDecision& decision)
{
    if (decision.decided == nullptr)
        return {};
    const std::string& name = decision.decided->info.name;
    const Outcome& outcome = decision.decided->outcome;
    std::vector<std::string> notes;
    if (outcome.whole.quantizer.rounding != Rounding::HalfEven)
        notes.push_back(name + " is rounded half to even, as QuantizeLinear does");
    if (outcome.choice.scheme.kind == SchemeKind::AffineReal)
        notes.push_back(name + " has a zero point that is not an integer");
    return notes;
}

}  // namespace calibscope::layers
