// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/slice.h"

#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>

namespace calibscope {

namespace {

/// Finite floats in ascending order are consecutive numbers: magnitudes from 0 on, negative values
/// downward from -1.
float floatOf(std::int64_t order)
{
    constexpr auto sign = std::uint32_t{1} << 31U;
    return order >= 0 ? std::bit_cast<float>(static_cast<std::uint32_t>(order))
                      : std::bit_cast<float>(static_cast<std::uint32_t>(-order - 1) | sign);
}

constexpr std::int64_t mostOrder = 0x7f7fffff;  // of the largest float

/// The first float of the order from `first` to `last` that falls into that bin or a later one.
std::int64_t firstFrom(const Histogram& histogram, std::size_t bin, std::int64_t first,
                       std::int64_t last)
{
    while (first < last) {
        const std::int64_t middle = std::midpoint(first, last);
        if (histogram.binOf(static_cast<double>(floatOf(middle))) >= bin)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

}  // namespace

MarkedValues valuesOfBin(const Histogram& histogram, std::size_t bin)
{
    const std::int64_t first = histogram.spec.domain == Domain::Magnitude ? 0 : -mostOrder - 1;
    const std::int64_t low = bin == 0 ? first : firstFrom(histogram, bin, first, mostOrder);
    const bool isLast = bin + 1 >= histogram.counts.size() || !(histogram.high > histogram.low);
    const std::int64_t end = isLast ? mostOrder + 1 : firstFrom(histogram, bin + 1, low, mostOrder);
    return {.domain = histogram.spec.domain,
            .range = {static_cast<double>(floatOf(low)), static_cast<double>(floatOf(end - 1))}};
}

std::uint64_t Slice::clippedCount() const
{
    return std::accumulate(clipped.begin(), clipped.end(), std::uint64_t{0});
}

}  // namespace calibscope
