// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/compare_tensors.h"

#include "core/collect/channel_values.h"
#include "core/collect/tensor_outcomes.h"
#include "core/metrics/common_bins.h"
#include "core/recipes/scale_rows.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Why A's scales can't be applied to B; empty: they can.
std::string whyNotApplicable(const Outcome& a, const Outcome& b, const TensorInfo& infoOfB)
{
    if (!a.problem.empty())
        return a.problem;
    if (!b.problem.empty())
        return b.problem;
    if (hasPlaceholderScale(a))
        return "the first recording has no scale: the threshold is 0";
    if (!a.isPerChannel())
        return {};
    if (a.choice.granularity != Granularity::Channel)
        return "scales per row or group are not applied to another recording";
    if (a.channels.size() != infoOfB.channelCount())
        return "the scales are for " + std::to_string(a.channels.size()) +
               " channels, the other recording has " + std::to_string(infoOfB.channelCount());
    return {};
}

using Comparisons = std::vector<ChoiceComparison*>;

/// Applies one scale of A for all values of B in each comparison.
void transferWhole(const Comparisons& comparisons, const Recording& b,
                   const AnalyseOptions& options, const Progress& progress)
{
    std::vector<Quantizer> quantizers;
    for (const ChoiceComparison* comparison : comparisons)
        quantizers.push_back(comparison->a.whole.quantizer);
    const std::vector<Measured> measured =
        measuredUnder(quantizers, b.source, b.profile, options, progress);
    for (std::size_t index = 0; index < comparisons.size(); ++index) {
        const auto& [errors, isExact] = measured[index];
        comparisons[index]->transferred = {.metrics = metricValues(errors.tally),
                                           .bounds = isExact ? MetricBounds()
                                                             : metricBounds(errors.bounds),
                                           .isExact = isExact};
    }
}

/// Applies A's scales of each channel to the same channel of B.
void transferChannels(const Comparisons& comparisons, const Recording& b,
                      const AnalyseOptions& options, const Progress& progress)
{
    const double absMax = b.profile.extents().absMax();
    std::vector<ChannelSummary> totals(comparisons.size());
    std::vector<std::uint64_t> recorded(commonBins);
    visitChannels(
        b.source, options.memoryBytes / 2,
        [&](std::uint64_t channel, const ValueSource& values) {
            values.visit(
                [&](const Block& block) { countInCommonBins(block.values, absMax, recorded); }, {});
            for (std::size_t index = 0; index < comparisons.size(); ++index) {
                ErrorTally tally(comparisons[index]->a.channels.at(channel).quantizer, absMax);
                values.visit([&](const Block& block) { tally.addErrors(block.values); }, {});
                totals[index].add(tally);
            }
        },
        progress);
    for (std::size_t index = 0; index < comparisons.size(); ++index)
        comparisons[index]->transferred = {
            .metrics = metricValues(totals[index].total(recorded)), .bounds = {}, .isExact = true};
}

void transfer(TensorComparison& comparison, const Recording& b, const AnalyseOptions& options,
              const Progress& progress)
{
    const bool isExact = wantsExactMetrics(options, b.source.info);
    Comparisons whole;
    Comparisons byChannel;
    for (ChoiceComparison& choice : comparison.choices) {
        choice.whyNotTransferred = whyNotApplicable(choice.a, choice.b, b.source.info);
        if (choice.whyNotTransferred.empty() && choice.a.isPerChannel() && !isExact)
            choice.whyNotTransferred = "scales per channel are applied to exact values only";
        if (choice.whyNotTransferred.empty())
            (choice.a.isPerChannel() ? byChannel : whole).push_back(&choice);
    }
    if (!whole.empty())
        transferWhole(whole, b, options, progress);
    if (!byChannel.empty())
        transferChannels(byChannel, b, options, progress);
}

}  // namespace

namespace {

/// The bar of an estimated divergence, as a share of it, for which no pass over the values is made.
constexpr double mostDivergenceBar = 0.01;

std::vector<std::uint64_t> commonCounts(const ValueSource& source, double absMax,
                                        const Progress& progress)
{
    std::vector<std::uint64_t> counts(commonBins);
    source.visit([&](const Block& block) { countInCommonBins(block.values, absMax, counts); },
                 progress);
    return counts;
}

std::optional<Drift> measuredDrift(const Recording& a, const Recording& b, MetricEffort effort,
                                   const Progress& progress)
{
    std::optional<Drift> drift = driftBetween(a.profile, b.profile);
    const bool isAsked = effort != MetricEffort::None && effort != MetricEffort::Estimate;
    if (!drift || !isAsked || drift->hasExactKl())
        return drift;
    const double bar = barOf(drift->klDivergence, drift->klBound);
    if (effort != MetricEffort::Exact && bar <= mostDivergenceBar * drift->klDivergence)
        return drift;
    const double absMax = std::max(a.profile.extents().absMax(), b.profile.extents().absMax());
    drift->takeExactKl(commonCounts(a.source, absMax, progress),
                       commonCounts(b.source, absMax, progress));
    return drift;
}

}  // namespace

TensorComparison compareTensors(const Recording& a, const Recording& b,
                                std::span<const Choice> choices, const AnalyseOptions& options,
                                const Progress& progress)
{
    TensorComparison comparison{.drift = measuredDrift(a, b, options.effort, progress),
                                .choices = {}};
    const auto outcomesOf = [&](const Recording& recording) {
        AnalyseOptions own = options;
        own.otherTensor = recording.otherTensor;
        return analyse(recording.source, recording.profile, choices, own, progress);
    };
    std::vector<Outcome> outcomesA = outcomesOf(a);
    std::vector<Outcome> outcomesB = outcomesOf(b);
    for (std::size_t index = 0; index < choices.size(); ++index)
        comparison.choices.push_back(
            {.a = std::move(outcomesA[index]), .b = std::move(outcomesB[index])});

    if (options.effort != MetricEffort::None)
        transfer(comparison, b, options, progress);
    return comparison;
}

}  // namespace calibscope
