// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// How errors of neighbouring values of a row count in a search: alike, by a weight of each, or by
/// what they do together, d^T H d.
struct ErrorWeights
{
    std::span<const float> squares = {};  ///< empty: alike
    std::span<const double> products =
        {};                    ///< H of these columns and all behind; empty: by squares
    std::uint64_t stride = 0;  ///< between rows of H
};

/// Means over the inputs that a layer multiplies with a weight: E[x_k^2], and E[x_j x_k] where that
/// is asked for. Rows of the weight's matrix that meet the same inputs are a group (of a Conv's).
struct InputProducts
{
    std::uint64_t columns = 0;
    std::uint64_t rowsPerGroup = 1;
    std::vector<float> squares;         ///< [group][column]
    std::vector<double> products = {};  ///< [group][column][column], or none

    /// Those of neighbouring columns of a row; `together`: with products.
    [[nodiscard]] ErrorWeights at(std::uint64_t row, std::uint64_t column, std::uint64_t count,
                                  bool together) const
    {
        const std::uint64_t first = row / rowsPerGroup * columns + column;
        ErrorWeights weights{.squares = std::span(squares).subspan(first, count)};
        if (together)
            weights.products = std::span(products).subspan(first * columns + column);
        weights.stride = columns;
        return weights;
    }
};

}  // namespace calibscope
