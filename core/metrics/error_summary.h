// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/error_tally.h"

#include <cstdint>
#include <vector>

namespace calibscope {

/// Adds masses of integer levels, by level from the quantizer's lowest on, to the common histogram
/// of [-absMax, absMax]: each evenly over its level's rounding cell (see ErrorSummary). Requires
/// commonBins bins and no more masses than levels.
void spreadLevels(std::span<const double> masses, const Quantizer& quantizer, double absMax,
                  std::vector<double>& bins);

/// Input of the metrics: one tally, or those of all channels of a tensor, each under
/// its own quantizer, added up (ChannelSummary).
struct ErrorSummary
{
    double absMax = 0.0;
    ErrorSums sums;
    std::vector<std::uint64_t> levelCounts;  ///< values by integer level, of all channels together
    std::vector<std::uint64_t> recorded;     ///< common histogram of the values
    std::vector<double> quantized;           ///< of what the quantizers made of them, see below

    /// Of no values.
    ErrorSummary() = default;
    /// Spreads the values of each integer level evenly over the level's rounding cell, from
    /// s (q - z - 1/2) to s (q - z + 1/2); the end levels' cells are cut at the clip range where
    /// it ends inside them, and all cells at [-absMax, absMax], beyond which no value lies.
    // Not explicit: a tally of a whole tensor may stand wherever a summary is asked for.
    ErrorSummary(const ErrorTally& tally);  // NOLINT(google-explicit-constructor)
};

/// The summary of a tensor whose channels have quantizers of their own.
class ChannelSummary
{
public:
    /// Adds the next channel's. The tally's common histogram is not looked at: that of the tensor is
    /// the same under any quantizers. Takes as long as the channel's own levels, however many bins
    /// there are. Throws std::invalid_argument unless absMax and the number of levels agree.
    void add(const ErrorTally& tally);

    /// Of the channels so far. `recorded` is the common histogram of their values, commonBins bins.
    [[nodiscard]] ErrorSummary total(std::vector<std::uint64_t> recorded) const;

private:
    ErrorSummary m_total;
    std::vector<double> m_spread;  ///< of one channel; all 0 between calls
};

}  // namespace calibscope
