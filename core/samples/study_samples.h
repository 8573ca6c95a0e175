// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/recipes/sample_study.h"
#include "core/stats/profile.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Whether a recording is enough: what parts of it, resamples of it and other orders of it give.
namespace calibscope::samples {

struct StudyOptions
{
    /// What is drawn and left out; nothing: batches where there are fewestUnitsForBand of them at
    /// least, else samples where there are as many and more than batches, else batches.
    std::optional<SampleUnit> unit = {};
    /// For each band; 0: no bands. Nothing: as resamplesFor() a choice.
    std::optional<std::uint64_t> resamples = {};
    bool withCurveBands = false;  ///< bands at other points of the curve than its end, too
    std::uint64_t orders = 20;    ///< shuffles, where the order can matter; 0: none
    std::uint64_t parts = 0;      ///< held out by turns; 0: none, else at least 2
    std::uint64_t seed = 1;
    bool isExact = false;  ///< ratios of the curve and of shuffles from all values; else from the
                           ///< sketch where that tells them within 0.1 dB
    std::uint64_t memoryBytes = std::uint64_t{160} << 20;
};

/// Recordings that are drawn for a band of that choice where nobody says: 200 where extents or
/// order statistics decide, 79 where a histogram is searched for each, 39 where the values are.
[[nodiscard]] std::uint64_t resamplesFor(const Choice& choice, const Extents& extents);

/// Studies the choices on a tensor, whose profile has to be collected (extents, batches, sketch)
/// and is not changed. One study for each choice, in their order, equal for any number of threads.
/// Choices whose scales are per channel or row, or taken from other tensors, and tensors of one
/// unit have their `problem` set. The values are visited once or twice where they are in memory or
/// fit a third of memoryBytes, a few times more where they do not and histograms are needed.
/// Throws Cancelled, and Error(Input) where the values can't be read.
[[nodiscard]] std::vector<SampleStudy> studySamples(const ValueSource& source,
                                                    const TensorProfile& profile,
                                                    std::span<const Choice> choices,
                                                    const StudyOptions& options = {},
                                                    const Progress& progress = {});

}  // namespace calibscope::samples
