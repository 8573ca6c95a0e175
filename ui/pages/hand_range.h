#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"

namespace calibscope {

/// An end of a clip range as a plot shows it.
struct PlacedEnd
{
    Domain domain = Domain::Magnitude;
    bool isAffine = false;
    bool isLow = false;  ///< in x; a histogram of |x| shows one end
};

/// The range once that end lies at `value`: under a symmetric scheme both ends move, under an
/// affine one only this, in |x| the farther one.
[[nodiscard]] Range withMovedEnd(const Range& range, const PlacedEnd& end, double value);

}  // namespace calibscope
