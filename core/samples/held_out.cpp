// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/held_out.h"

#include "core/base/find_by_id.h"
#include "core/collect/at_once.h"
#include "core/metrics/error_tally.h"
#include "core/metrics/metric.h"
#include "core/samples/unit_runs.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace calibscope::samples {

namespace {

std::optional<double> sqnrOf(const ErrorSums& sums)
{
    ErrorSummary errors;
    errors.sums = sums;
    return findById(metrics(), "sqnr_db", "metric").evaluate(errors);
}

/// Tallies of one choice: of each part, and of all values under the scale that has seen them.
struct ChoiceTallies
{
    std::vector<ErrorTally> parts;
    ErrorTally seen;
};

HeldOut heldOutOf(std::span<const UnitPart> parts, const HeldOutScales& scales,
                  const ChoiceTallies& tallies)
{
    HeldOut found;
    ErrorSums all;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const ErrorSums& sums = tallies.parts[part].sums;
        found.parts.push_back({.firstUnit = parts[part].first,
                               .units = parts[part].count,
                               .threshold = scales.thresholds[part],
                               .sqnrDb = sqnrOf(sums)});
        all += sums;
    }
    found.sqnrDb = sqnrOf(all);
    found.seenSqnrDb = sqnrOf(tallies.seen.sums);
    if (found.sqnrDb && found.seenSqnrDb)
        found.gapDb = *found.seenSqnrDb == *found.sqnrDb ? 0.0 : *found.seenSqnrDb - *found.sqnrDb;
    return found;
}

}  // namespace

std::vector<UnitPart> heldOutParts(std::size_t units, std::size_t parts)
{
    parts = std::min(units, parts);
    std::vector<UnitPart> made;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = part * units / parts;
        made.push_back({.first = first, .count = (part + 1) * units / parts - first});
    }
    return made;
}

std::vector<HeldOut> heldOutErrors(std::span<const UnitPart> parts,
                                   std::span<const HeldOutScales> scales, const ValueSource& source,
                                   const UnitFacts& facts, const Progress& progress)
{
    std::vector<ChoiceTallies> tallies;
    for (const HeldOutScales& own : scales) {
        tallies.push_back({.parts = {}, .seen = {own.seen, 0.0}});
        for (const Quantizer& quantizer : own.quantizers)
            tallies.back().parts.emplace_back(quantizer, 0.0);
    }
    std::vector<std::size_t> partOf(facts.count());
    for (std::size_t part = 0; part < parts.size(); ++part)
        for (std::size_t unit = 0; unit < parts[part].count; ++unit)
            partOf[parts[part].first + unit] = part;
    source.visit(
        [&](const Block& block) {
            atOnce(2 * tallies.size(), block.values.size(), [&](std::size_t index) {
                ChoiceTallies& own = tallies[index / 2];
                if (index % 2 == 0) {
                    own.seen.addErrors(block.values);
                    return;
                }
                forEachUnitRun(source.info, facts.unit, block,
                               [&](std::size_t unit, std::span<const float> values) {
                                   own.parts[partOf[unit]].addErrors(values);
                               });
            });
        },
        progress);
    std::vector<HeldOut> found;
    for (std::size_t choice = 0; choice < scales.size(); ++choice)
        found.push_back(heldOutOf(parts, scales[choice], tallies[choice]));
    return found;
}

}  // namespace calibscope::samples
