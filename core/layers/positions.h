// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace calibscope::layers {

/// Which places of each sample are computed: the same number of every sample.
struct PositionPlan
{
    std::uint64_t samples = 0;
    std::uint64_t places = 0;     ///< of each sample
    std::uint64_t perSample = 0;  ///< of these, computed
    std::uint64_t seed = 1;

    [[nodiscard]] bool isExact() const { return perSample == places; }
    [[nodiscard]] std::uint64_t positions() const { return samples * perSample; }
};

/// At most that many positions in all, but one of every sample at least; 0: all.
[[nodiscard]] PositionPlan planPositions(std::uint64_t samples, std::uint64_t places,
                                         std::uint64_t most, std::uint64_t seed);

/// The places of a sample, ascending: all, or that many drawn without repetition. They follow from
/// seed, sample and counts alone: Floyd's algorithm on the numbers of SplitMix64.
/// Source: Bentley and Floyd, Programming Pearls: A Sample of Brilliance, CACM 30 (9), 1987.
[[nodiscard]] std::vector<std::uint64_t> placesOf(const PositionPlan& plan, std::uint64_t sample);

}  // namespace calibscope::layers
