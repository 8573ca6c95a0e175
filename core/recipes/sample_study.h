// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Unit that is drawn, shuffled and left out as a whole.
enum class SampleUnit { Batch, Sample };

/// "batch", "sample".
[[nodiscard]] std::string_view sampleUnitText(SampleUnit unit);
/// "1 batch", "16 samples".
[[nodiscard]] std::string unitCountText(std::uint64_t units, SampleUnit unit);

/// Below so many units no band is reported: whatever the values, all units of a recording lie on one
/// side of the middle in 2 of 2^n recordings, and of fewer than 6 that are more than 5 %.
constexpr std::uint64_t fewestUnitsForBand = 6;
/// Where fewer units than that hold values beyond the clip range, nothing is known of how far it
/// would reach with others: the band's upper end is open.
constexpr std::uint64_t fewestUnitsBeyond = 6;
/// Shares of the final threshold within which it stays once it has converged.
constexpr double closeShare = 0.01;
constexpr double nearShare = 0.05;
/// The spread of thresholds over orders of the batches, as a share, above which the order matters.
constexpr double mostOrderShare = 0.01;

/// The middle 95 % of what resampled recordings give.
struct SampleBand
{
    double low = 0.0;
    std::optional<double>
        high;  ///< nothing: the recording does not tell, it may lie anywhere above

    bool operator==(const SampleBand&) const = default;
};

/// Results of the first units of a recording.
struct CurvePoint
{
    std::uint64_t units = 0;            ///< the first so many, in recorded order
    double threshold = 0.0;             ///< as SampleStudy::threshold
    std::optional<double> sqnrDb = {};  ///< of all recorded values under the scale found on these
    /// Of so many units drawn from the recorded ones, with replacement. Nothing where none was
    /// drawn.
    std::optional<SampleBand> thresholdBand = {};
    std::optional<Range> sqnrBandDb = {};

    bool operator==(const CurvePoint&) const = default;
};

/// Results of other orders of the same batches.
struct OrderSpread
{
    std::uint64_t orders = 0;  ///< shuffles, beside the recorded order
    Range thresholds = {};     ///< least and greatest of them all, the recorded order among them
    double share = 0.0;        ///< the thresholds' width over the recorded order's threshold
    std::optional<Range> sqnrDb = {};  ///< of all recorded values, least and greatest

    [[nodiscard]] bool matters() const { return share > mostOrderShare; }
    bool operator==(const OrderSpread&) const = default;
};

/// One part of a recording under the scale that all others give.
struct HeldOutPart
{
    std::uint64_t firstUnit = 0;
    std::uint64_t units = 0;
    double threshold = 0.0;             ///< found without them
    std::optional<double> sqnrDb = {};  ///< of them; nothing without finite values

    bool operator==(const HeldOutPart&) const = default;
};

/// Errors of values under scales that have not seen them.
struct HeldOut
{
    std::vector<HeldOutPart> parts;  ///< neighbouring units in recorded order, as equal as they can
    std::optional<double> sqnrDb = {};      ///< of all values, each under its part's scale
    std::optional<double> seenSqnrDb = {};  ///< of all values under the scale that has seen all
    /// By how many dB the ratio falls for what was not seen: seenSqnrDb - sqnrDb, 0 where both are
    /// infinite.
    std::optional<double> gapDb = {};

    bool operator==(const HeldOut&) const = default;
};

/// How alike neighbouring units are: each then holds less information than an independent one.
struct NeighbourLikeness
{
    /// Lag-one correlation of the logarithms of the units' own thresholds (of 64 runs of neighbours
    /// where there are more units), corrected for their number (Marriott and Pope 1954), from 0 to
    /// 0.95.
    double correlation = 0.0;
    /// Independent units with as much information: n (1 - correlation) / (1 + correlation), at least 2;
    /// n where the correlation is no larger than chance makes it in 1 of 20 recordings.
    double independentUnits = 0.0;

    bool operator==(const NeighbourLikeness&) const = default;
};

enum class Convergence {
    Converged,
    NotConverged,  ///< see SampleStudy::convergence()
    Unknown,       ///< too few units to tell
};

/// "yes", "no", "unknown".
[[nodiscard]] std::string_view settlingText(Convergence convergence);

/// Whether a recording is enough for a choice on a tensor: what parts of it, resamples of it and
/// other orders of it give.
struct SampleStudy
{
    std::string file;
    std::string tensor;
    Role role = Role::Unknown;
    std::string op;
    Choice choice;
    std::optional<std::uint64_t> channel = {};  ///< of the tensor, where it alone was looked at

    SampleUnit unit = SampleUnit::Batch;  ///< of all numbers of units here
    std::uint64_t units = 0;              ///< that were recorded
    std::uint64_t batches = 0;
    std::uint64_t samples = 0;    ///< 1 where no axis of samples is known
    std::uint64_t resamples = 0;  ///< for each band; 0: there is none
    std::uint64_t seed = 0;       ///< of resamples and shuffles

    /// That all units give: the threshold of a symmetric scheme, the width of the clip range of an
    /// affine one. The scale is proportional to it.
    double threshold = 0.0;
    double scale = 1.0;
    std::optional<double> sqnrDb = {};  ///< of all recorded values
    bool hasExactSqnr = false;  ///< all ratios but the bands' are from the values; else from the
                                ///< sketch, each within 0.1 dB
    std::optional<SampleBand> thresholdBand = {};  ///< of as many units as were recorded
    std::optional<Range> sqnrBandDb = {};
    std::string whyNoBand;                           ///< as a sentence; empty: there is one
    std::optional<NeighbourLikeness> likeness = {};  ///< where there is a band

    std::vector<CurvePoint> curve;  ///< ascending; ends with all units
    /// The first point of the curve from which on every threshold lies within 1 % (5 %) of the
    /// final one.
    std::optional<std::uint64_t> convergedWithin1 = {};
    std::optional<std::uint64_t> convergedWithin5 = {};

    std::optional<OrderSpread> order = {};  ///< where it was asked for and can matter
    std::optional<HeldOut> heldOut = {};    ///< where it was asked for
    std::vector<std::string> notes;
    std::string problem;  ///< why there is nothing of all this, as a sentence; empty: there is

    /// The threshold's band as scales: both are proportional.
    [[nodiscard]] std::optional<SampleBand> scaleBand() const;
    /// Not converged where the second half of the units still moved the threshold by more than 5 %
    /// (convergedWithin5 above half of them), or the band reaches farther than 5 % from it. Unknown
    /// without a band.
    [[nodiscard]] Convergence convergence() const;
    /// Fewer independent units than were recorded.
    [[nodiscard]] bool hasAlikeNeighbours() const;
    /// Flags, as sentences: "not converged after 16 samples", "neighbouring batches
    /// are alike (correlation 0.81): 16 count as 2 independent ones", "depends on the order
    /// of the batches: thresholds differ by 12 %".
    [[nodiscard]] std::vector<std::string> flags() const;
};

/// Fills both convergedWithin of a study from its curve.
void findConverged(SampleStudy& study);

}  // namespace calibscope
