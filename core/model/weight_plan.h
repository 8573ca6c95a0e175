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
#include <optional>
#include <string>
#include <vector>

namespace calibscope::model {

/// A weight whose integers are to be written.
struct IntegerWeight
{
    std::size_t tensor = 0;  ///< in the index
    TensorScales scales;     ///< as they are to be written
    std::vector<std::uint64_t> shape;
    std::vector<std::int8_t> integers;
    std::vector<TensorUse> uses;  ///< that are to take them, dequantized
};

/// The integers of weights under their scales, and who takes them:
/// - layers whose channels lie along the axis of the scales, or all of them under one scale;
/// - per tensor, under the widest scale, where a MatMul multiplies by a stack of matrices;
/// - scales are fitted to options.mostWeightLevel, then raised for the biases of layers whose input
///   has a pair.
/// Tells in `lints` what is not written, or not as decided, and why.
[[nodiscard]] std::vector<IntegerWeight>
planWeights(const GraphIndex& index, const IndexedConstants& constants,
            const std::map<std::size_t, TensorScales>& scales, const PairPlan& pairs,
            const QuantizeOptions& options, Findings& lints);

/// Calls with each channel's number, its first value and its count, for runs of neighbouring values
/// that share a scale.
template <typename Visit>
void forEachRun(const std::vector<std::uint64_t>& shape, std::optional<int> axis,
                std::uint64_t count, const Visit& visit)
{
    if (!axis) {
        visit(std::size_t{0}, std::uint64_t{0}, count);
        return;
    }
    std::uint64_t inner = 1;
    for (std::size_t i = static_cast<std::size_t>(*axis) + 1; i < shape.size(); ++i)
        inner *= shape[i];
    const std::uint64_t channels = shape[static_cast<std::size_t>(*axis)];
    if (inner == 0 || channels == 0)
        return;
    for (std::uint64_t run = 0; run < count / inner; ++run)
        visit(static_cast<std::size_t>(run % channels), run * inner, inner);
}

}  // namespace calibscope::model
