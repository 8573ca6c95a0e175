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

/// The clip range (finite) once that end lies at `value`: under an affine scheme only this end
/// moves, in |x| the one that is seen; under a symmetric one both do, and the range is that of the
/// threshold, from minus it to it.
[[nodiscard]] Range withMovedEnd(const Range& range, const PlacedEnd& end, double value);

}  // namespace calibscope
