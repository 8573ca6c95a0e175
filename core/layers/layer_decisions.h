// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layers/found_layers.h"
#include "core/layers/layer_errors.h"
#include "core/quant/tensor_quantization.h"
#include "core/recipes/decided_tensor.h"
#include "core/results/layer_results.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::layers {

/// Decision for a tensor of a layer.
struct OperandDecision
{
    const DecidedTensor* decided = nullptr;  ///< none: it counts as float
    std::string of;  ///< the tensor whose decision it is, where that is another
};

/// Decisions for the operands of a dump's layers.
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

/// Scales of a decision as a layer's operand takes them: quantizationOf(). Throws Error(Input) for
/// an outcome with a problem, a scale that quantizes nothing in float32, scales whose count is not
/// the length of their axis, and scales along the samples of an activation.
[[nodiscard]] TensorQuantization operandScale(const DecidedTensor& decided);
/// The same; nothing without a decision.
[[nodiscard]] std::optional<TensorQuantization> scaleOf(const OperandDecision& decision);
/// Differences between the decision and what operandScale() computes; empty without a decision.
[[nodiscard]] std::vector<std::string> notesOf(const OperandDecision& decision);

}  // namespace calibscope::layers
