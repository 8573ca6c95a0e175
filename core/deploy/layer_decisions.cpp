#include "core/deploy/layer_decisions.h"

#include "core/base/error.h"
#include "core/deploy/operand_scales.h"
#include "core/recipes/candidates.h"

#include <utility>

namespace calibscope::deploy {

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

std::optional<layers::OperandScale> scaleOf(const OperandDecision& decision,
                                            std::vector<std::string>& notes)
{
    if (decision.decided == nullptr)
        return std::nullopt;
    DecidedScale scale = operandScale(*decision.decided);
    if (!scale.whyNot.empty())
        throw Error(Fault::Input, scale.whyNot);
    notes.insert(notes.end(), scale.notes.begin(), scale.notes.end());
    return std::move(scale.scale);
}

}  // namespace calibscope::deploy
