#include "ui/charts/x_range.h"

#include <algorithm>

namespace calibscope {

Range zoomedRange(const Range& shown, const Range& full, double centre, double factor)
{
    constexpr double leastShare = 1e-6;
    const double width =
        std::clamp(shown.width() * factor, full.width() * leastShare, full.width());
    const double share = (centre - shown.low) / shown.width();
    const double low = centre - share * width;
    return movedRange({low, low + width}, full, 0.0);
}

Range movedRange(const Range& shown, const Range& full, double distance)
{
    if (shown.width() >= full.width())
        return full;
    const double low = std::clamp(shown.low + distance, full.low, full.high - shown.width());
    return {low, low + shown.width()};
}

}  // namespace calibscope
