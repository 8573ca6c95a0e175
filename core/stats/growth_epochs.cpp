// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_epochs.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace calibscope {

std::vector<GrowthEpoch> growthEpochs(const HistogramSpec& spec, std::span<const Extents> batches,
                                      const Extents& whole)
{
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    std::vector<GrowthEpoch> epochs;
    ValuesBefore before;
    for (std::uint64_t batch = 0; batch < batches.size(); ++batch) {
        rule.grow(histogram, batches[batch], before, whole);
        before.add(batches[batch]);
        if (epochs.empty() || epochs.back().bins != histogram)
            epochs.push_back({.firstBatch = batch, .bins = histogram});
    }
    if (epochs.empty())
        epochs.push_back({.firstBatch = 0, .bins = histogram});
    return epochs;
}

std::size_t epochOf(std::span<const GrowthEpoch> epochs, std::uint64_t batch)
{
    const auto next = std::ranges::upper_bound(epochs, batch, {}, &GrowthEpoch::firstBatch);
    return static_cast<std::size_t>(next - epochs.begin()) - 1;
}

Histogram histogramOfEpochs(std::span<const GrowthEpoch> epochs,
                            std::span<const EpochCounts> counts, std::span<const Extents> batches,
                            const Extents& whole)
{
    const HistogramSpec& spec = epochs.front().bins.spec;
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    ValuesBefore before;
    std::uint64_t batch = 0;
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch) {
        // Between, the rule changes nothing: else another epoch would begin there.
        for (; batch < epochs[epoch].firstBatch; ++batch)
            before.add(batches[batch]);
        if (batch < batches.size())
            rule.grow(histogram, batches[batch], before, whole);
        const std::vector<std::uint64_t>& own = counts[epoch].counts;
        if (own.size() != histogram.counts.size())
            throw std::invalid_argument("an epoch was counted in other bins than it has");
        std::ranges::transform(histogram.counts, own, histogram.counts.begin(), std::plus{});
        histogram.leftOut += counts[epoch].leftOut;
    }
    return histogram;
}

}  // namespace calibscope
