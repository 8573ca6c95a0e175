// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace calibscope {

/// A tensor as a matrix: rows, each along the axis that a matrix product sums over. The value (row,
/// column) lies at (row / inner * length + column) * inner + row % inner.
struct MatrixShape
{
    std::uint64_t outer = 1;
    std::uint64_t length = 1;  ///< of that axis
    std::uint64_t inner = 1;   ///< values of the axes behind it

    [[nodiscard]] std::uint64_t rows() const { return outer * inner; }
    [[nodiscard]] std::uint64_t values() const { return rows() * length; }
    [[nodiscard]] std::uint64_t indexOf(std::uint64_t row, std::uint64_t column) const
    {
        return (row / inner * length + column) * inner + row % inner;
    }
};

/// The matrix of a tensor: along `axis` (from behind if negative), every other axis counting rows.
/// Without one: of a weight whatever its channels are summed over, axes next to each other as one
/// (O, then I x kh x kw; a guess where the channel axis is one); of another tensor along its channel
/// axis, or else the last one. A vector is one row. Throws Error(Usage) for an axis that there is
/// not.
[[nodiscard]] MatrixShape matrixShape(const TensorInfo& tensor, std::optional<int> axis = {});

/// The matrix of a tensor whose values are visited with the batch axis in front, as `visited` says;
/// `axis` is one of the tensor as it is stored.
[[nodiscard]] MatrixShape visitedMatrix(const TensorInfo& tensor, const TensorInfo& visited,
                                        std::optional<int> axis = {});

/// Blocks of a tensor: rows of them, and how many lie in each.
struct BlockGrid
{
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
};

/// Granularity of scales: the values that share one.
struct Granularity
{
    enum class Kind {
        Tensor,   ///< all
        Channel,  ///< those of one index along the channel axis; without one all
        Row,      ///< those of one row of the matrix: a token, an output channel
        Group,    ///< `columns` neighbours in a row; the last ones of a row may be fewer
        Tile      ///< `rows` rows of `columns` neighbours; tiles at the ends may be smaller
    };
    Kind kind = Kind::Tensor;
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;

    static const Granularity Tensor;   // NOLINT(readability-identifier-naming): as the kinds
    static const Granularity Channel;  // NOLINT(readability-identifier-naming): as the kinds
    static const Granularity Row;      // NOLINT(readability-identifier-naming): as the kinds

    [[nodiscard]] bool isGroup() const { return kind == Kind::Group; }
    /// Scales of a matrix, counted row by row; `channels` are those of the tensor (0: it has none).
    [[nodiscard]] BlockGrid grid(const MatrixShape& matrix, std::uint64_t channels) const;
    [[nodiscard]] std::uint64_t blocks(const MatrixShape& matrix, std::uint64_t channels) const
    {
        const BlockGrid all = grid(matrix, channels);
        return all.rows * all.columns;
    }
    /// Tiles lie along the first or the last axis; all else along any.
    [[nodiscard]] bool fits(const MatrixShape& matrix) const
    {
        return kind != Kind::Tile || matrix.inner == 1 || matrix.outer == 1;
    }
    /// "tensor", "channel", "row", "g32", "b128x128".
    [[nodiscard]] std::string text() const;
    bool operator==(const Granularity&) const = default;
};

inline constexpr Granularity Granularity::Tensor{};
inline constexpr Granularity Granularity::Channel{.kind = Kind::Channel};
inline constexpr Granularity Granularity::Row{.kind = Kind::Row};

/// The axis of a weight along which groups of that many neighbours lie: the one that a layer sums
/// over, if it is one axis alone (of a Conv's that of the input channels where the kernel is one
/// value) and a whole number of groups. Nothing otherwise, and for what is no weight with channels.
[[nodiscard]] std::optional<int> groupAxis(const TensorInfo& tensor, std::uint64_t columns);

/// Inverse of text(). Throws Error(Usage), naming the owner, for another word, and for a group
/// below 2 or above 2^20 values, a tile of more than 2^20.
[[nodiscard]] Granularity parseGranularity(std::string_view text, std::string_view owner);

}  // namespace calibscope
