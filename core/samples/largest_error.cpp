// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/largest_error.h"

#include "core/collect/held_values.h"
#include "core/collect/sample_extremes.h"
#include "core/samples/arranged_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope::samples {

namespace {

/// The value that the quantizer moves furthest.
void findLargest(const ValueSource& source, const Quantizer& quantizer, const Progress& progress,
                 LargestError& found)
{
    found.error = -1.0;
    source.visit(
        [&](const Block& block) {
            for (std::size_t at = 0; at < block.values.size(); ++at) {
                const auto value = static_cast<double>(block.values[at]);
                if (!std::isfinite(value))
                    continue;
                const double error = std::abs(value - quantizer.fakeQuantize(value));
                if (error > found.error) {
                    found.error = error;
                    found.value = value;
                    found.index = block.firstIndex + at;
                }
            }
        },
        progress);
    found.sample = found.index / std::max<std::uint64_t>(source.info.valuesPerSample(), 1);
}

LargestError errorUnder(const ValueSource& source, const Choice& choice, std::uint64_t without,
                        std::uint64_t memoryBytes, const Progress& progress)
{
    LargestError found{.problem = whyNotArranged(choice)};
    if (!found.problem.empty())
        return found;
    if (source.info.sampleCount() > mostUnits(memoryBytes)) {
        found.problem = "its samples are too many to be left out one by one";
        return found;
    }
    const UnitFacts facts = unitFacts(source, {}, SampleUnit::Sample, progress);
    const std::array choices{choice};
    const std::size_t arrangements = facts.count() > 1 ? 2 : 1;
    const ArrangedQuestion question{
        .choices = choices,
        .arrangements = arrangements,
        .arranged =
            [&](std::size_t arrangement) {
                return arrangement == 0
                           ? unitsFrom(facts.batchOf, 0, facts.count())
                           : withoutUnits(facts.batchOf, static_cast<std::size_t>(without), 1);
            },
        .isAsked = [](std::size_t, std::size_t) { return true; }};
    const ArrangedAnswers answers =
        calibrateArrangements(question, source, facts, memoryBytes, progress).front();
    found.problem = answers.problem;
    if (!found.problem.empty())
        return found;
    found.scale = answers.answers.front().quantizer.scale;
    if (arrangements > 1)
        found.scaleWithout = answers.answers.back().quantizer.scale;
    findLargest(source, answers.answers.front().quantizer, progress, found);
    return found;
}

}  // namespace

std::optional<SampleExtreme> sampleExtremeUnder(const ValueSource& source, const Choice& choice,
                                                std::uint64_t memoryBytes, const Progress& progress)
{
    const ValueSource held = heldIfSmall(source, memoryBytes, progress);
    std::optional<SampleExtreme> extreme = sampleExtreme(held, progress);
    if (extreme)
        extreme->error = errorUnder(held, choice, extreme->sample, memoryBytes, progress);
    return extreme;
}

}  // namespace calibscope::samples
