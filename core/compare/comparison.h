#pragma once

#include "core/compare/drift.h"
#include "core/recipes/outcome.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// The scales that a choice finds on A, applied to the data of B: what deployed scales do to the
/// data of today.
struct TransferredScales
{
    MetricValues metrics;
    bool isExact = true;  ///< from all values, not from the sketch
};

/// One choice on both recordings of a tensor.
struct ChoiceComparison
{
    Outcome a;
    Outcome b;
    std::optional<TransferredScales> transferred;
    std::string whyNotTransferred;  ///< as a sentence; empty: they were

    /// Scale of B over that of A (of the widest channels); nothing unless both have one.
    [[nodiscard]] std::optional<double> scaleRatio() const;
    /// By how many dB the signal-to-noise ratio on B falls when A's scales stand in for B's own:
    /// above 0 A's are stale, below 0 they serve B better than its own. 0 if both ratios are
    /// infinite.
    [[nodiscard]] std::optional<double> sqnrLossDb() const;
};

/// A tensor in two recordings.
struct TensorComparison
{
    std::optional<Drift> drift;  ///< nothing if either has no finite value
    std::vector<ChoiceComparison> choices;
};

}  // namespace calibscope
