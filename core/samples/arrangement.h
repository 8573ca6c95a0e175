// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/split_mix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace calibscope::samples {

/// Units one after another, as if they had been recorded so: each as often as it occurs, in batches
/// that end where the label changes.
struct Arrangement
{
    std::vector<std::uint32_t> units;
    std::vector<std::uint32_t> batches;  ///< label of each unit's batch

    /// How often each of `count` units occurs.
    [[nodiscard]] std::vector<std::uint32_t> weights(std::size_t count) const;
    bool operator==(const Arrangement&) const = default;
};

// Everything below takes the recorded batch of each unit, ascending: 0, 1, 2, ... where the units
// are batches.

/// Up to `count` units as recorded, from `first` on.
[[nodiscard]] Arrangement unitsFrom(const std::vector<std::uint32_t>& batchOf, std::size_t first,
                                    std::size_t count);
/// All units as recorded but `count` from `first` on.
[[nodiscard]] Arrangement withoutUnits(const std::vector<std::uint32_t>& batchOf, std::size_t first,
                                       std::size_t count);
/// Whole batches in another order: that of a Fisher-Yates shuffle from the last batch on. Its i-th
/// number (drawnNumber) modulo i + 1 is the place that the i-th batch changes with.
[[nodiscard]] Arrangement shuffledBatches(const std::vector<std::uint32_t>& batchOf,
                                          std::uint64_t seed, std::uint64_t shuffle);
/// `count` units drawn with replacement: the place-th one is its number (drawnNumber) modulo the
/// number of units. They form batches as large as the recorded ones.
[[nodiscard]] Arrangement drawnUnits(const std::vector<std::uint32_t>& batchOf, std::size_t count,
                                     std::uint64_t seed, std::uint64_t draw);

/// The number at a place of a stream: mixed(mixed(mixed(mixed(seed) + stream) + index) + place).
/// Draws of k units are the stream k, shuffles the stream 0; index: which of them.
[[nodiscard]] std::uint64_t drawnNumber(std::uint64_t seed, std::uint64_t stream,
                                        std::uint64_t index, std::uint64_t place);

/// Numbers of units at which a curve has points: all up to 32; beyond, 1 to 8 and 24 more of about
/// equal ratios; the last is `units`. `further` are added where they lie between.
[[nodiscard]] std::vector<std::size_t> curvePoints(std::size_t units,
                                                   const std::vector<std::size_t>& further = {});
/// Of these, those that have bands: `units`, its half rounded up, and so on while above 1.
[[nodiscard]] std::vector<std::size_t> bandPoints(std::size_t units);

}  // namespace calibscope::samples
