// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace calibscope::kernels {

/// Over how many partial sums a sum is spread, whatever the processor's vectors hold: so its bits
/// are the same everywhere.
constexpr std::size_t summingLanes = 16;

using SummingLanes = std::array<double, summingLanes>;

/// The sum of the lanes: of 16, l and l + 8 first, then l and l + 4, and so on.
template <std::size_t count>
[[nodiscard]] double folded(std::array<double, count> lanes)
{
    for (std::size_t half = count / 2; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane)
            lanes[lane] += lanes[lane + half];
    return lanes[0];
}

}  // namespace calibscope::kernels
