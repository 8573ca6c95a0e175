// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/protocol/messages.h"
#include "core/recipes/outcome.h"
#include "core/stats/extents.h"
#include "core/stats/magnitude_sketch.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope::engine {

constexpr std::size_t sparklineColumns = 32;

/// Counts of the finite values in 32 equal columns of [min, max], estimated: a sketch bin's values
/// lie evenly in it. Their sum is the count of values but for rounding. Constant data is all in the
/// middle column, no data gives zeros; so do values nearer to each other than the sketch can tell
/// apart (subnormal ones), whose shape would be made up.
[[nodiscard]] std::vector<double> sparkline(const MagnitudeSketch& sketch, const Extents& extents);

constexpr std::size_t mostCurvePoints = 4096;

/// A curve of at most `most` points (at least 16) that looks the same: of each stretch of points
/// the least, the greatest finite and one infinite one are kept, and the ends, the chosen points
/// and the runner-up of the whole. Ties whose points are dropped are dropped too. A curve that is
/// short enough comes back as it is.
[[nodiscard]] Curve thinned(const Curve& curve, std::size_t most = mostCurvePoints);

/// The profile as a view gives it: with the histograms asked for, those that the outcomes'
/// calibrators worked on, and the order statistics that they used. The same whatever else was
/// collected of the tensor before. `choices` as they were run.
[[nodiscard]] TensorProfile shownProfile(const TensorProfile& profile,
                                         const protocol::ViewRequest& request,
                                         std::span<const Choice> choices,
                                         std::span<const Outcome> outcomes);

/// Whether the profile holds all that shownProfile() would have to show.
[[nodiscard]] bool holdsAll(const TensorProfile& profile, std::span<const Choice> choices,
                            std::span<const Outcome> outcomes);

}  // namespace calibscope::engine
