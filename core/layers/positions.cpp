// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/positions.h"

#include "core/base/split_mix.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace calibscope::layers {

PositionPlan planPositions(std::uint64_t samples, std::uint64_t places, std::uint64_t most,
                           std::uint64_t seed)
{
    PositionPlan plan{.samples = samples, .places = places, .perSample = places, .seed = seed};
    if (most > 0 && samples > 0)
        plan.perSample = std::min(places, std::max<std::uint64_t>(most / samples, 1));
    return plan;
}

std::vector<std::uint64_t> placesOf(const PositionPlan& plan, std::uint64_t sample)
{
    std::vector<std::uint64_t> places(plan.perSample);
    if (plan.isExact()) {
        std::iota(places.begin(), places.end(), std::uint64_t{0});
        return places;
    }
    SplitMix numbers(SplitMix(plan.seed).next() + sample);
    std::unordered_set<std::uint64_t> taken;
    places.clear();
    for (std::uint64_t last = plan.places - plan.perSample; last < plan.places; ++last) {
        const std::uint64_t drawn = numbers.below(last + 1);
        places.push_back(taken.insert(drawn).second ? drawn : *taken.insert(last).first);
    }
    std::ranges::sort(places);
    return places;
}

}  // namespace calibscope::layers
