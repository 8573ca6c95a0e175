#pragma once

#include "core/stats/profile.h"

#include <optional>

namespace calibscope {

/// How far the values of a tensor in one recording (B) lie from those in another (A). All from the
/// sketches, whose bins have a relative width of at most 2^-10: two equal sketches give exactly 0
/// (a ratio of 1), whatever the order of the values.
struct Drift
{
    double maxRatio =
        1.0;  ///< largest |x| of B over that of A; 1 if both are 0, infinity if A's is
    /// Earth mover's distance: the mean way that a value of A has to go to become one of B, in the
    /// tensor's own unit. Every value counts as the mean of its sketch bin.
    double earthMover = 0.0;
    double earthMoverShare = 0.0;  ///< of the larger of both largest magnitudes, 0..2
    /// Kullback-Leibler divergence of B from A in nats: both in 2048 equal bins over the larger
    /// range, each bin 1e-12 more, as the metric `kl` has it.
    double klDivergence = 0.0;
};

/// Nothing if either has no finite value.
[[nodiscard]] std::optional<Drift> driftBetween(const TensorProfile& a, const TensorProfile& b);

}  // namespace calibscope
