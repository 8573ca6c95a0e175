// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// What the divergence of one trial of a search by KL divergence compares: the histogram
/// truncated there (P) and its coarse form spread back over the bins (Q). Both in counts, by bin of
/// |x| from 0 to the trial, or of x where that is said; divided by their sums, they give the
/// divergence.
struct EntropyTrial
{
    double threshold = 0.0;     ///< its point on the curve
    std::vector<double> edges;  ///< of the bins, one more than bins
    std::vector<double> truncated;
    std::vector<double> coarse;
    double ofLastBin = 0.0;      ///< what the last bin adds to the divergence; may be below 0
    double divergence = 0.0;     ///< in nats; +inf where the trial can't be chosen
    std::size_t levels = 0;      ///< of the coarse histogram
    double beyond = 0.0;         ///< counts beyond the trial, which P holds in its last bin
    bool isCoarseFirst = false;  ///< KL(Q || P) in the place of KL(P || Q)
    bool isSigned = false;       ///< bins of x, from the window's low end to its high end
    bool hasOutliersInQ = true;  ///< Q holds the counts beyond the trial too
};

/// The trial of the calibrator "entropy" whose threshold is nearest. The profile holds the
/// histogram that the settings ask for; nothing if it does not, or if there are no trials (odd
/// data). Costs O(bins).
[[nodiscard]] std::optional<EntropyTrial>
entropyTrialAt(const CalibratorInput& input, const TensorProfile& profile, double threshold);

/// The window of the calibrator "kl-window" whose point on the curve is nearest, in bins of x. Its
/// divergence is after empty bins are given counts, which P and Q here are not. Nothing as above.
[[nodiscard]] std::optional<EntropyTrial>
windowTrialAt(const CalibratorInput& input, const TensorProfile& profile, double threshold);

/// The windows of the calibrator "kl-window" in the order of the points on its curve, where those
/// stand for half the windows' widths. Empty where the points are thresholds of symmetric ranges,
/// and where windowTrialAt() gives nothing. Costs O(bins).
[[nodiscard]] std::vector<Range> windowEnds(const CalibratorInput& input,
                                            const TensorProfile& profile);

/// A trial in bins of x as one in bins of |x| of the same width: what lies below 0 is folded
/// over. One that is of |x| is left as it is.
[[nodiscard]] EntropyTrial asMagnitudes(const EntropyTrial& trial);

}  // namespace calibscope
