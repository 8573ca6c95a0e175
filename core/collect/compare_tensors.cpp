#include "core/collect/compare_tensors.h"

#include "core/collect/channel_values.h"
#include "core/metrics/estimate.h"
#include "core/recipes/scale_rows.h"

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
    if (!a.isPerChannel())
        return {};
    if (a.choice.granularity == Granularity::Row)
        return "scales per row are not applied to another recording";
    if (a.channels.size() != infoOfB.channelCount())
        return "the scales are for " + std::to_string(a.channels.size()) +
               " channels, the other recording has " + std::to_string(infoOfB.channelCount());
    return {};
}

TransferredScales transferredFrom(const ErrorSummary& errors, bool isExact)
{
    return {.metrics = metricValues(errors), .isExact = isExact};
}

using Comparisons = std::vector<ChoiceComparison*>;

/// Applies one scale of A for all values of B in each comparison.
void transferWhole(const Comparisons& comparisons, const Recording& b, bool isExact,
                   const Progress& progress)
{
    const double absMax = b.profile.extents().absMax();
    std::vector<ErrorTally> tallies;
    for (const ChoiceComparison* comparison : comparisons) {
        const Quantizer& quantizer = comparison->a.whole.quantizer;
        tallies.push_back(isExact ? ErrorTally(quantizer, absMax)
                                  : estimateTally(b.profile.sketch, quantizer, absMax));
    }
    if (isExact)
        b.source.visit(
            [&](const Block& block) {
                for (ErrorTally& tally : tallies)
                    tally.add(block.values);
            },
            progress);
    for (std::size_t index = 0; index < comparisons.size(); ++index)
        comparisons[index]->transferred = transferredFrom(tallies[index], isExact);
}

/// Applies A's scales of each channel to the same channel of B.
void transferChannels(const Comparisons& comparisons, const Recording& b,
                      const AnalyseOptions& options, const Progress& progress)
{
    const double absMax = b.profile.extents().absMax();
    std::vector<ErrorSummary> totals(comparisons.size());
    visitChannels(
        b.source, options.memoryBytes / 2,
        [&](std::uint64_t channel, const ValueSource& values) {
            for (std::size_t index = 0; index < comparisons.size(); ++index) {
                ErrorTally tally(comparisons[index]->a.channels.at(channel).quantizer, absMax);
                values.visit([&](const Block& block) { tally.add(block.values); }, {});
                totals[index] += tally;
            }
        },
        progress);
    for (std::size_t index = 0; index < comparisons.size(); ++index)
        comparisons[index]->transferred = transferredFrom(totals[index], true);
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
        transferWhole(whole, b, isExact, progress);
    if (!byChannel.empty())
        transferChannels(byChannel, b, options, progress);
}

}  // namespace

TensorComparison compareTensors(const Recording& a, const Recording& b,
                                std::span<const Choice> choices, const AnalyseOptions& options,
                                const Progress& progress)
{
    TensorComparison comparison{.drift = driftBetween(a.profile, b.profile), .choices = {}};
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
