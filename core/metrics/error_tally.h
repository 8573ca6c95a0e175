// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Sums over values and what a quantizer makes of them.
struct ErrorSums
{
    std::uint64_t count = 0;           ///< finite values
    std::uint64_t clipped = 0;         ///< of these, outside the clip range
    double sumSquares = 0.0;           ///< sum of x^2
    double sumSquaresQuantized = 0.0;  ///< sum of fq(x)^2
    double sumProducts = 0.0;          ///< sum of x fq(x)
    double squaredRounding = 0.0;      ///< sum of (x - fq(x))^2 of values that are not clipped
    double squaredClipping = 0.0;      ///< the same of clipped values
    double maxError = 0.0;             ///< largest |x - fq(x)|

    ErrorSums& operator+=(const ErrorSums& other);
};

/// Everything that the metrics need of the values under one quantizer (of a tensor, or of one of
/// its channels), counted in one pass. Takes 8 bytes for each level and bin.
struct ErrorTally
{
    Quantizer quantizer;
    double absMax = 0.0;  ///< of the whole tensor: range of the common histogram
    ErrorSums sums;
    std::vector<std::uint64_t> levelCounts;  ///< values by integer level, from lowLevel on
    std::vector<std::uint64_t> bins;         ///< common histogram (common_bins.h)

    ErrorTally(const Quantizer& quantizer, double absMax);

    /// Counts the finite values; NaN and infinities are left out. Blocks of a few thousand values
    /// are summed in themselves first, so that sums do not depend on how the values are cut beyond
    /// 1e-12.
    void add(std::span<const float> values);
    /// The same but for the common histogram, which is that of any tally of the tensor's values.
    void addErrors(std::span<const float> values);
    /// Counts `weight` values as if all were `value` (finite), which becomes `level`, but not in
    /// the common histogram: for estimates from a sketch.
    void addErrors(double value, int level, std::uint64_t weight);
};

}  // namespace calibscope
