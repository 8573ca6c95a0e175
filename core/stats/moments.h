// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/power_sums.h"
#include "core/stats/extents.h"

#include <span>

namespace calibscope {

/// Count, ends and the first four moments of the finite values.
///
/// A block is summed in pieces (mean first, then powers of the distance from it), which are merged
/// in their order (Pebay 2008, SAND2008-6212). Blocks are merged by ExactPowers, in any order.
struct Moments
{
    Extents extents;
    double sum = 0.0;
    double sumSquares = 0.0;
    double mean = 0.0;
    double m2 = 0.0;  ///< sum of (x - mean)^2; m3 and m4 likewise
    double m3 = 0.0;
    double m4 = 0.0;

    /// Adds a block of values.
    void add(std::span<const float> block);

    /// Population standard deviation; 0 for fewer than one finite value.
    [[nodiscard]] double standardDeviation() const;
    /// Excess kurtosis m4 n / m2^2 - 3 (a Gaussian has 0); NaN for constant or no data.
    [[nodiscard]] double kurtosis() const;

private:
    void merge(std::uint64_t before, std::uint64_t added, const kernels::PowerSums& other);
};

}  // namespace calibscope
