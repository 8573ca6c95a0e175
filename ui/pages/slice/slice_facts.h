// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/document/outcome_rows.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

/// A candidate's effect on values at their places, in words and for the engine.
namespace calibscope {

/// The candidate's unclipped range: one range for the tensor, one for each channel; none while it
/// has no result.
[[nodiscard]] std::vector<Range> clipsOf(const TensorInfo& tensor, const OutcomeRow* row);
/// The quantizer of a value; nullptr while there is none.
[[nodiscard]] const Quantizer* quantizerOf(const TensorInfo& tensor, const OutcomeRow* row,
                                           const std::vector<std::uint64_t>& index);
/// A value, what it becomes and how far that is from it, in lines.
[[nodiscard]] QString factsOfValue(double value, const Quantizer* quantizer);
/// Range of the colours: the widest clip range as far as the tensor's values go, which may not be
/// known; without one the values of the slice.
[[nodiscard]] Range colorRange(const std::vector<Range>& clips, const std::optional<Range>& extents,
                               const Slice& slice);
/// "38 400 values, 1.2 % clipped by entropy, 3 NaN"; of what was read so far.
[[nodiscard]] QString sliceSentence(const Slice& slice, const QString& candidate,
                                    const QString& marked);

}  // namespace calibscope
