// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/headroom.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double leastLog2 = -40.0;
constexpr double widthLog2 = 80.0;
constexpr double anchorFloor = 1e6;  ///< smaller blocks are not looked at

}  // namespace

std::size_t BlockMaxima::binOf(double magnitude)
{
    const double bin =
        std::floor((std::log2(magnitude) - leastLog2) / widthLog2 * static_cast<double>(bins));
    return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(bins - 1)));
}

void BlockMaxima::add(float largest)
{
    if (!(largest > 0.0F))
        return;
    ++m_counts[binOf(static_cast<double>(largest))];
    m_largest = std::max(m_largest, largest);
}

double BlockMaxima::percentile(double percent, std::size_t firstBin) const
{
    std::uint64_t total = 0;
    for (std::size_t bin = firstBin; bin < bins; ++bin)
        total += m_counts[bin];
    const double target = percent / 100.0 * static_cast<double>(total);
    std::size_t bin = firstBin;
    std::uint64_t below = m_counts[bin];
    while (bin + 1 < bins && static_cast<double>(below) < target)
        below += m_counts[++bin];
    return std::exp2(leastLog2 +
                     (static_cast<double>(bin) + 0.5) / static_cast<double>(bins) * widthLog2);
}

double BlockMaxima::maximum(const HeadroomRule& rule) const
{
    if (m_largest == 0.0F)
        return 0.0;
    const double upper = rule.upperPercentile >= 100.0 ? static_cast<double>(m_largest)
                                                       : percentile(rule.upperPercentile, 0);
    const double anchor = percentile(rule.anchorPercentile, binOf(upper / anchorFloor));
    return std::max(rule.ratio * anchor, upper);
}

}  // namespace calibscope
