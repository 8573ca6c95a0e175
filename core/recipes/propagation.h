#pragma once

#include "core/recipes/recipe.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Whether an op leaves the range of its values as it is: its output holds all values of its
/// inputs, or the largest of each window (ONNX's names; resources/docs/algorithms.md lists them).
/// Slice and its like are not among them: what they leave out could lie beyond their output.
[[nodiscard]] bool keepsRange(std::string_view op);
/// The inputs of the tensor's op that take the range of its output: all of Concat, the first of the
/// others (the rest are shapes and axes); none of an op that does not keep ranges.
[[nodiscard]] std::span<const std::string> keptInputs(const TensorInfo& tensor);

/// The recorded tensors whose largest range that tensor takes under the recipe: the ends of all
/// chains of range-keeping ops that begin at it. Empty: it keeps its own range. A tensor without a
/// range of its own (not readable, integers, left out by the recipe) is passed through; a chain
/// that only comes back to its tensor gives nothing. Sorted by path.
/// Source: NVIDIA, Additional Details.
[[nodiscard]] std::vector<RangeSource> rangeSources(const Recipe& recipe, const TensorInfo& tensor,
                                                    const Consumers& consumers);

}  // namespace calibscope
