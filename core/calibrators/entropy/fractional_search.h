// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Divergences of the trials `first`, first + 1, ..., counts.size() - 1: all counts is not tried.
struct FractionalSearch
{
    std::size_t first = 0;  ///< bins that the first trial keeps
    std::vector<float> divergences;
    std::size_t chosen = 0;  ///< the first with the least divergence
};

/// The search of ncnn (2026), tools/quantize/ncnn2table.cpp: quantize_KL. Every step is float32 but
/// for the logarithms, whose C function is double there.
///
/// A trial keeps the first k bins; k begins at `levels`. P are their shares of all counts, the
/// last one with those of the bins beyond. Q has `levels` levels of k / levels bins each, without
/// the bins beyond: bins on a border are shared in proportion. The mean of each level is given to
/// all its bins, in proportion too. 1e-4 is added to every bin of both, which are not divided by
/// their sums again.
///
/// Empty where there are no more bins than levels, or no counts. `levels` is at least 3. Cost:
/// bins^2 / 2 logarithms.
[[nodiscard]] FractionalSearch searchFractional(std::span<const std::uint64_t> counts,
                                                std::size_t levels);

}  // namespace calibscope
