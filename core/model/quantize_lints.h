// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/model/graph_index.h"
#include "core/model/pair_plan.h"
#include "core/model/quantize_options.h"
#include "core/model/tensor_scales.h"
#include "core/model/weight_plan.h"

#include <vector>

namespace calibscope::model {

/// Whether a decision can be written into a model; what speaks against it, and what is odd about
/// it, goes to `lints`: scales that are not finite and above 0, and of activations several scales
/// (unless they are allowed), real zero points, another rounding than to even integers, other bits
/// than 8; shares that are clipped, few samples.
[[nodiscard]] bool isWritable(const TensorScales& scales, const QuantizeOptions& options,
                              Findings& lints);

/// Layers that stay float by choice, or as an operand has no decision; what the target does not take.
void lintPlan(const GraphIndex& index, const IndexedConstants& constants, const PairPlan& pairs,
              const std::vector<IntegerWeight>& weights, const FloatLayers& floats,
              const QuantizeOptions& options, Findings& lints);

}  // namespace calibscope::model
