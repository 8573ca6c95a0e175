// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/entropy/entropy_plain.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// plainDivergence() of every `step`-th trial from `first` to `last`, both included and below
/// counts.size(), within 1e-9 absolutely. Costs O(trials x levels); with smoothing O(trials
/// x filled bins).
[[nodiscard]] std::vector<double> allDivergences(std::span<const std::uint64_t> counts,
                                                 std::size_t first, std::size_t last,
                                                 const EntropyRule& rule, std::size_t step = 1);

/// Which trial is taken where the divergence alone does not say.
struct EntropyPick
{
    bool takesLast = false;  ///< of several equal trials
    bool emptyWins = false;  ///< a trial whose own bins are all empty is better than any other
    std::size_t step = 1;    ///< from trial to trial, in bins
};

/// Divergences of the trials `first`, first + step, ..., and the best of them.
struct EntropySearch
{
    std::size_t first = 0;
    std::size_t step = 1;
    std::vector<double> divergences;     ///< near the least they are those of plainDivergence()
    std::optional<std::size_t> chosen;   ///< index in divergences; none if no trial is finite
    std::vector<std::size_t> ties = {};  ///< further indices with the same divergence
    bool isEmpty = false;  ///< the chosen one's own bins are all empty; such ones have the value 0
                           ///< then, and none is listed as a tie

    /// The bin that a trial ends with.
    [[nodiscard]] std::size_t trial(std::size_t index) const { return first + index * step; }
};

/// Finds the trial with the least plainDivergence(), as `pick` says. An empty range of
/// trials (first > last, or last >= counts.size()) gives an empty search.
[[nodiscard]] EntropySearch searchEntropy(std::span<const std::uint64_t> counts, std::size_t first,
                                          std::size_t last, const EntropyRule& rule,
                                          const EntropyPick& pick);

}  // namespace calibscope
