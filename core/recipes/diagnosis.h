// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// What there is to know of a tensor before its scale is chosen. Each is defined by a number that
/// is there without reading values again, and a limit; our own definitions, described with their
/// reasons in resources/docs/diagnosis.md.
enum class FindingKind {
    Empty,              ///< no finite value
    NotFinite,          ///< NaN or infinities among the values
    Constant,           ///< all finite values are equal
    Quantized,          ///< all values are multiples of one step, at most 255 away from 0
    MostlyZeros,        ///< at least 90 % exact zeros
    Saturated,          ///< at least 1 % of the values lie at the least or the largest one, not 0
    ConstantRegion,     ///< at least 5 % of the values repeat their neighbours at an axis' ends
    DeadChannels,       ///< channels less than 1e-4 as wide as the median one, or 0
    VanishingChannels,  ///< others below 1/254 of the tensor's width: under one scale all become 0
    DominantChannels,   ///< channels at least 8 times as wide as the median one
    HeavyTail,          ///< largest magnitude at least 3 times the 99.9th percentile of the others
    OneSided,           ///< the shorter side reaches at most 1/8 as far as the longer one
    FarFromZero,        ///< all values lie in 1/16 of the range from 0 to the farthest
    Bimodal,          ///< two heaps with at least 10 % each and a valley half as high between them
    UnstableBatches,  ///< largest magnitude of a batch at least twice the median batch's
    RepeatedBatches,  ///< batches with the counts and ends of an earlier one
    ClippingBound,    ///< of the chosen candidate's error clipping is at least 4 times rounding
    RoundingBound,    ///< the reverse, and half the range would leave less than half of the error
};

/// A finding of a diagnosis, with the number that decided it.
struct TensorFinding
{
    TensorFinding() = default;
    TensorFinding(FindingKind ofKind, double measured, std::string text);

    FindingKind kind = FindingKind::Empty;
    /// What is compared with the limit: a share of values (NotFinite, MostlyZeros,
    /// Saturated, ConstantRegion), the step (Quantized), batches (RepeatedBatches), channels (Dead,
    /// Vanishing, Dominant: how many), a factor (HeavyTail, UnstableBatches), shorter over longer
    /// side (OneSided), spread over largest magnitude (FarFromZero), valley over the lower heap (Bimodal), a share of the squared error
    /// (Clipping, RoundingBound); 0 for Empty, the value for Constant.
    double measure = 0.0;
    Finding finding = {};  ///< a note; its text is part of a sentence: it begins in lower case and
                           ///< has no full stop
};

/// A candidate better than the chosen one.
struct BetterCandidate
{
    std::size_t index = 0;  ///< among the candidates
    double gainDb = 0.0;    ///< of its SQNR over the chosen one's, at least leastGainDb
};

/// Less is not worth a word.
constexpr double leastGainDb = 0.5;

struct Diagnosis
{
    std::vector<TensorFinding> findings;  ///< in the order of FindingKind, each at most once
    std::optional<BetterCandidate> better;
};

/// "heavy-tail": the name in filters and tables.
[[nodiscard]] std::string_view findingId(FindingKind kind);
/// All of them, in their order.
[[nodiscard]] std::span<const FindingKind> findingKinds();

/// What the profile tells, and, where there is one, the chosen outcome (nullptr: none) and the
/// candidates that it is compared with: those without a problem and with a finite SQNR. The same
/// bits for any number of threads. Percentile and heaps are read from the sketch: within 0.1 %.
/// Heavy tail, heaps and saturation are reported from 1,000 values other than 0 on, channels are
/// compared from eight on, batches of four on; of a profile without a
/// sketch, tail, heaps and steps are not stated. Without finite values: Empty alone. A single value
/// that no other reaches half of is the heavy tail's and enters no other finding; of values that
/// are quantized already no candidate is better.
[[nodiscard]] Diagnosis diagnosed(const TensorProfile& profile, const Outcome* chosen = nullptr,
                                  std::span<const Outcome> candidates = {});

/// One sentence: "Heavy tail: ...; one-sided: ...; `mse` gains 6.1 dB." `better` names the better
/// candidate; empty where nothing was found.
[[nodiscard]] std::string diagnosisText(const Diagnosis& diagnosis, std::string_view better);

}  // namespace calibscope
