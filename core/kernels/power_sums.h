// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Sums over the finite values of a piece, in double.
///
/// Value i goes to lane i mod 16, the lanes are added pairwise (l and l + 8, then + 4, ...): the
/// same bits on every processor. Values that are not finite add 0.
struct PowerSums
{
    double sum = 0.0;
    double sumSquares = 0.0;
    double mean = 0.0;
    double m2 = 0.0;  ///< sum of (x - mean)^2; m3 and m4 likewise
    double m3 = 0.0;
    double m4 = 0.0;

    bool operator==(const PowerSums&) const = default;
};

/// `finite`: how many of the values are; all sums are 0 where none is. Two sweeps, so a piece
/// should fit the first cache level; what follows the piece in memory is fetched meanwhile.
[[nodiscard]] PowerSums powerSums(std::span<const float> values, std::uint64_t finite);
/// The same, value by value: what the vector form is held against.
[[nodiscard]] PowerSums powerSumsPlain(std::span<const float> values, std::uint64_t finite);

}  // namespace calibscope::kernels
