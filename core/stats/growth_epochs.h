// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "core/stats/growth_rule.h"
#include "core/stats/histogram.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Batches in a row that are counted in the same bins. They end where the next epoch begins.
struct GrowthEpoch
{
    std::uint64_t firstBatch = 0;
    Histogram bins;  ///< all counts are 0
};

/// Counts of the batches of an epoch, in its bins.
struct EpochCounts
{
    std::vector<std::uint64_t> counts;
    std::uint64_t leftOut = 0;

    bool operator==(const EpochCounts&) const = default;
};

/// The epochs of a histogram, from the batches' extents alone; the first one begins with batch 0.
/// `whole` are the extents of all batches together. Throws as emptyHistogram().
[[nodiscard]] std::vector<GrowthEpoch>
growthEpochs(const HistogramSpec& spec, std::span<const Extents> batches, const Extents& whole);

/// Index of the epoch that a batch is in. Requires at least one epoch.
[[nodiscard]] std::size_t epochOf(std::span<const GrowthEpoch> epochs, std::uint64_t batch);

/// The histogram that a pass over all batches in order would have, from the counts of each epoch,
/// whoever counted them and in whatever order: the rule runs once more, with counts to move.
/// Requires counts for each of the growthEpochs() of the same extents, as many as its bins.
[[nodiscard]] Histogram histogramOfEpochs(std::span<const GrowthEpoch> epochs,
                                          std::span<const EpochCounts> counts,
                                          std::span<const Extents> batches, const Extents& whole);

}  // namespace calibscope
