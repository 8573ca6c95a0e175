// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/curve/curve_choice.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

void describeSurroundings(Curve& curve)
{
    const double most = 1.01 * curve.value[curve.chosen];
    std::size_t low = curve.chosen;
    std::size_t high = curve.chosen;
    while (low > 0 && curve.value[low - 1] <= most)
        --low;
    while (high + 1 < curve.value.size() && curve.value[high + 1] <= most)
        ++high;
    curve.plateau = {curve.threshold[low], curve.threshold[high]};
    curve.runnerUp.reset();
    for (std::size_t point = 0; point < curve.value.size(); ++point) {
        const bool isInside = point >= low && point <= high;
        if (!isInside && std::isfinite(curve.value[point]) &&
            (!curve.runnerUp || curve.value[point] < curve.value[*curve.runnerUp]))
            curve.runnerUp = point;
    }
}

bool chooseLeast(Curve& curve, bool takesWidest)
{
    const auto least = std::ranges::min_element(curve.value);  // the first, also among infinities
    if (least == curve.value.end() || !std::isfinite(*least))
        return false;
    curve.ties.clear();
    for (std::size_t point = 0; point < curve.value.size(); ++point)
        if (curve.value[point] == *least)
            curve.ties.push_back(point);
    curve.chosen = takesWidest ? curve.ties.back() : curve.ties.front();
    std::erase(curve.ties, curve.chosen);
    describeSurroundings(curve);
    return true;
}

}  // namespace calibscope
