// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Which of its fine bins a level of the coarse histogram is spread back over.
enum class EmptyBins {
    All,     ///< all of them, empty or not
    Spread,  ///< those that are not empty
    Smooth,  ///< as Spread; then each empty bin of P and of Q gets epsilon, taken from the others
};

/// How the divergence of a trial is computed (resources/docs/algorithms.md, "Entropy").
struct EntropyRule
{
    std::size_t levels = 127;  ///< of the coarse histogram
    bool outliersInQ = true;   ///< counts beyond the trial enter the coarse histogram too
    EmptyBins emptyBins = EmptyBins::All;
    double epsilon = 1e-4;      ///< in counts
    bool coarseFirst = false;   ///< KL(Q || P) in the place of KL(P || Q)
    bool levelsByEdge = false;  ///< a bin's lower edge decides its level, not its centre
    double logFloor = 0.0;      ///< share of Q in the logarithm where it is empty and P is not; 0:
                                ///< the divergence is infinite there
};

/// A bin with a count above 0.
struct FilledBin
{
    std::size_t bin = 0;
    double count = 0.0;
};

/// The bins that are not empty, ascending. Empty ones add nothing to any sum.
[[nodiscard]] std::vector<FilledBin> filledBins(std::span<const std::uint64_t> counts);

/// Level of fine bin `bin` (0..trial) of the histogram truncated at bin `trial`. The bin's
/// centre decides among `levels` equal parts of 0 to the trial's centre, which belongs to the
/// last part: floor((2 bin + 1) levels / (2 trial + 1)). By edge, its lower edge decides among
/// equal parts of 0 to the trial's upper edge: floor(bin levels / (trial + 1)).
[[nodiscard]] std::size_t entropyLevel(std::size_t bin, std::size_t trial, std::size_t levels,
                                       bool byEdge = false);

/// How many of the bins 0..trial belong to a level. Costs O(1).
[[nodiscard]] std::size_t binsOfLevel(std::size_t level, std::size_t trial, std::size_t levels,
                                      bool byEdge = false);

/// The two histograms that a trial's divergence is of, by bin from 0 to the trial, in
/// counts: neither is divided by its sum.
struct TrialHistograms
{
    std::vector<double> truncated;  ///< P
    std::vector<double> coarse;     ///< Q
};

/// P and Q of plainDivergence(), smoothed if the rule says so.
[[nodiscard]] TrialHistograms trialHistograms(std::span<const FilledBin> filled, std::size_t trial,
                                              const EntropyRule& rule);

/// Divergence in nats between the histogram truncated at bin `trial` (P) and its coarse form
/// spread back over the bins (Q), computed as it is defined. +inf where Q is empty, or has an empty
/// bin where P (reversed: P where Q) has none. Never negative, never NaN. Costs O(filled bins +
/// levels).
[[nodiscard]] double plainDivergence(std::span<const FilledBin> filled, std::size_t trial,
                                     const EntropyRule& rule);

}  // namespace calibscope
