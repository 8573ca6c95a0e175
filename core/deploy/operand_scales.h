#pragma once

#include "core/deploy/decided_tensor.h"
#include "core/layers/operand_scale.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// A decision as a layer's operand takes it.
struct DecidedScale
{
    std::optional<layers::OperandScale> scale;
    std::string whyNot;              ///< why there is none, as a sentence; empty: there is one
    std::vector<std::string> notes;  ///< what is odd about it
};

/// Scales rounded to float32 as programs have them, levels and zero points as decided. Not taken: a
/// scale that quantizes nothing in float32, scales whose count is not the length of their axis, and
/// scales along the samples of an activation.
[[nodiscard]] DecidedScale operandScale(const DecidedTensor& decided);

}  // namespace calibscope::deploy
