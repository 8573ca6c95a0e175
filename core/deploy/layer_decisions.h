#pragma once

#include "core/deploy/decided_tensor.h"
#include "core/deploy/found_layers.h"
#include "core/deploy/layer_dump.h"
#include "core/layers/operand_scale.h"
#include "core/results/layer_results.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// What was decided for a tensor of a layer.
struct OperandDecision
{
    const DecidedTensor* decided = nullptr;  ///< none: it counts as float
    std::string of;  ///< the tensor whose decision it is, where that is another
};

/// What was decided for the operands of a dump's layers.
class LayerDecisions
{
public:
    /// Both must outlive it.
    LayerDecisions(const LayerDump& dump, std::span<const DecidedTensor> decided);

    /// Its own decision, else that of what its values were moved from, if that has one scale.
    [[nodiscard]] OperandDecision of(std::size_t tensor) const;
    [[nodiscard]] const NamedTensors& names() const { return m_names; }

    /// A layer's result before anything was computed: names and decisions.
    [[nodiscard]] LayerResult begun(const FoundLayer& layer) const;

private:
    [[nodiscard]] LayerOperand operand(const FoundOperand& found) const;

    const LayerDump& m_dump;
    NamedTensors m_names;
    std::map<std::string, const DecidedTensor*> m_decided;  ///< by path
};

/// The scale of a decision; nothing without one. Adds what is to be said of it. Throws Error(Input)
/// with a sentence where it can't be applied.
[[nodiscard]] std::optional<layers::OperandScale> scaleOf(const OperandDecision& decision,
                                                          std::vector<std::string>& notes);

}  // namespace calibscope::deploy
