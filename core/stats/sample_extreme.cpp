// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/sample_extreme.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace calibscope {

std::optional<double> widening(const SampleExtreme& extreme)
{
    if (!extreme.others || *extreme.others == 0.0)
        return std::nullopt;
    return std::abs(extreme.value) / *extreme.others;
}

double RankedSample::medianWidening() const
{
    if (ranges.empty())
        return 1.0;
    return (ranges[(ranges.size() - 1) / 2].widening + ranges[ranges.size() / 2].widening) / 2.0;
}

double RankedSample::largestWidening() const
{
    return ranges.empty() ? 1.0 : ranges.front().widening;
}

std::vector<RankedSample> rankedSamples(std::span<const SetRange> ranges)
{
    std::map<std::uint64_t, RankedSample> bySample;
    for (const SetRange& range : ranges) {
        if (range.widening > 1.0)
            bySample[range.sample].ranges.push_back(range);
        if (range.errorSample)
            bySample[*range.errorSample].errors.push_back(range);
    }
    std::vector<RankedSample> samples;
    for (auto& [sample, ranked] : bySample) {
        ranked.sample = sample;
        std::ranges::stable_sort(ranked.ranges, std::ranges::greater{}, &SetRange::widening);
        samples.push_back(std::move(ranked));
    }
    std::ranges::stable_sort(samples, std::ranges::greater{}, [](const RankedSample& ranked) {
        return std::pair(ranked.ranges.size(), ranked.errors.size());
    });
    return samples;
}

}  // namespace calibscope
