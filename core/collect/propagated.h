// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/analyse.h"

#include <optional>
#include <span>
#include <string>

namespace calibscope {

/// The largest of the ranges that those tensors have by their own values: the largest threshold, or
/// of affine schemes the range that holds all. Nothing where none has one. Reads them through
/// options.otherTensor. Throws std::invalid_argument without it, Error(Input), Cancelled.
[[nodiscard]] std::optional<ClipChoice> largestRange(std::span<const RangeSource> sources,
                                                     const AnalyseOptions& options,
                                                     const Progress& progress);

/// The choice that gives a tensor that range under the scheme of `choice`.
[[nodiscard]] Choice withRange(const Choice& choice, const ClipChoice& range);

/// What to tell of a tensor that has the range of other tensors' in place of its own: from which,
/// and whether it clips more than its own range would.
[[nodiscard]] Outcome propagatedOutcome(Outcome given, const Outcome& own, const Choice& choice);

/// That none of the tensors whose range the choice takes has one.
[[nodiscard]] std::string noRangeNote(const Choice& choice);

}  // namespace calibscope
