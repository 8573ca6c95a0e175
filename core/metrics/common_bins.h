// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/centred_bins.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace calibscope {

/// Bins of the common histogram, in which `kl` compares: equal ones over [-absMax, absMax].
constexpr int commonBins = 2048;

/// Where values lie in the common histogram.
class CommonBins
{
public:
    /// Of a tensor's largest magnitude. Without one (all zero) everything lies in one bin.
    explicit CommonBins(double absMax)
        : m_width(absMax > 0.0 ? absMax / half : std::numeric_limits<double>::infinity())
    {}

    /// Distance from the low end in bins, cut at both ends: bin k covers [k, k + 1).
    [[nodiscard]] double position(double x) const
    {
        return std::clamp(x / m_width, -half, half) + half;
    }
    /// Bin of a value; the high end lies in the last bin. Exact: a value just below an edge is not
    /// rounded onto it.
    [[nodiscard]] std::size_t binOf(double x) const
    {
        const double fromZero = std::clamp(x / m_width, -half, half);
        const int towardsZero = static_cast<int>(fromZero);
        const int below = towardsZero - (fromZero < towardsZero ? 1 : 0);
        return static_cast<std::size_t>(std::min(below + commonBins / 2, commonBins - 1));
    }
    /// The same bins for many values at once.
    [[nodiscard]] kernels::CentredBins centred() const
    {
        return {.width = m_width, .half = commonBins / 2};
    }

private:
    static constexpr double half = 0.5 * commonBins;
    double m_width;
};

/// Counts finite values in the common histogram of that range; others are left out. Requires
/// commonBins counts.
void countInCommonBins(std::span<const float> values, double absMax,
                       std::vector<std::uint64_t>& counts);

}  // namespace calibscope
