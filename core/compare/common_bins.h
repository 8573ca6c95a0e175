// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"

#include <vector>

namespace calibscope {

/// Two histograms as shares of all their values, in bins of their own.
struct SharesInCommonBins
{
    Range range;
    std::vector<double> a;  ///< of all values that A's histogram counts, by bin; empty: it has none
    std::vector<double> b;
    bool isResampledA = false;  ///< counts were spread over the new bins
    bool isResampledB = false;

    [[nodiscard]] double width() const;
    [[nodiscard]] double edge(std::size_t bin) const;
    [[nodiscard]] std::size_t bins() const { return a.size(); }
};

/// Both in the bins of the one whose bins are wider, continued until they hold the other too.
/// Counts of the finer bins are spread evenly over their width; what a bin holds whole keeps its
/// count, so equal histograms come out equal and sums stay. A histogram without a width (one value,
/// or none) takes the other's bins. Nothing if neither has a width, or bins without number would be
/// needed: more than `mostBins`. Requires histograms of one domain with equal bins each.
[[nodiscard]] SharesInCommonBins sharesInCommonBins(const Histogram& a, const Histogram& b,
                                                    std::size_t mostBins = 1U << 20U);

}  // namespace calibscope
