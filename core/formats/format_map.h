// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format_errors.h"
#include "core/stats/histogram.h"
#include "core/stats/slice.h"

#include <cstdint>
#include <vector>

namespace calibscope {

/// A measure of blocks as cells: rows of blocks downward, blocks of a row across. A cell shows the
/// extreme of the blocks that it stands for; unread: they hold nothing but zeros or no finite value.
struct BlockMeasure
{
    Slice cells;                        ///< `low` and `high` are the same
    std::vector<std::uint64_t> blocks;  ///< the block that each cell shows
};

/// A tensor under a number format: where the scales of its blocks lie, and its values on them.
/// Blocks of zeros have no scale to speak of and are left out of both histograms of blocks.
struct FormatMap
{
    /// Bins for each power of two.
    static constexpr int scaleOctave = 8;
    static constexpr int maximaOctave = 64;
    static constexpr int quotientOctave = 32;

    FormatErrors errors;
    /// Blocks by their scale. Stored in eight bits: a bin for each pattern, from half below it to half
    /// above; else by log2 of its magnitude.
    Histogram scales;
    Histogram maxima;  ///< blocks by log2 of their largest magnitude
    /// Finite values over the scale of their block: of integers as they are, with the zero point, what
    /// lies beyond in the bins at the ends; else log2 of the magnitude, without zeros.
    Histogram quotients;
    std::vector<std::uint64_t> levels;  ///< finite values by pattern; empty above eight bits
    BlockMeasure scale;                 ///< the largest, log2 of its magnitude
    BlockMeasure sqnrDb;                ///< the least; infinite where nothing is lost
    BlockMeasure saturated;             ///< the largest share of values beyond the block's ends
    BlockMeasure flushed;               ///< the largest share of values that become 0
};

}  // namespace calibscope
