#pragma once

#include "core/calibrators/calibrator.h"

#include <cstddef>

namespace calibscope::engine {

constexpr std::size_t mostCurvePoints = 4096;

/// A curve of at most `most` points (at least 16) that looks the same: of each stretch of points
/// the least, the greatest finite and one infinite one are kept, and the ends, the chosen points
/// and the runner-up of the whole. Ties whose points are dropped are dropped too. A curve that is
/// short enough comes back as it is.
[[nodiscard]] Curve thinned(const Curve& curve, std::size_t most = mostCurvePoints);

}  // namespace calibscope::engine
