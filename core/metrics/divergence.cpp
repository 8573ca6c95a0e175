// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/divergence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace calibscope {

namespace {

/// Added to each bin's share, so that no logarithm is infinite.
constexpr double smoothing = 1e-12;

/// Shares of the bins with `smoothing` added to each, of sum 1.
std::vector<double> smoothedShares(std::span<const double> masses)
{
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    const double smoothedTotal = 1.0 + smoothing * static_cast<double>(masses.size());
    std::vector<double> shares;
    shares.reserve(masses.size());
    for (const double mass : masses)
        shares.push_back((mass / total + smoothing) / smoothedTotal);
    return shares;
}

}  // namespace

namespace {

double excess(double p, double q)
{
    return p * std::log(p / q) - p + q;
}

/// The share that smoothing makes of a mass.
Range smoothedShare(const MassBounds& masses, std::size_t bin)
{
    const double total = 1.0 + smoothing * static_cast<double>(masses.least.size());
    return {(masses.least[bin] / masses.total + smoothing) / total,
            (masses.most[bin] / masses.total + smoothing) / total};
}

}  // namespace

Range smoothedDivergenceBound(const MassBounds& p, const MassBounds& q)
{
    Range bound;
    for (std::size_t bin = 0; bin < p.least.size(); ++bin) {
        const Range from = smoothedShare(p, bin);
        const Range to = smoothedShare(q, bin);
        if (from.low == to.high && from.high == to.low)
            continue;  // as in bins where nothing can lie
        const double fromAbove = excess(from.high, to.low);
        const double fromBelow = excess(from.low, to.high);
        if (from.low > to.high)
            bound.low += fromBelow;
        else if (from.high < to.low)
            bound.low += fromAbove;
        bound.high += std::max(fromAbove, fromBelow);
    }
    constexpr double rounding = 1e-12;  // of shares of sum 1 and of logarithms up to 28
    return {std::max(bound.low - rounding * (1.0 + bound.low), 0.0),
            bound.high + rounding * (1.0 + bound.high)};
}

double smoothedDivergence(std::span<const double> p, std::span<const double> q)
{
    const std::vector<double> from = smoothedShares(p);
    const std::vector<double> to = smoothedShares(q);
    double divergence = 0.0;
    for (std::size_t bin = 0; bin < from.size(); ++bin)
        divergence += from[bin] * std::log(from[bin] / to[bin]);
    return std::max(divergence, 0.0);  // equal distributions can sum to -1e-17
}

}  // namespace calibscope
