// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/recipes/outcome.h"
#include "core/stats/extents.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// How far the values of a tensor in one recording (B) lie from those in another (A), from the
/// sketches, whose bins have a relative width of at most 2^-10: two equal sketches give exactly 0
/// (a ratio of 1), whatever the order of the values. What that leaves open is bounded.
struct Drift
{
    double maxRatio =
        1.0;  ///< largest |x| of B over that of A; 1 if both are 0, infinity if A's is
    /// Earth mover's distance: the mean way that a value of A has to go to become one of B, in the
    /// tensor's own unit. Every value counts as the mean of its sketch bin.
    double earthMover = 0.0;
    double earthMoverBar = 0.0;    ///< the exact one is at most so far from it
    double earthMoverShare = 0.0;  ///< of the larger of both largest magnitudes, 0..2
    /// Kullback-Leibler divergence of B from A in nats: both in 2048 equal bins over the larger
    /// range, each bin 1e-12 more, as the metric `kl` has it.
    double klDivergence = 0.0;
    Range klBound = {};  ///< holds the exact one; both ends are it where it was computed

    [[nodiscard]] bool hasExactKl() const { return klBound.width() == 0.0; }
    /// From all values, counted in the common histogram of the larger range.
    void takeExactKl(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);
};

/// Nothing if either has no finite value.
[[nodiscard]] std::optional<Drift> driftBetween(const TensorProfile& a, const TensorProfile& b);

/// Whether no data decided the scale of 1: its threshold is 0, or there was nothing to choose from
/// (docs/calibrators, odd tensors). What follows from such a scale says nothing of a recording.
[[nodiscard]] bool hasPlaceholderScale(const Outcome& outcome);

/// What one recording alone has of values that count nowhere, as part of a sentence: NaN,
/// infinities, or no finite value at all. Empty: nothing, or both have some.
[[nodiscard]] std::string unusualOfOne(const Extents& a, const Extents& b);
/// Whether one recording alone has finite values.
[[nodiscard]] bool hasLostValues(const Extents& a, const Extents& b);

/// The scales that a choice finds on A, applied to the data of B: what deployed scales do to the
/// data of today.
struct TransferredScales
{
    MetricValues metrics;
    MetricBounds bounds = {};  ///< of estimated metrics
    bool isExact = true;       ///< from all values, not from the sketch
};

/// One choice on both recordings of a tensor.
struct ChoiceComparison
{
    Outcome a;
    Outcome b;
    std::optional<TransferredScales> transferred;
    std::string whyNotTransferred;  ///< as a sentence; empty: they were

    /// Scale of B over that of A (of the widest channels); nothing unless both have one,
    /// placeholders left out.
    [[nodiscard]] std::optional<double> scaleRatio() const;
    /// By how many dB the signal-to-noise ratio on B falls when A's scales stand in for B's own:
    /// above 0 A's are stale, below 0 they serve B better than its own. 0 if both ratios are
    /// infinite.
    [[nodiscard]] std::optional<double> sqnrLossDb() const;
    /// How far the exact loss can lie from that, where a part of it is estimated.
    [[nodiscard]] std::optional<double> sqnrLossBarDb() const;
};

/// A tensor in two recordings.
struct TensorComparison
{
    std::optional<Drift> drift;  ///< nothing if either has no finite value
    std::vector<ChoiceComparison> choices;
};

}  // namespace calibscope
