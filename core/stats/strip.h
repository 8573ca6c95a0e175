// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Meaning of a row of a strip.
enum class StripRows { Channel, Batch };

/// Counts of the finite values in equal columns of the range, a row for each channel or batch. The
/// last column includes its upper end; values outside the range are not counted.
struct Strip
{
    Range range = {};  ///< without width: of values that are all equal, in the first column
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::vector<std::uint64_t> counts = {};  ///< rows x columns, row by row

    [[nodiscard]] std::span<const std::uint64_t> row(std::uint64_t index) const
    {
        return std::span(counts).subspan(index * columns, columns);
    }
    bool operator==(const Strip&) const = default;
};

}  // namespace calibscope
