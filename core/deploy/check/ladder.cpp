// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/ladder.h"

#include "core/base/median.h"
#include "core/base/split_mix.h"
#include "core/deploy/check/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace calibscope::deploy {

namespace {

double gainBetween(double from, double to)
{
    return from == to ? 0.0 : to - from;
}

/// The same of those samples, some of them several times.
SampleNoise drawn(const SampleNoise& samples, const std::vector<std::size_t>& draws)
{
    SampleNoise result;
    for (const std::size_t draw : draws) {
        result.signal.push_back(samples.signal[draw]);
        result.noise.push_back(samples.noise[draw]);
    }
    return result;
}

GainInterval intervalOf(double gain, std::vector<double> gains)
{
    std::ranges::sort(gains);
    const auto at = [&](double share) {
        const auto rank = share * static_cast<double>(gains.size() - 1);
        return gains[static_cast<std::size_t>(std::lround(rank))];
    };
    constexpr double tail = 0.025;
    return gains.empty() ? GainInterval{gain, gain, gain}
                         : GainInterval{gain, at(tail), at(1.0 - tail)};
}

}  // namespace

LadderFigures figuresOf(const SampleNoise& samples)
{
    double signal = 0.0;
    double noise = 0.0;
    std::vector<double> each;
    for (std::size_t sample = 0; sample < samples.signal.size(); ++sample) {
        signal += samples.signal[sample];
        noise += samples.noise[sample];
        each.push_back(sqnrDb(samples.signal[sample], samples.noise[sample]));
    }
    if (each.empty())
        return {};
    return {.pooledDb = sqnrDb(signal, noise),
            .medianDb = medianOf(each),
            .leastDb = std::ranges::min(each)};
}

LadderGain gainOf(const SampleNoise& from, const SampleNoise& to, std::uint64_t seed,
                  std::uint64_t resamples)
{
    const std::size_t count = from.signal.size();
    SplitMix random(seed);
    std::vector<double> pooled;
    std::vector<double> median;
    std::vector<std::size_t> draws(count);
    for (std::uint64_t resample = 0; count > 0 && resample < resamples; ++resample) {
        for (std::size_t& draw : draws)
            draw = static_cast<std::size_t>(random.below(count));
        const LadderFigures before = figuresOf(drawn(from, draws));
        const LadderFigures after = figuresOf(drawn(to, draws));
        pooled.push_back(gainBetween(before.pooledDb, after.pooledDb));
        median.push_back(gainBetween(before.medianDb, after.medianDb));
    }
    const LadderFigures before = figuresOf(from);
    const LadderFigures after = figuresOf(to);
    return {.pooled = intervalOf(gainBetween(before.pooledDb, after.pooledDb), std::move(pooled)),
            .median = intervalOf(gainBetween(before.medianDb, after.medianDb), std::move(median))};
}

bool isSurelyLower(const LadderGain& gain)
{
    return gain.pooled.highDb < 0.0 || gain.median.highDb < 0.0;
}

}  // namespace calibscope::deploy
