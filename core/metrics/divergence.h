// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <span>

namespace calibscope {

/// Kullback-Leibler divergence of Q from P in nats, for masses of the same bins (any positive
/// total): both are normalized, each bin gets 1e-12 so that no logarithm is infinite, and both are
/// normalized again. 0 or above. Requires equal sizes and positive totals.
[[nodiscard]] double smoothedDivergence(std::span<const double> p, std::span<const double> q);

/// Masses of bins that are known as intervals, both ends included.
struct MassBounds
{
    std::span<const double> least;
    std::span<const double> most;
    double total = 0.0;  ///< of the masses themselves: known
};

/// Between what smoothedDivergence() of such masses lies. With shares p and q of sum 1 it is the
/// sum of p ln(p / q) - p + q over the bins, of which each is convex, 0 where p = q, and above 0
/// else: its least and greatest on a rectangle of shares are at the nearest point to p = q and at
/// one of two corners. Requires equal sizes and positive totals.
[[nodiscard]] Range smoothedDivergenceBound(const MassBounds& p, const MassBounds& q);

}  // namespace calibscope
