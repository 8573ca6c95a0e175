// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace calibscope {

/// Adds a mass evenly from one place to another, both in bins from the low end of the first: bin k
/// covers [k, k + 1). Places outside are moved to the ends, the mass is kept. Requires bins and
/// low <= high.
inline void spread(std::vector<double>& bins, double low, double high, double mass)
{
    const double ends = static_cast<double>(bins.size());
    low = std::clamp(low, 0.0, ends);
    high = std::clamp(high, 0.0, ends);
    const auto binOf = [last = bins.size() - 1](double position) {
        return std::min(static_cast<std::size_t>(position), last);
    };
    const std::size_t first = binOf(low);
    const std::size_t last = binOf(high);
    if (first == last) {
        bins[first] += mass;
        return;
    }
    const double perBin = mass / (high - low);
    bins[first] += perBin * (static_cast<double>(first + 1) - low);
    for (std::size_t bin = first + 1; bin < last; ++bin)
        bins[bin] += perBin;
    bins[last] += perBin * (high - static_cast<double>(last));
}

}  // namespace calibscope
