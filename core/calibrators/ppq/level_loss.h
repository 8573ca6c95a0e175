// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope {

/// Levels on a histogram, in whole bins: from the lower edge of bin `start` to the one of bin `end`
/// in steps of `step` bins.
struct LevelGrid
{
    std::size_t start = 0;
    std::size_t step = 1;
    std::size_t end = 0;
    double loss = 0.0;
};

/// Mean squared distance in bins of a histogram's counts from the levels, as ppq estimates it
/// (TorchMSEObserver, compute_mse_loss): a bin outside is as far as its centre from the nearer end,
/// a bin inside as far as its centre from the nearer level, the bin in the middle between two
/// levels a quarter of a bin less. `total` is the sum of the counts.
[[nodiscard]] double levelLoss(std::span<const std::uint64_t> counts, double total,
                               const LevelGrid& grid);

/// The grid with the least loss, the first of several; each has `levels` steps. First the one with
/// the least steps that cover all bins from bin 0 on, and reach beyond them; then, from each of
/// `starts`, those with smaller steps that end no more than `levels` bins beyond the last bin.
[[nodiscard]] LevelGrid bestLevelGrid(std::span<const std::uint64_t> counts, std::size_t levels,
                                      std::span<const std::size_t> starts);

}  // namespace calibscope
