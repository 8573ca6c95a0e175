#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// How the divergence of a candidate is computed (resources/docs/algorithms.md, "Entropy").
struct EntropyRule
{
    std::size_t levels = 127;   ///< of the coarse histogram
    bool outliersInQ = true;    ///< counts beyond the candidate enter the coarse histogram too
    bool smooths = false;       ///< gives empty bins `epsilon` and takes it from the others
    double epsilon = 1e-4;      ///< in counts
    bool coarseFirst = false;   ///< KL(Q || P) in the place of KL(P || Q)
    bool levelsByEdge = false;  ///< a bin's lower edge decides its level, not its centre
};

/// A bin with a count above 0.
struct FilledBin
{
    std::size_t bin = 0;
    double count = 0.0;
};

/// The bins that are not empty, ascending. Empty ones add nothing to any sum.
[[nodiscard]] std::vector<FilledBin> filledBins(std::span<const std::uint64_t> counts);

/// Level of fine bin `bin` (0..candidate) of the histogram truncated at bin `candidate`. The bin's
/// centre decides among `levels` equal parts of 0 to the candidate's centre, which belongs to the
/// last part: floor((2 bin + 1) levels / (2 candidate + 1)). By edge, its lower edge decides among
/// equal parts of 0 to the candidate's upper edge: floor(bin levels / (candidate + 1)).
[[nodiscard]] std::size_t entropyLevel(std::size_t bin, std::size_t candidate, std::size_t levels,
                                       bool byEdge = false);

/// The two histograms that a candidate's divergence is of, by bin from 0 to the candidate, in
/// counts: neither is divided by its sum.
struct CandidateHistograms
{
    std::vector<double> truncated;  ///< P
    std::vector<double> coarse;     ///< Q
};

/// P and Q of plainDivergence(), smoothed if the rule says so.
[[nodiscard]] CandidateHistograms candidateHistograms(std::span<const FilledBin> filled,
                                                      std::size_t candidate,
                                                      const EntropyRule& rule);

/// Divergence in nats between the histogram truncated at bin `candidate` (P) and its coarse form
/// spread back over the bins that are not empty (Q), computed as it is defined. +inf where Q is
/// empty, or has an empty bin where P (reversed: P where Q) has none. Never negative, never NaN.
/// Costs O(filled bins).
[[nodiscard]] double plainDivergence(std::span<const FilledBin> filled, std::size_t candidate,
                                     const EntropyRule& rule);

}  // namespace calibscope
