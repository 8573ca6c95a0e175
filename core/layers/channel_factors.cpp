// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/channel_factors.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace calibscope::layers {

std::vector<float> channelFactors(std::span<const double> inputLargest,
                                  std::span<const double> weightLargest, const FactorRule& rule)
{
    constexpr double largestFactor = 64.0;
    std::vector<double> all(inputLargest.size(), 0.0);
    std::vector<double> live;
    for (std::size_t channel = 0; channel < all.size(); ++channel) {
        const double input = inputLargest[channel];
        const double weight = weightLargest[channel];
        if (!(input > 0.0) || !(weight > 0.0))
            continue;
        all[channel] = std::pow(input, rule.alpha) / std::pow(weight, 1.0 - rule.alpha);
        live.push_back(all[channel]);
    }
    const double middle = medianOf(live);
    std::vector<float> factors;
    for (const double one : all)
        factors.push_back(
            one > 0.0 ? static_cast<float>(std::clamp(one / middle, rule.low, largestFactor))
                      : 1.0F);
    return factors;
}

}  // namespace calibscope::layers
