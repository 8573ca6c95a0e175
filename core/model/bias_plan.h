// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/weight_plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace calibscope::model {

/// A layer's bias whose integers are to be written.
struct IntegerBias
{
    std::size_t tensor = 0;     ///< in the index
    TensorUse use;              ///< of the one layer
    std::vector<float> scales;  ///< input's times weight's: one, or as many as integers
    std::vector<std::int32_t> integers;
};

/// Biases as int32 in steps of (input's scale) (weight's scale), for layers whose input has a pair
/// and whose weight is planned. A bias that stays float is reported in `lints`: that of a Gemm with
/// alpha or beta, or of a ConvTranspose with groups and scales per channel, and one that is no
/// constant vector.
[[nodiscard]] std::vector<IntegerBias>
planBiases(const GraphIndex& index, const IndexedConstants& constants, const PairPlan& pairs,
           const std::vector<IntegerWeight>& weights, Findings& lints);

}  // namespace calibscope::model
