// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/common_bins.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

bool hasWidth(const Histogram& histogram)
{
    return histogram.low < histogram.high && !histogram.counts.empty();
}

/// The counts in `bins` equal bins over `range`, which holds the histogram.
std::vector<double> spread(const Histogram& histogram, const Range& range, std::size_t bins)
{
    std::vector<double> shares(bins, 0.0);
    const double total = static_cast<double>(histogram.total());
    if (total == 0.0)
        return shares;
    const double perBin = static_cast<double>(bins) / range.width();
    const double last = static_cast<double>(bins);
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        if (histogram.counts[bin] == 0)
            continue;
        const double share = static_cast<double>(histogram.counts[bin]) / total;
        const double from = std::clamp((histogram.edge(bin) - range.low) * perBin, 0.0, last);
        const double to = std::clamp((histogram.edge(bin + 1) - range.low) * perBin, 0.0, last);
        const auto first = static_cast<std::size_t>(std::min(from, last - 1.0));
        if (!(to > from)) {  // one value: no width to spread over
            shares[first] += share;
            continue;
        }
        const auto end = std::min(static_cast<std::size_t>(std::ceil(to)), bins);
        for (std::size_t into = first; into < end; ++into) {
            const double overlap = std::min(to, static_cast<double>(into + 1)) -
                                   std::max(from, static_cast<double>(into));
            shares[into] += share * std::max(overlap, 0.0) / (to - from);
        }
    }
    return shares;
}

/// Counts that stay in their bins, `offset` bins further on.
std::vector<double> moved(const Histogram& histogram, std::size_t offset, std::size_t bins)
{
    std::vector<double> shares(bins, 0.0);
    const double total = static_cast<double>(histogram.total());
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        if (histogram.counts[bin] > 0)
            shares[bin + offset] = static_cast<double>(histogram.counts[bin]) / total;
    return shares;
}

}  // namespace

double SharesInCommonBins::width() const
{
    return range.width() / static_cast<double>(bins());
}

double SharesInCommonBins::edge(std::size_t bin) const
{
    return range.low + static_cast<double>(bin) / static_cast<double>(bins()) * range.width();
}

SharesInCommonBins sharesInCommonBins(const Histogram& a, const Histogram& b, std::size_t mostBins)
{
    if (!hasWidth(a) && !hasWidth(b))
        return {};
    const bool isOfA = hasWidth(a) && (!hasWidth(b) || a.width() >= b.width());
    const Histogram& kept = isOfA ? a : b;
    const Histogram& other = isOfA ? b : a;
    const double width = kept.width();
    const bool hasOther = !other.counts.empty() && other.total() > 0;
    const double low = hasOther ? std::min(kept.low, other.low) : kept.low;
    const double high = hasOther ? std::max(kept.high, other.high) : kept.high;
    // A rounding error at an end is no reason for a further bin.
    constexpr double slack = 1e-9;
    const double before = std::max(std::ceil((kept.low - low) / width - slack), 0.0);
    const double behind = std::max(std::ceil((high - kept.high) / width - slack), 0.0);
    const double all = before + behind + static_cast<double>(kept.counts.size());
    if (!(all <= static_cast<double>(mostBins)))
        return {};
    SharesInCommonBins shares;
    shares.range = {kept.low - before * width, kept.high + behind * width};
    const auto bins = static_cast<std::size_t>(all);
    const auto offset = static_cast<std::size_t>(before);
    const bool isSameBins = other.low == kept.low && other.high == kept.high &&
                            other.counts.size() == kept.counts.size();
    std::vector<double> keptShares = moved(kept, offset, bins);
    std::vector<double> otherShares =
        isSameBins ? moved(other, offset, bins) : spread(other, shares.range, bins);
    shares.a = std::move(keptShares);
    shares.b = std::move(otherShares);
    if (!isOfA)
        std::swap(shares.a, shares.b);
    shares.isResampledA = !isOfA && !isSameBins && hasOther;
    shares.isResampledB = isOfA && !isSameBins && hasOther;
    return shares;
}

}  // namespace calibscope
