#pragma once

#include "core/calibrators/calibrator.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// What the divergence of one candidate of the calibrator "entropy" compares: the histogram
/// truncated there (P) and its coarse form spread back over the bins (Q). Both in counts, by bin
/// from 0 to the candidate; divided by their sums, they give the divergence.
struct EntropyCandidate
{
    double threshold = 0.0;     ///< its point on the curve
    std::vector<double> edges;  ///< of the bins, one more than bins
    std::vector<double> truncated;
    std::vector<double> coarse;
    double ofLastBin = 0.0;      ///< what the last bin adds to the divergence; may be below 0
    double divergence = 0.0;     ///< in nats; +inf where the candidate can't be chosen
    std::size_t levels = 0;      ///< of the coarse histogram
    double beyond = 0.0;         ///< counts beyond the candidate, which P holds in its last bin
    bool isCoarseFirst = false;  ///< KL(Q || P) in the place of KL(P || Q)
    bool hasOutliersInQ = true;  ///< Q holds the counts beyond the candidate too
};

/// The candidate whose threshold is nearest. The profile holds the histogram that the settings ask
/// for; nothing if it does not, or if there are no candidates (odd data). Costs O(bins).
[[nodiscard]] std::optional<EntropyCandidate>
entropyCandidateAt(const CalibratorInput& input, const TensorProfile& profile, double threshold);

}  // namespace calibscope
