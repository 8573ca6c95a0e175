// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_code.h"
#include "core/metrics/error_tally.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Errors of a tensor under a number format: sums over its finite values, counts of its blocks.
struct FormatErrors
{
    ErrorSums sums;               ///< `clipped`: values beyond their block's ends
    std::uint64_t flushed = 0;    ///< values that are not 0 and become 0
    std::uint64_t notFinite = 0;  ///< left out of all sums and of the blocks' scales
    std::uint64_t blocks = 0;
    std::uint64_t zeroBlocks = 0;      ///< of zeros alone
    std::uint64_t poisonedBlocks = 0;  ///< with NaN or infinities
    std::uint64_t leastBlocks = 0;     ///< whose scale was raised to the least one
    std::uint64_t largestBlocks = 0;   ///< whose scale was lowered to the largest one
    float tensorScale = 1.0F;
    double effectiveBits = 0.0;  ///< as stored, by the tensor's own shape

    /// Sums and counts of further blocks of the tensor.
    FormatErrors& operator+=(const FormatErrors& others);
    /// Sums of blocks; values that are not finite count in `notFinite` alone.
    void add(const kernels::CodeErrors& added);
    /// Values of a block, and what they decode to.
    void add(std::span<const float> values, std::span<const float> decoded, const BlockEnds& ends);

    /// Notes for the user, as sentences.
    [[nodiscard]] std::vector<std::string> notes() const;
    /// Values beyond the ends, and those that become 0, as shares of the finite values; 0 of none.
    [[nodiscard]] double saturatedShare() const;
    [[nodiscard]] double flushedShare() const;
    /// 10 log10 of signal over noise; infinite where nothing is lost, nothing without a finite
    /// value.
    [[nodiscard]] std::optional<double> sqnrDb() const;
    /// The same to 1e-9 dB, for comparing: sums of equal errors differ by less with their order.
    [[nodiscard]] std::optional<double> comparedDb() const;
};

/// What other tools make of a block with NaN (else with infinities), which here are left out; empty
/// where it is not known. Source: their own code on tests/golden/format_nonfinite.h5
/// (formats.json).
[[nodiscard]] std::string_view poisonElsewhere(const BlockFormat& format, bool hasNan);

}  // namespace calibscope
