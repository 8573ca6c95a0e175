// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/model/graph_index.h"
#include "core/model/indexed_constants.h"
#include "core/model/pair_plan.h"
#include "core/model/quantize_options.h"
#include "core/model/tensor_scales.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace calibscope::model {

/// A weight whose integers are to be written.
struct IntegerWeight
{
    std::size_t tensor = 0;  ///< in the index
    TensorScales scales;     ///< as they are to be written
    std::vector<std::uint64_t> shape;
    std::vector<std::int16_t> integers;
    std::vector<TensorUse> uses;  ///< that are to take them, dequantized
};

/// The integers of weights under their scales, and who takes them:
/// - not layers that stay float; of the others
/// - layers whose channels lie along the axis of the scales, or all of them under one scale;
/// - per tensor, under the widest scale, where a MatMul multiplies by a stack of matrices;
/// - all layers where groups share a scale, which no kernel needs to find along an axis;
/// - scales of 8 bits are fitted to options.mostWeightLevel, then raised for the biases of layers
///   whose input has a pair of 8 bits, but those of groups.
/// A weight that a change has rounded takes the scales of that. `scopes` as for quantizeModel(). Tells in `lints` what is not written, or not as decided, and why.
[[nodiscard]] std::vector<IntegerWeight>
planWeights(const GraphIndex& index, const IndexedConstants& constants,
            const std::map<std::size_t, TensorScales>& scales, const PairPlan& pairs,
            const FloatLayers& floats, const QuantizeOptions& options,
            std::span<const std::string> scopes, Findings& lints);

}  // namespace calibscope::model
