// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/tensor_outcomes.h"

#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/metrics/error_counter.h"
#include "core/recipes/min_max_reference.h"
#include "core/recipes/scale_rows.h"
#include "core/stats/lossless_sketch.h"

#include <algorithm>

namespace calibscope {

namespace {

/// Calibrates with the values at hand, from memory where they fit the budget.
class CalibratorRun
{
public:
    CalibratorRun(const CalibratorNeeds& needs, const ValueSource& source,
                  const AnalyseOptions& options, const Progress& progress)
        : m_source(needs.values ? heldIfSmall(source, options.memoryBytes, progress) : source),
          m_values{.source = m_source,
                   .memoryBytes =
                       options.memoryBytes -
                       (m_source.isInMemory ? std::min(bytesOf(source), options.memoryBytes) : 0),
                   .progress = progress},
          m_ask(options.ask)
    {}
    CalibratorRun(const CalibratorRun&) = delete;
    CalibratorRun& operator=(const CalibratorRun&) = delete;

    void fill(Outcome& outcome, const TensorProfile& profile) const
    {
        Calibrated calibrated = calibrateProfile(outcome.choice, profile, &m_values, m_ask);
        outcome.whole = std::move(calibrated.row);
        outcome.curve = std::move(calibrated.curve);
        outcome.trace = std::move(calibrated.trace);
        outcome.histogram = std::move(calibrated.histogram);
    }

private:
    static std::uint64_t bytesOf(const ValueSource& source)
    {
        return source.info.valueCount() * sizeof(float);
    }

    ValueSource m_source;
    CalibratorValues m_values;  // refers to m_source
    const AskProgram& m_ask;
};

void calibrateAll(std::span<Outcome* const> outcomes, const ValueSource& source,
                  TensorProfile& profile, const AnalyseOptions& options, const Progress& progress)
{
    const CalibratorNeeds needs = needsOf(outcomes, profile.extents());
    collectMore(profile, source, needs.histograms, needs.orders, progress);
    const CalibratorRun run(needs, source, options, progress);
    const std::uint64_t values = source.info.valueCount();
    for (Outcome* outcome : outcomes) {
        run.fill(*outcome, profile);
        progress.step(values, values, "values");  // a search takes long, too
    }
}

/// Into how many parts blocks are cut for the threads: two for each, so that one which is late keeps
/// the others waiting for less. Each part has counts of its own.
std::size_t partsOf(std::uint64_t values)
{
    constexpr std::uint64_t worthParts = std::uint64_t{1} << 16;
    constexpr std::size_t mostParts = 8;
    const std::size_t threads = threadsAtMost();
    return threads == 1 || values < worthParts ? 1 : std::min(2 * threads, mostParts);
}

std::vector<ErrorTally> exactTallies(std::span<const Quantizer> quantizers,
                                     const ValueSource& source, double absMax,
                                     const Progress& progress)
{
    std::vector<ErrorTally> tallies;
    for (const Quantizer& quantizer : quantizers)
        tallies.emplace_back(quantizer, absMax);
    const std::size_t parts = partsOf(source.info.valueCount());
    std::vector<ErrorCounter> counters;
    for (std::size_t part = 0; part < parts; ++part)
        counters.emplace_back(quantizers, absMax, source.info.valueCount() / parts);
    std::vector<std::vector<ErrorSums>> sums(parts);
    source.visit(
        [&](const Block& block) {
            const std::size_t blocks = block.values.size() / errorBlockValues + 1;
            const std::size_t share = (blocks + parts - 1) / parts * errorBlockValues;
            atOnce(parts, block.values.size(), [&](std::size_t part) {
                const std::size_t first = std::min(part * share, block.values.size());
                const std::size_t size = std::min(share, block.values.size() - first);
                sums[part] = counters[part].add(block.values.subspan(first, size));
            });
            for (const std::vector<ErrorSums>& ofPart : sums)
                for (std::size_t index = 0; index < ofPart.size(); ++index)
                    tallies[index % tallies.size()].sums += ofPart[index];
        },
        progress);
    for (ErrorCounter& counter : counters)
        counter.addCounts(tallies);
    return tallies;
}

}  // namespace

std::vector<Measured> measuredUnder(std::span<const Quantizer> quantizers,
                                    const ValueSource& source, const TensorProfile& profile,
                                    const AnalyseOptions& options, const Progress& progress)
{
    const Extents& extents = profile.extents();
    const bool isStored = static_cast<bool>(source.storedProfile);
    const bool isExact = !isStored && wantsExactMetrics(options, source.info);
    const bool keepsAll =
        isStored && options.effort != MetricEffort::Estimate && isLossless(profile.sketch);
    const SketchErrors errors(isExact ? MagnitudeSketch() : profile.sketch,
                              {extents.min, extents.max});
    std::vector<Measured> measured;
    std::vector<std::size_t> places;  // of those that need the values
    std::vector<Quantizer> read;
    for (const Quantizer& quantizer : quantizers) {
        measured.push_back({.errors = errors.under(quantizer), .isExact = keepsAll});
        const bool isWide = sqnrBarDb(measured.back().errors) > mostBarDb;
        if (isExact || (isWide && !isStored && options.effort != MetricEffort::Estimate)) {
            places.push_back(measured.size() - 1);
            read.push_back(quantizer);
        }
    }
    if (read.empty())
        return measured;
    std::vector<ErrorTally> tallies = exactTallies(read, source, extents.absMax(), progress);
    for (std::size_t index = 0; index < places.size(); ++index)
        measured[places[index]] = {.errors = {std::move(tallies[index]), {}}, .isExact = true};
    return measured;
}

void fillTensorOutcomes(std::span<Outcome* const> outcomes, const ValueSource& source,
                        TensorProfile& profile, const AnalyseOptions& options,
                        const Progress& progress)
{
    calibrateAll(outcomes, source, profile, options, progress);
    if (options.effort == MetricEffort::None)
        return;

    std::vector<Quantizer> quantizers;
    std::vector<Choice> choices;
    for (const Outcome* outcome : outcomes) {
        quantizers.push_back(outcome->whole.quantizer);
        choices.push_back(outcome->choice);
    }
    const std::size_t own = quantizers.size();
    const MinMaxReference reference(choices, profile);
    quantizers.insert(quantizers.end(), reference.quantizers().begin(),
                      reference.quantizers().end());

    const std::vector<Measured> measured =
        measuredUnder(quantizers, source, profile, options, progress);
    std::vector<ErrorTally> references;
    for (const Measured& one : std::span(measured).subspan(own))
        references.push_back(one.errors.tally);
    for (std::size_t index = 0; index < own; ++index) {
        ScaleRow& row = outcomes[index]->whole;
        if (measured[index].isExact) {
            row.metrics = metricValues(measured[index].errors.tally);
            row.hasExactMetrics = true;
        } else {
            takeEstimate(row, measured[index].errors);
        }
        reference.note(row, outcomes[index]->choice, measured[index].errors.tally, references);
    }
}

}  // namespace calibscope
