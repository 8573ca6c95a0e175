// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/model/graph_index.h"
#include "core/model/indexed_constants.h"
#include "core/model/quantize_options.h"
#include "core/model/tensor_scales.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace calibscope::model {

/// A pair of QuantizeLinear and DequantizeLinear to be written behind an activation.
struct PlannedPair
{
    std::size_t tensor = 0;       ///< in the index
    TensorScales scales;          ///< as they are to be written
    std::vector<TensorUse> uses;  ///< that are to take what the pair gives
    bool makesOutput = false;     ///< what the pair gives is the graph's output
};

/// Scales of activations by their tensors in the index.
using ActivationScales = std::map<std::size_t, TensorScales>;

struct PairPlan
{
    std::vector<PlannedPair> pairs;
    /// The pair whose integers a tensor's values are, behind ops that only move values.
    std::map<std::size_t, std::size_t> carried;
    std::map<TensorUse, std::size_t> pairAt;  ///< of uses that take what a pair gives

    /// The pair whose integers arrive there, directly or through moves; null: it is float.
    [[nodiscard]] const PlannedPair* arriving(const GraphIndex& index, const TensorUse& use) const;
};

/// Which activations get a pair, for whom, and under which scale:
/// - those that options.places says, and outputs of the main graph if they are asked for;
/// - none between a convolution and its BatchNormalization; none between a layer and a Relu that is
///   all who take it if the Relu's scale has its zero point at the least integer;
/// - none behind an op that only moves values, where integers arrive at it: the values are those of
///   the same scale, and under another one they would be rounded twice;
/// - none for layers that stay float;
/// - what a Concat joins and what it gives have one scale, the widest.
/// Tells in `lints` of scales that are not used as decided, and of those that no place uses.
[[nodiscard]] PairPlan planPairs(const GraphIndex& index, const IndexedConstants& constants,
                                 const ActivationScales& scales, const FloatLayers& floats,
                                 const QuantizeOptions& options, Findings& lints);

}  // namespace calibscope::model
