// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/centred_bins.h"
#include "core/metrics/error_blocks.h"
#include "core/stats/count_tables.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Counts a share of a tensor's values under several quantizers, all of them block by block while a
/// block is near, and in the common histogram. Sums depend on the order of their blocks, so they are
/// handed out for each; counts stay here until they are added to the tallies.
class ErrorCounter
{
public:
    /// `absMax`: of the whole tensor. `values`: about how many it will count. Takes 8 bytes for each
    /// level and bin, for few of them 24.
    ErrorCounter(std::span<const Quantizer> quantizers, double absMax, std::uint64_t values);
    ErrorCounter(ErrorCounter&&) = default;

    /// Consecutive values; NaN and infinities are left out. The sums of each errorBlockValues of
    /// them, block by block, those of all quantizers of a block together. The largest error of a
    /// block may be one of an earlier block.
    [[nodiscard]] std::vector<ErrorSums> add(std::span<const float> values);

    /// Adds the counts, not the sums. Requires the quantizers' tallies, in order. To be called once.
    void addCounts(std::span<ErrorTally> tallies);

private:
    std::vector<kernels::Lattice> m_lattices;
    std::vector<double> m_largest;
    kernels::CentredBins m_common;
    std::vector<std::vector<std::uint64_t>> m_counts;  ///< of each quantizer's levels, of the bins
    std::vector<CountTables> m_tables;                 ///< of them
};

}  // namespace calibscope
