// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/channel_facts.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace calibscope {

namespace {

bool isAlive(const Extents& extents)
{
    return extents.absMax() > 0.0;
}

/// Of a channel with values: whether one scale for the tensor makes all of it 0 or the levels
/// beside.
bool isBelow(const std::optional<double>& tensorScale, const Extents& extents)
{
    return tensorScale && extents.absMax() < *tensorScale;
}

ChannelState stateOf(const ChannelFact& fact, const std::optional<double>& tensorScale)
{
    if (fact.extents.finite == 0)
        return ChannelState::NoValue;
    if (!isAlive(fact.extents))
        return ChannelState::Dead;
    if (isBelow(tensorScale, fact.extents))
        return ChannelState::BelowStep;
    const bool isNear =
        fact.timesMedian <= outlierFactor && fact.timesMedian * outlierFactor >= 1.0;
    return isNear ? ChannelState::Plain : ChannelState::Outlier;
}

std::uint64_t levelsOf(const Extents& extents, const Quantizer& quantizer)
{
    if (extents.finite == 0)
        return 0;
    return static_cast<std::uint64_t>(quantizer.level(extents.max) - quantizer.level(extents.min)) +
           1;
}

}  // namespace

double ChannelFacts::spreadBits() const
{
    return leastScale > 0.0 ? std::log2(greatestScale / leastScale) : 0.0;
}

std::size_t ChannelFacts::countOf(ChannelState state) const
{
    return static_cast<std::size_t>(std::ranges::count(channels, state, &ChannelFact::state));
}

std::size_t ChannelFacts::countBelow(std::uint64_t levels) const
{
    return static_cast<std::size_t>(std::ranges::count_if(channels, [&](const ChannelFact& fact) {
        return isAlive(fact.extents) && fact.levelsKept && *fact.levelsKept < levels;
    }));
}

ChannelFacts channelFacts(const Outcome& perChannel, const Outcome* perTensor)
{
    ChannelFacts facts;
    const bool hasTensor = perTensor && perTensor->problem.empty();
    if (hasTensor)
        facts.tensorScale = perTensor->whole.quantizer.scale;
    std::vector<double> alive;
    for (const ScaleRow& row : perChannel.channels) {
        facts.channels.push_back({.scale = row.quantizer.scale, .extents = row.extents});
        if (isAlive(row.extents) && !isBelow(facts.tensorScale, row.extents))
            alive.push_back(row.quantizer.scale);
    }
    if (!alive.empty())
        std::tie(facts.leastScale, facts.greatestScale) =
            std::minmax({*std::ranges::min_element(alive), *std::ranges::max_element(alive)});
    facts.median = medianOf(std::move(alive));
    for (ChannelFact& fact : facts.channels) {
        if (isAlive(fact.extents) && facts.median > 0.0)
            fact.timesMedian = fact.scale / facts.median;
        fact.state = stateOf(fact, facts.tensorScale);
        if (hasTensor)
            fact.levelsKept = levelsOf(fact.extents, perTensor->whole.quantizer);
    }
    return facts;
}

std::vector<std::size_t> channelOrder(const ChannelFacts& facts, ChannelOrder order)
{
    std::vector<std::size_t> places(facts.channels.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto scale = [&](std::size_t channel) { return facts.channels[channel].scale; };
    const auto state = [&](std::size_t channel) { return facts.channels[channel].state; };
    switch (order) {
    case ChannelOrder::Index: break;
    case ChannelOrder::State:
    case ChannelOrder::Scale: std::ranges::stable_sort(places, {}, scale); break;
    }
    if (order == ChannelOrder::State)
        std::ranges::stable_sort(places, {}, state);
    return places;
}

}  // namespace calibscope
