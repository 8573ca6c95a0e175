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

/// What the metrics are computed from: one tally, or those of all channels of a tensor, each under
/// its own quantizer, added up.
struct ErrorSummary
{
    double absMax = 0.0;
    ErrorSums sums;
    std::vector<std::uint64_t> levelCounts;  ///< values by integer level, of all channels together
    std::vector<std::uint64_t> recorded;     ///< common histogram of the values
    std::vector<double> quantized;           ///< of what the quantizers made of them, see below

    /// Of no values; any summary may be added.
    ErrorSummary() = default;
    /// Spreads the values of each integer level evenly over the level's rounding cell, from
    /// s (q - z - 1/2) to s (q - z + 1/2); the end levels' cells are cut at the clip range where
    /// it ends inside them, and all cells at [-absMax, absMax], beyond which no value lies.
    // Not explicit: a tally of a whole tensor may stand wherever a summary is asked for.
    ErrorSummary(const ErrorTally& tally);  // NOLINT(google-explicit-constructor)

    /// Adds another channel's. Throws std::invalid_argument unless absMax and the number of levels
    /// agree.
    ErrorSummary& operator+=(const ErrorSummary& other);
};

}  // namespace calibscope
