// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace calibscope::test {

using ValueAt = std::function<float(const std::vector<std::uint64_t>& index)>;

/// The answer to a request, of a tensor whose values a function tells, read as a whole.
inline Slice sliceOf(const SliceQuestion& asked, const ValueAt& valueAt)
{
    const float none = std::numeric_limits<float>::quiet_NaN();
    Slice slice{.firstRow = asked.firstRow,
                .firstColumn = asked.firstColumn,
                .rowStep = asked.rowStep,
                .columnStep = asked.columnStep,
                .rowCount = asked.rowCount,
                .columnCount = asked.columnCount,
                .rows = asked.cellRows(),
                .columns = asked.cellColumns()};
    const std::size_t cells = slice.rows * slice.columns;
    slice.low.assign(cells, none);
    slice.high.assign(cells, none);
    slice.marks.assign(cells, 0);
    slice.clipped.assign(cells, 0);
    slice.read = slice.values();
    slice.allBytes = 4 * slice.values();
    for (std::uint64_t row = 0; row < asked.rowCount; ++row)
        for (std::uint64_t column = 0; column < asked.columnCount; ++column) {
            std::vector<std::uint64_t> index = asked.at;
            if (asked.rowAxis)
                index[*asked.rowAxis] = asked.firstRow + row;
            index[asked.columnAxis] = asked.firstColumn + column;
            const float value = valueAt(index);
            const std::size_t cell = slice.cell(row / asked.rowStep, column / asked.columnStep);
            if (std::isnan(value)) {
                ++slice.nan;
                slice.marks[cell] |= Slice::HasNan;
                continue;
            }
            ++slice.finite;
            slice.low[cell] = std::fmin(slice.low[cell], value);
            slice.high[cell] = std::fmax(slice.high[cell], value);
            const auto x = static_cast<double>(value);
            if (!asked.clips.empty() && !asked.clips.front().contains(x))
                ++slice.clipped[cell];
            if (asked.marked && asked.marked->range.contains(x)) {
                ++slice.marked;
                slice.marks[cell] |= Slice::HasMarked;
            }
        }
    return slice;
}

}  // namespace calibscope::test
