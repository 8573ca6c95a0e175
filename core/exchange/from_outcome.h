// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/scale_file.h"
#include "core/recipes/outcome.h"
#include "core/stats/magnitude_sketch.h"

#include <string>
#include <vector>

namespace calibscope::exchange {

/// An outcome as an entry of another tool's file, under that name. Requires one without a
/// problem.
[[nodiscard]] ScaleEntry entryFromOutcome(const Outcome& outcome, std::string name);

/// How many values lie in each of so many equal bins of a range, those beyond it in the outermost
/// ones, as clipping puts them there. From the sketch: a value within 2^-10 of an edge may count in
/// the bin beside it. Zeros for a range without a width; requires bins.
[[nodiscard]] std::vector<double> countsOver(const MagnitudeSketch& sketch, const Range& range,
                                             std::size_t bins);

}  // namespace calibscope::exchange
