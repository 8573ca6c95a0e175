// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/check_results.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How far the tensors of a quantized model are from those of the float one.
namespace calibscope::deploy {

/// Sums from which the figures of one sample follow; all sums in double, compensated.
struct SampleSums
{
    std::uint64_t count = 0;  ///< of values that are finite in both
    double reference = 0.0;   ///< sum of r^2
    double other = 0.0;       ///< sum of q^2
    double product = 0.0;     ///< sum of r q
    double noise = 0.0;       ///< sum of (q - r)^2
    double absNoise = 0.0;    ///< sum of |q - r|
    double maxNoise = 0.0;    ///< greatest |q - r|
    std::uint64_t notFinite =
        0;                   ///< NaN or infinite in one of them only, or infinities of two signs
    std::uint64_t rows = 0;  ///< along the last axis, where it holds classes
    std::uint64_t sameRows = 0;  ///< with their largest entry at the same index

    bool operator==(const SampleSums&) const = default;
};

/// Of `reference` against `other`, equally many values. NaN in both count as equal, as do
/// infinities of one sign; neither is in a sum.
[[nodiscard]] SampleSums sampleSums(std::span<const float> reference, std::span<const float> other);

/// Counts rows of `classes` values each whose largest entry has the same index in both, among the
/// places of `mask` (all if it is empty; places beyond the row are passed over). The first of equal
/// entries is the largest; a row with a NaN in one of them is not the same. Requires whole rows.
void countSameArgmax(std::span<const float> reference, std::span<const float> other,
                     std::uint64_t classes, std::span<const std::uint64_t> mask, SampleSums& sums);

/// Signal over noise in dB as Agreement has it, from its two sums.
[[nodiscard]] double sqnrDb(double reference, double noise);

/// The figures of all samples. The median of an even number is the mean of the middle two, or the
/// lower one where one of them is infinite. Of no sample: 0 samples and no dB.
[[nodiscard]] Agreement agreementOf(std::span<const SampleSums> samples);

/// Summary of the draws; nothing where none has an SQNR. The signal is the same in all of
/// them, so the mean noise is that of the ratios of noise to signal.
[[nodiscard]] std::optional<DrawSummary> drawSummaryOf(std::span<const DrawCheck> draws);

/// For each tensor, in the order in which the graph computes them, how far its running_db lies
/// below the least output_sqnr_db of it and of all before it; where none of these is known, below
/// the least running_db of all before it. At least 0; nothing for a weight, for a tensor without
/// running_db, and where nothing before it has cost anything.
[[nodiscard]] std::vector<std::optional<double>> dropsOf(std::span<const TensorCheck> tensors);

/// Where the float model does not compute what was recorded: the outputs' least agreement is below
/// 80 dB, or 60 where the recording holds 16-bit floats. A sentence, nothing where all is well.
[[nodiscard]] std::optional<std::string> otherModelSentence(std::string_view model,
                                                            std::string_view output,
                                                            std::optional<double> recordedDb,
                                                            bool isHalf);

/// Where an output is more than 1 dB worse as fused than as written. A sentence, or nothing.
[[nodiscard]] std::optional<std::string> fusedSentence(const OutputCheck& output);

}  // namespace calibscope::deploy
