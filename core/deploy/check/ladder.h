// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/ladder_results.h"

#include <cstdint>

/// Figures of quantized models that are compared with each other on the same samples.
namespace calibscope::deploy {

constexpr std::uint64_t defaultResamples = 1000;

/// The figures of a model's samples: pooled 10 log10(sum of signals / sum of noises); median and
/// least of the samples' own SQNR. Infinite without noise; of no sample all 0.
[[nodiscard]] LadderFigures figuresOf(const SampleNoise& samples);

/// Gain of a model over another, pooled and median, with the interval that holds 95 % of
/// the gains on samples drawn with replacement (bootstrap, percentiles 2.5 and 97.5). Requires the
/// same samples, in one order. A gain between two infinite figures is 0.
[[nodiscard]] LadderGain gainOf(const SampleNoise& from, const SampleNoise& to, std::uint64_t seed,
                                std::uint64_t resamples = defaultResamples);

/// True if all of the interval of the pooled or of the median gain lies below 0.
[[nodiscard]] bool isSurelyLower(const LadderGain& gain);

}  // namespace calibscope::deploy
