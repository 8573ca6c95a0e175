// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/channel_outcomes.h"

#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/metrics/common_bins.h"
#include "core/recipes/channel_choices.h"
#include "core/recipes/min_max_reference.h"
#include "core/recipes/scale_rows.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

bool isNothing(const CalibratorNeeds& needs)
{
    return needs.histograms.empty() && needs.orders.empty() && !needs.values;
}

TensorProfile profileFor(std::span<Outcome* const> outcomes, const ValueSource& channel,
                         const Extents& extents)
{
    const CalibratorNeeds needs = needsOf(outcomes, extents);
    if (needs.histograms.empty() && needs.orders.empty())
        return profileOf(channel.info, extents);
    TensorProfile profile = collectProfile(channel);
    profile.moments.extents = extents;  // they tell what reading has lost, gathered values do not
    collectMore(profile, channel, needs.histograms, needs.orders);
    return profile;
}

ErrorTally tallyOf(const ValueSource& values, const Quantizer& quantizer, double absMax)
{
    ErrorTally tally(quantizer, absMax);
    values.visit([&](const Block& block) { tally.add(block.values); }, {});
    return tally;
}

/// Without the common histogram.
ErrorTally errorsOf(const ValueSource& values, const Quantizer& quantizer, double absMax)
{
    ErrorTally tally(quantizer, absMax);
    values.visit([&](const Block& block) { tally.addErrors(block.values); }, {});
    return tally;
}

/// Outcomes of one tensor, filled channel by channel.
class ChannelFiller
{
public:
    ChannelFiller(std::span<Outcome* const> outcomes, const TensorProfile& profile,
                  const AnalyseOptions& options, bool measures, const Progress& progress)
        : m_outcomes(outcomes),
          m_profile(profile),
          m_options(options),
          m_progress(progress.silent()),
          m_measures(measures),
          m_totals(outcomes.size())
    {
        for (const Outcome* outcome : outcomes)
            m_choices.emplace_back(outcome->choice, profile.channels.size());
    }

    void fillFromExtents()
    {
        for (std::size_t channel = 0; channel < m_profile.channels.size(); ++channel)
            for (std::size_t index = 0; index < m_outcomes.size(); ++index)
                m_outcomes[index]->channels.push_back(
                    calibrateProfile(m_choices[index].of(channel),
                                     profileOf(m_profile.info, m_profile.channels[channel]))
                        .row);
    }

    void fillChannel(std::uint64_t channel, const ValueSource& values)
    {
        const TensorProfile profile =
            profileFor(m_outcomes, values, m_profile.channels.at(channel));
        const CalibratorValues forCalibrator{
            .source = values, .memoryBytes = m_options.memoryBytes / 2, .progress = m_progress};
        if (m_measures)
            values.visit(
                [&](const Block& block) {
                    countInCommonBins(block.values, m_profile.extents().absMax(), m_recorded);
                },
                {});
        for (std::size_t index = 0; index < m_outcomes.size(); ++index) {
            Calibrated calibrated =
                calibrateProfile(m_choices[index].of(channel), profile, &forCalibrator);
            m_outcomes[index]->histogram = std::move(calibrated.histogram);
            if (m_options.channelTraces)
                m_outcomes[index]->channelTraces.push_back(std::move(calibrated.trace));
            if (m_measures)
                measure(index, calibrated.row, profile, values);
            m_outcomes[index]->channels.push_back(std::move(calibrated.row));
        }
    }

    void finish()
    {
        for (std::size_t index = 0; index < m_outcomes.size(); ++index) {
            Outcome& outcome = *m_outcomes[index];
            outcome.whole = widestOf(outcome.channels);
            outcome.whole.extents = m_profile.extents();
            outcome.whole.metrics =
                m_measures ? metricValues(m_totals[index].total(m_recorded)) : MetricValues{};
            outcome.whole.hasExactMetrics = m_measures;
        }
    }

    [[nodiscard]] bool measures() const { return m_measures; }

private:
    void measure(std::size_t index, ScaleRow& row, const TensorProfile& profile,
                 const ValueSource& values)
    {
        const double absMax = m_profile.extents().absMax();
        const ErrorTally own = errorsOf(values, row.quantizer, absMax);
        m_totals[index].add(own);
        const Choice& choice = m_outcomes[index]->choice;
        const MinMaxReference reference(std::span(&choice, 1), profile);
        std::vector<ErrorTally> tallies;
        for (const Quantizer& quantizer : reference.quantizers())
            tallies.push_back(errorsOf(values, quantizer, absMax));
        reference.note(row, choice, own, tallies);
        if (m_options.channelMetrics) {
            row.metrics = metricValues(tallyOf(values, row.quantizer, row.extents.absMax()));
            row.hasExactMetrics = true;
        }
    }

    std::span<Outcome* const> m_outcomes;
    const TensorProfile& m_profile;
    const AnalyseOptions& m_options;
    Progress m_progress;
    bool m_measures;
    std::vector<ChannelSummary> m_totals;
    std::vector<std::uint64_t> m_recorded = std::vector<std::uint64_t>(commonBins);
    std::vector<ChannelChoices> m_choices;  ///< of the outcomes
};

}  // namespace

void fillChannelOutcomes(std::span<Outcome* const> outcomes, const ValueSource& source,
                         const TensorProfile& profile, const AnalyseOptions& options,
                         const Progress& progress)
{
    if (profile.channels.empty())
        throw std::invalid_argument("scales per channel need a channel axis");
    const bool measures = !source.storedProfile && wantsExactMetrics(options, profile.info);
    ChannelFiller filler(outcomes, profile, options, measures, progress);
    const bool gathers = filler.measures() || !isNothing(needsOf(outcomes, profile.extents()));
    if (gathers)
        visitChannels(
            source, options.memoryBytes / 2,
            [&](std::uint64_t channel, const ValueSource& values) {
                filler.fillChannel(channel, values);
            },
            progress);
    else
        filler.fillFromExtents();
    filler.finish();
}

}  // namespace calibscope
