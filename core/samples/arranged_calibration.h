// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/recipes/outcome.h"
#include "core/samples/arrangement.h"
#include "core/samples/unit_facts.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::samples {

/// What a choice gives on an arrangement of units.
struct ArrangedAnswer
{
    double threshold = 0.0;  ///< as SampleStudy::threshold
    Quantizer quantizer;
};

/// The answers of one choice.
struct ArrangedAnswers
{
    std::vector<ArrangedAnswer> answers;  ///< by arrangement; empty ones where it was not asked
    std::string problem;                  ///< why there are none, as a sentence
};

/// Why the choice can't be calibrated on arrangements of a tensor, as a sentence; or nothing.
[[nodiscard]] std::string whyNotArranged(const Choice& choice);

/// Arrangements, and which of them each choice is to be calibrated on.
struct ArrangedQuestion
{
    std::span<const Choice> choices;
    std::size_t arrangements = 0;
    /// Each is asked for twice, and not kept.
    std::function<Arrangement(std::size_t arrangement)> arranged;
    std::function<bool(std::size_t choice, std::size_t arrangement)> isAsked;
};

/// Calibrates the choices on the arrangements, each as analyse() would if the values had been
/// recorded so. Extents cost no pass over the source, order statistics one, histograms one for each
/// quarter of `memoryBytes` that their counts take. Values are held where a calibrator searches
/// them, and where units are so small that counts would take more. A choice for which too much
/// would have to be held has a problem: more than a third of `memoryBytes` of values or of order
/// statistics, more than half of it of one arrangement's counts. Throws Cancelled, and Error(Input)
/// where the values can't be read.
[[nodiscard]] std::vector<ArrangedAnswers>
calibrateArrangements(const ArrangedQuestion& question, const ValueSource& source,
                      const UnitFacts& facts, std::uint64_t memoryBytes, const Progress& progress);

}  // namespace calibscope::samples
