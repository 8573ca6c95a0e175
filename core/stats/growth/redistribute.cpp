// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <cmath>

namespace calibscope::growth {

namespace {

struct Bins
{
    double low;
    double width;
    std::size_t count;

    [[nodiscard]] double begin(std::size_t bin) const
    {
        return low + static_cast<double>(bin) * width;
    }
    [[nodiscard]] std::size_t binOf(double value) const
    {
        if (!(width > 0.0) || value <= low)
            return 0;
        return std::min(static_cast<std::size_t>((value - low) / width), count - 1);
    }
};

/// Moves the counts to bins over a wider range. A source bin goes to the bin that holds its start;
/// what reaches beyond that bin's end, in proportion and rounded to whole counts, to the bin one
/// width further (Glow's profile, peers as listed in resources/docs/algorithms.md).
std::vector<std::uint64_t> redistributed(const std::vector<std::uint64_t>& counts, const Bins& from,
                                         const Bins& to)
{
    std::vector<std::uint64_t> moved(to.count);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const std::uint64_t count = counts[bin];
        if (count == 0)
            continue;
        const double begin = from.begin(bin);
        const std::size_t target = to.binOf(begin);
        std::uint64_t stays = count;  // a width of 0: all have the value `begin`
        if (from.width > 0.0) {
            const double share = (to.begin(target + 1) - begin) / from.width;
            const double rounded = std::round(share * static_cast<double>(count));
            if (rounded < static_cast<double>(count))
                stays = static_cast<std::uint64_t>(std::max(rounded, 0.0));
        }
        moved[target] += stays;
        if (stays < count)
            moved[to.binOf(begin + to.width)] += count - stays;
    }
    return moved;
}

void growRedistribute(Histogram& histogram, const Extents& batch, const ValuesBefore& before,
                      const Extents& /*whole*/)
{
    if (batch.finite == 0)
        return;
    const bool isSigned = histogram.spec.domain == Domain::Signed;
    const double batchLow = isSigned ? batch.min : 0.0;
    const double batchHigh = isSigned ? batch.max : batch.absMax();
    const std::size_t count = histogram.counts.size();
    if (before.finite == 0) {
        histogram.low = batchLow;
        histogram.high = batchHigh;
        return;
    }
    if (batchLow >= histogram.low && batchHigh <= histogram.high)
        return;
    const Bins from{.low = histogram.low, .width = histogram.width(), .count = count};
    histogram.low = std::min(histogram.low, batchLow);
    histogram.high = std::max(histogram.high, batchHigh);
    histogram.counts = redistributed(
        histogram.counts, from, {.low = histogram.low, .width = histogram.width(), .count = count});
}

}  // namespace

GrowthRule redistribute()
{
    return {.order = 20,
            .id = "redistribute",
            .title = "Rebin on growth",
            .summary = "The number of bins stays; a batch outside the range first moves the counts "
                       "to bins over the wider range, each split over at most two bins.",
            .bins = 512,
            .domain = Domain::Signed,
            .grow = growRedistribute};
}

}  // namespace calibscope::growth
