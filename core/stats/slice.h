// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Values that are to be distinguished from the others: finite ones that lie in the range, both ends
/// included; of magnitudes their |x|.
struct MarkedValues
{
    Domain domain = Domain::Signed;
    Range range;

    bool operator==(const MarkedValues&) const = default;
};

/// The finite float32 that a histogram counts in that bin, of |x| in the magnitude domain. Requires
/// a bin of the histogram, which has some. Empty bins between neighbouring floats give low > high.
[[nodiscard]] MarkedValues valuesOfBin(const Histogram& histogram, std::size_t bin);

/// Which part of a tensor is looked at, and how closely: two axes (or one), a rectangle of their
/// indices, all other indices fixed. Axes are those of the file.
struct SliceQuestion
{
    std::optional<std::uint64_t> rowAxis = {};  ///< none: a line, one row
    std::uint64_t columnAxis = 0;
    std::vector<std::uint64_t> at = {};  ///< index per axis; of the axes shown it says nothing
    std::uint64_t firstRow = 0;          ///< along the row axis; 0 without one
    std::uint64_t rowCount = 1;          ///< values, at least one; 1 without a row axis
    std::uint64_t firstColumn = 0;
    std::uint64_t columnCount = 1;
    std::uint64_t rowStep = 1;  ///< values to a cell; the last cell may have fewer
    std::uint64_t columnStep = 1;
    /// What is not clipped: none (nothing is asked of clipping), one for the tensor, or one for
    /// each channel.
    std::vector<Range> clips = {};
    std::optional<MarkedValues> marked = {};
    /// How much may be read, about: 0 all that is needed; else, where that is more, a part.
    std::uint64_t mostBytes = 0;

    /// Cells of the answer, if all of it is read.
    [[nodiscard]] std::uint64_t cellRows() const { return (rowCount - 1) / rowStep + 1; }
    [[nodiscard]] std::uint64_t cellColumns() const { return (columnCount - 1) / columnStep + 1; }
    bool operator==(const SliceQuestion&) const = default;
};

/// Most cells that one slice may have.
inline constexpr std::uint64_t mostSliceCells = std::uint64_t{1} << 21;

/// A part of a tensor as cells of rowStep x columnStep values, row by row.
struct Slice
{
    /// Contents of a cell, as bits of its mark.
    enum Mark : std::uint8_t {
        HasNan = 1,
        HasPositiveInf = 2,
        HasNegativeInf = 4,
        HasMarked = 8,
        IsUnread = 16,  ///< none of its values was read
    };

    std::uint64_t firstRow = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t rowStep = 1;  ///< where a part is read, cells may be larger than asked for
    std::uint64_t columnStep = 1;
    std::uint64_t rowCount = 0;  ///< values along the axis
    std::uint64_t columnCount = 0;
    std::uint64_t rows = 0;  ///< cells
    std::uint64_t columns = 0;
    std::vector<float> low;  ///< least finite value of each cell; NaN where there is none
    std::vector<float> high;
    std::vector<std::uint8_t> marks;
    std::vector<std::uint64_t> clipped;  ///< finite values outside of the clip range, by cell

    std::uint64_t read = 0;  ///< values that the numbers are of
    std::uint64_t finite = 0;
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0;
    std::uint64_t marked = 0;
    std::uint64_t rowEvery = 1;  ///< one of so many rows was read, or rows of chunks
    std::uint64_t columnEvery = 1;
    bool isByChunks = false;     ///< rowEvery and columnEvery count chunks
    std::uint64_t allBytes = 0;  ///< what reading all of it takes, about

    [[nodiscard]] std::uint64_t cell(std::uint64_t row, std::uint64_t column) const
    {
        return row * columns + column;
    }
    [[nodiscard]] std::uint64_t values() const { return rowCount * columnCount; }
    /// All values were read.
    [[nodiscard]] bool isWhole() const { return read == values(); }
    [[nodiscard]] std::uint64_t clippedCount() const;
    bool operator==(const Slice&) const = default;
};

/// Where values lie in a tensor.
struct FoundValues
{
    std::vector<std::uint64_t> places;  ///< flat indices in the order of the file
    std::vector<float> values;          ///< at these
    std::uint64_t searched = 0;         ///< values that were looked at
    bool isWhole = true;                ///< all of them; false: the search stopped as it had enough
};

}  // namespace calibscope
