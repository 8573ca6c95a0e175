// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/stats/profile.h"

#include <string>

namespace calibscope {

/// Why estimateOutcome() has no answer for that choice on that profile, as a sentence; empty: it
/// has one. What else the profile would have to hold: needsOf() in scale_rows.h.
[[nodiscard]] std::string whyNoEstimate(const TensorProfile& profile, const Choice& choice);

[[nodiscard]] bool canEstimate(const TensorProfile& profile, const Choice& choice);

/// Outcome of the choice on a tensor, by its profile alone: scale, curve and notes as by analyse()
/// to the last bit; the metrics from the sketch with their bounds, as analyse() with
/// MetricEffort::Estimate has them (of a scale per channel: none). The profile's sketch has to be
/// there. Where the profile lacks what the choice needs, or the choice can't be run, `problem` says
/// so.
[[nodiscard]] Outcome estimateOutcome(const TensorProfile& profile, const Choice& choice);

}  // namespace calibscope
