// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Between which order statistics a percentile lies, and where.
struct PercentilePlace
{
    std::uint64_t lower = 0;  ///< 0-based rank of the value below
    std::uint64_t upper = 0;  ///< of the value above; equal to lower at the last value
    double fraction = 0.0;    ///< 0..1, how far from lower to upper; 1 not included
};

/// The place of the alpha-th percentile (0..100) among `count` values: NumPy's default ("linear"),
/// (count - 1) * (alpha / 100) in this order of operations. Requires count > 0.
[[nodiscard]] PercentilePlace percentilePlace(std::uint64_t count, double alpha);

/// The percentile from its two neighbours, in NumPy's order of operations: from the nearer one.
[[nodiscard]] double percentileBetween(double lower, double upper, double fraction);

/// The order statistics that the alpha-th percentile of a tensor's |x| or x is made of; none
/// without finite values.
[[nodiscard]] std::vector<OrderRequest> percentileOrders(Domain domain, std::uint64_t finiteCount,
                                                         double alpha);

/// The exact percentile; nothing without finite values, or if its percentileOrders() were not
/// collected. Equal to numpy.percentile(abs(x).astype('f8'), alpha) to the last bit (signed domain:
/// without the abs).
[[nodiscard]] std::optional<double> percentileOf(const TensorProfile& profile, Domain domain,
                                                 double alpha);

}  // namespace calibscope
