#include "core/collect/tensor_outcomes.h"

#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/metrics/estimate.h"
#include "core/recipes/min_max_reference.h"
#include "core/recipes/scale_rows.h"

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
                   .progress = progress}
    {}
    CalibratorRun(const CalibratorRun&) = delete;
    CalibratorRun& operator=(const CalibratorRun&) = delete;

    void fill(Outcome& outcome, const TensorProfile& profile) const
    {
        Calibrated calibrated = calibrateProfile(outcome.choice, profile, &m_values);
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

std::vector<ErrorTally> exactTallies(const std::vector<Quantizer>& quantizers,
                                     const ValueSource& source, double absMax,
                                     const Progress& progress)
{
    std::vector<ErrorTally> tallies;
    for (const Quantizer& quantizer : quantizers)
        tallies.emplace_back(quantizer, absMax);
    source.visit(
        [&](const Block& block) {
            atOnce(tallies.size(), block.values.size(), [&](std::size_t index) {
                if (index == 0)
                    tallies[index].add(block.values);
                else
                    tallies[index].addErrors(block.values);
            });
        },
        progress);
    for (ErrorTally& tally : tallies)
        tally.bins = tallies.front().bins;
    return tallies;
}

}  // namespace

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

    const bool isExact = wantsExactMetrics(options, profile.info);
    const double absMax = profile.extents().absMax();
    std::vector<ErrorTally> tallies;
    if (isExact)
        tallies = exactTallies(quantizers, source, absMax, progress);
    else
        for (const Quantizer& quantizer : quantizers)
            tallies.push_back(estimateTally(profile.sketch, quantizer, absMax));

    for (std::size_t index = 0; index < own; ++index) {
        ScaleRow& row = outcomes[index]->whole;
        row.metrics = metricValues(tallies[index]);
        row.hasExactMetrics = isExact;
        if (!isExact)
            row.notes.emplace_back(estimatedMetricsNote);
        reference.note(row, outcomes[index]->choice, tallies[index],
                       std::span(tallies).subspan(own));
    }
}

}  // namespace calibscope
