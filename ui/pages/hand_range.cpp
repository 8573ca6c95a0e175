#include "ui/pages/hand_range.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

Range withMovedEnd(const Range& range, const PlacedEnd& end, double value)
{
    if (!end.isAffine)
        return {-std::abs(value), std::abs(value)};
    const bool isLow = end.domain == Domain::Magnitude ? -range.low > range.high : end.isLow;
    if (isLow)
        return {std::min(end.domain == Domain::Magnitude ? -value : value, 0.0), range.high};
    return {range.low, std::max(value, 0.0)};
}

}  // namespace calibscope
