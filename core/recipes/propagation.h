// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/recipe.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
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

/// More than these and a tensor keeps its own range: reports would name them all.
constexpr std::size_t mostRangeSources = 256;

/// The ends of all chains of range-keeping ops of a dump under a recipe, for each output of such an
/// op. One walk over the graph without recursion: a chain has as many tensors as a file likes.
///
/// The ends of a tensor are, over all outputs that take its range: the output's own ends, or the
/// output itself if it has none and a range of its own. A tensor without a range of its own (not
/// readable, integers, left out by the recipe) is passed through. Tensors whose chains come back
/// to them have the ends of where the circle is left, whichever of them is asked; none where it
/// is not.
class RangeEnds
{
public:
    /// Ends as indices of Consumers::keepers(), ascending; nothing: more than mostRangeSources.
    using Ends = std::shared_ptr<const std::vector<std::size_t>>;

    RangeEnds(const Recipe& recipe, const Consumers& consumers);

    /// Of any tensor of the dump.
    [[nodiscard]] Ends of(const TensorInfo& tensor, const Consumers& consumers) const;

private:
    std::vector<Ends> m_ends;                       ///< of each keeper
    std::vector<bool> m_hasRange;                   ///< a range of its own, likewise
    std::map<std::string, std::size_t> m_keeperAt;  ///< by path
};

/// The recorded tensors whose largest range that tensor takes under the recipe: the ends of all
/// chains of range-keeping ops that begin at it. Empty: it keeps its own range, as it does for
/// nothing: more than mostRangeSources. Sorted by path.
/// Source: NVIDIA, Additional Details.
[[nodiscard]] std::optional<std::vector<RangeSource>>
rangeSources(const Recipe& recipe, const TensorInfo& tensor, const Consumers& consumers);

}  // namespace calibscope
