// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/unit_facts.h"

#include "core/samples/unit_runs.h"

#include <numeric>

namespace calibscope::samples {

std::uint64_t mostUnits(std::uint64_t memoryBytes)
{
    constexpr std::uint64_t share = 8;
    return memoryBytes / share / sizeof(Extents);
}

SampleUnit defaultUnit(const TensorInfo& info, std::uint64_t mostSamples)
{
    const bool hasBatches = info.batchCount() >= fewestUnitsForBand;
    const bool hasSamples = info.batchAxis && info.sampleCount() > info.batchCount() &&
                            info.sampleCount() >= fewestUnitsForBand &&
                            info.sampleCount() <= mostSamples;
    return !hasBatches && hasSamples ? SampleUnit::Sample : SampleUnit::Batch;
}

UnitFacts unitFacts(const ValueSource& source, const TensorProfile& profile, SampleUnit unit,
                    const Progress& progress)
{
    UnitFacts facts{.unit = unit, .extents = {}, .batchOf = {}};
    if (unit == SampleUnit::Batch) {
        facts.extents = profile.batches;
        facts.batchOf.resize(facts.extents.size());
        std::iota(facts.batchOf.begin(), facts.batchOf.end(), 0U);
        return facts;
    }
    facts.extents.resize(source.info.sampleCount());
    facts.batchOf.resize(source.info.sampleCount());
    source.visit(
        [&](const Block& block) {
            forEachUnitRun(source.info, unit, block, [&](std::size_t index, auto values) {
                facts.extents.at(index).add(values);
                facts.batchOf[index] = static_cast<std::uint32_t>(block.batch);
            });
        },
        progress);
    return facts;
}

}  // namespace calibscope::samples
