#pragma once

#include "core/stats/extents.h"
#include "core/stats/magnitude_sketch.h"

#include <vector>

namespace calibscope::engine {

constexpr std::size_t sparklineColumns = 32;

/// Counts of the finite values in 32 equal columns of [min, max], estimated: a sketch bin's values
/// lie evenly in it. Their sum is the count of values but for rounding. Constant data is all in the
/// middle column, no data gives zeros.
[[nodiscard]] std::vector<double> sparkline(const MagnitudeSketch& sketch, const Extents& extents);

}  // namespace calibscope::engine
