#include "ui/pages/channels/equal_bins.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace calibscope {

namespace {

bool sharesBins(const Histogram& one, const Histogram& other)
{
    return one.low == other.low && one.high == other.high &&
           one.counts.size() == other.counts.size();
}

Histogram inBins(const Histogram& fine, const Range& range, std::size_t bins)
{
    Histogram coarse{.spec = fine.spec,
                     .low = range.low,
                     .high = range.high,
                     .counts = std::vector<std::uint64_t>(bins),
                     .notes = {}};
    coarse.spec.bins = static_cast<int>(bins);
    for (std::size_t bin = 0; bin < fine.counts.size(); ++bin)
        coarse.counts[coarse.binOf(fine.centre(bin))] += fine.counts[bin];
    return coarse;
}

}  // namespace

std::vector<Histogram> inEqualBins(std::vector<Histogram> histograms, std::size_t bins)
{
    if (histograms.empty() || std::ranges::all_of(histograms, [&](const Histogram& histogram) {
            return sharesBins(histogram, histograms.front());
        }))
        return histograms;
    Range range = histograms.front().range();
    for (const Histogram& histogram : histograms)
        range = {std::min(range.low, histogram.low), std::max(range.high, histogram.high)};
    if (!(range.low < range.high))
        return histograms;
    for (Histogram& histogram : histograms)
        histogram = inBins(histogram, range, bins);
    return histograms;
}

std::size_t binsToOutline(const std::vector<Histogram>& histograms)
{
    constexpr std::uint64_t fewest = 32;
    constexpr std::uint64_t most = 256;
    constexpr std::uint64_t valuesPerBin = 4;
    std::uint64_t least = most * valuesPerBin;
    for (const Histogram& histogram : histograms)
        least = std::min(least, histogram.total());
    return std::bit_floor(std::clamp(least / valuesPerBin, fewest, most));
}

}  // namespace calibscope
