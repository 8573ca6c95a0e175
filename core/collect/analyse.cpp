// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"

#include "core/base/error.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/collect/propagated.h"
#include "core/collect/tensor_outcomes.h"
#include "core/metrics/common_bins.h"
#include "core/recipes/channel_choices.h"
#include "core/recipes/min_max_reference.h"
#include "core/recipes/scale_rows.h"
#include "core/tensor/channel_runs.h"

#include <algorithm>
#include <memory>
#include <span>
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
            Calibrated calibrated = calibrateProfile(m_choices[index].of(channel), profile,
                                                     &forCalibrator, m_options.ask);
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

/// Fills outcomes whose choices have a scale per channel of `source` (per row: a source that has
/// the other axis as its channels). Values are gathered channel by channel only where a
/// calibrator or the metrics need them.
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

/// The same values with the other axis of the matrix as channels.
ValueSource byRows(const ValueSource& source)
{
    if (!source.info.channelAxis || source.info.shape.size() < 2)
        throw std::invalid_argument("scales per row need a matrix with a channel axis");
    ValueSource rows = source;
    rows.info.channelAxis = *source.info.channelAxis == 0 ? 1 : 0;
    return rows;
}

/// The same values with their groups as channels: group after group, counted as in a tensor where a
/// group is one value. They are held in memory.
ValueSource byGroups(const ValueSource& source, std::uint64_t columns, const Progress& progress)
{
    const std::optional<int> axis = groupAxis(source.info, columns);
    if (!axis)
        throw std::invalid_argument("there are no whole groups of " + std::to_string(columns) +
                                    " along the axis that its layer sums over");
    const std::vector<float> values = readAll(source, progress);
    const ChannelAxis runs = groupsWithin(source.info.shape, *axis, columns);
    const auto grouped = std::make_shared<std::vector<float>>(values.size());
    for (std::size_t index = 0; index < values.size(); ++index) {
        const std::uint64_t group = index / runs.run * runs.turns + index % runs.turns;
        (*grouped)[group * columns + index % runs.run / runs.turns] = values[index];
    }
    TensorInfo info = source.info;
    info.shape = {values.size() / columns, columns};
    info.channelAxis = 0;
    info.batchAxis.reset();
    info.batchSize = 0;
    return {.info = info,
            .visit =
                [info, grouped](const BlockVisitor& visitor, const Progress& visited) {
                    sourceOf(info, *grouped).visit(visitor, visited);
                },
            .isInMemory = true};
}

TensorProfile profileByRows(const ValueSource& rows, const TensorProfile& profile,
                            const Progress& progress)
{
    TensorProfile byRow;
    byRow.info = rows.info;
    byRow.moments = profile.moments;
    byRow.channels.resize(rows.info.channelCount());
    rows.visit(
        [&](const Block& block) {
            forEachChannelRun(rows.info, block,
                              [&](std::uint64_t row, std::span<const float> values) {
                                  byRow.channels[row].add(values);
                              });
            forEachLostValue(rows.info, block, [&](std::uint64_t row, ReadingLoss loss) {
                byRow.channels[row].add(loss);
            });
        },
        progress);
    return byRow;
}

/// Outcomes to compute, each computation once, and for each choice which of them answers it.
struct Plan
{
    std::vector<Outcome> outcomes;
    std::vector<std::size_t> answer;
};

Plan planFor(std::span<const Choice> choices, const TensorInfo& info)
{
    Plan plan;
    for (const Choice& choice : choices) {
        const auto same = std::ranges::find_if(
            plan.outcomes, [&](const Outcome& o) { return o.choice.isSameComputation(choice); });
        plan.answer.push_back(static_cast<std::size_t>(same - plan.outcomes.begin()));
        if (same == plan.outcomes.end())
            plan.outcomes.push_back({.file = {},
                                     .tensor = info.name,
                                     .role = info.role,
                                     .op = info.op,
                                     .choice = choice});
    }
    return plan;
}

std::vector<Outcome*> withGranularity(std::vector<Outcome>& outcomes,
                                      const Granularity& granularity)
{
    std::vector<Outcome*> found;
    for (Outcome& outcome : outcomes)
        if (outcome.choice.granularity == granularity)
            found.push_back(&outcome);
    return found;
}

/// Runs a group of outcomes one by one if it fails together, so that one failing choice does not
/// lose the others. Programs of the user's own are run alone at once: one that fails, perhaps after
/// a minute, is not asked again.
template <typename Fill>
void fillGuarded(const std::vector<Outcome*>& outcomes, const Fill& fill)
{
    std::vector<Outcome*> alone;
    std::vector<Outcome*> together;
    for (Outcome* outcome : outcomes)
        (outcome->choice.calibrator == programId ? alone : together).push_back(outcome);
    try {
        if (!together.empty())
            fill(std::span<Outcome* const>(together));
        together.clear();
    } catch (const Error& error) {
        if (error.fault() == Fault::Input)
            throw;  // the values can't be read: no choice is to blame
    } catch (const std::invalid_argument&) {
    }
    alone.insert(alone.end(), together.begin(), together.end());
    for (Outcome* outcome : alone) {
        outcome->channels.clear();
        outcome->channelTraces.clear();
        try {
            fill(std::span<Outcome* const>(&outcome, 1));
        } catch (const std::exception& error) {
            outcome->problem = error.what();
        }
    }
}

/// Each tensor with its own range.
std::vector<Outcome> analyseOwn(const ValueSource& source, TensorProfile& profile,
                                std::span<const Choice> choices, const AnalyseOptions& options,
                                const Progress& progress)
{
    Plan plan = planFor(choices, source.info);
    fillGuarded(withGranularity(plan.outcomes, Granularity::Tensor), [&](auto outcomes) {
        fillTensorOutcomes(outcomes, source, profile, options, progress);
    });
    fillGuarded(withGranularity(plan.outcomes, Granularity::Channel), [&](auto outcomes) {
        fillChannelOutcomes(outcomes, source, profile, options, progress);
    });
    fillGuarded(withGranularity(plan.outcomes, Granularity::Row), [&](auto outcomes) {
        const ValueSource rows = byRows(source);
        fillChannelOutcomes(outcomes, rows, profileByRows(rows, profile, progress), options,
                            progress);
    });
    std::vector<Granularity> groups;
    for (const Outcome& outcome : plan.outcomes)
        if (outcome.choice.granularity.isGroup() &&
            std::ranges::find(groups, outcome.choice.granularity) == groups.end())
            groups.push_back(outcome.choice.granularity);
    for (const Granularity& group : groups)
        fillGuarded(withGranularity(plan.outcomes, group), [&](auto outcomes) {
            const ValueSource grouped = byGroups(source, group.columns, progress);
            fillChannelOutcomes(outcomes, grouped, profileByRows(grouped, profile, progress),
                                options, progress);
        });

    std::vector<Outcome> answers;
    for (std::size_t index = 0; index < choices.size(); ++index) {
        Outcome outcome = plan.outcomes[plan.answer[index]];
        outcome.choice = choices[index];
        if (!choices[index].note.empty())
            outcome.whole.notes.push_back(choices[index].note);
        answers.push_back(std::move(outcome));
    }
    return answers;
}

/// A choice that takes another tensor's range: where the outcome under that range will be, or why
/// there is none.
struct Taken
{
    std::size_t choice = 0;
    std::optional<std::size_t> given = {};
    std::string problem = {};
};

void takeRange(std::vector<Outcome>& outcomes, const Taken& taken, const Choice& choice)
{
    Outcome& own = outcomes[taken.choice];
    if (taken.given)
        own = propagatedOutcome(outcomes[*taken.given], own, choice);
    else
        own.whole.notes.push_back(noRangeNote(choice));
    own.choice = choice;
    if (own.problem.empty())
        own.problem = taken.problem;
}

}  // namespace

bool wantsExactMetrics(const AnalyseOptions& options, const TensorInfo& tensor)
{
    switch (options.effort) {
    case MetricEffort::None:
    case MetricEffort::Estimate:
    case MetricEffort::Bounded: return false;
    case MetricEffort::Budget: return tensor.valueCount() <= options.memoryBytes / sizeof(float);
    case MetricEffort::Exact: return true;
    }
    return false;
}

std::vector<Outcome> analyse(const ValueSource& source, TensorProfile& profile,
                             std::span<const Choice> choices, const AnalyseOptions& options,
                             const Progress& progress)
{
    std::vector<Choice> all(choices.begin(), choices.end());
    std::vector<Taken> takers;
    for (std::size_t index = 0; index < choices.size(); ++index) {
        if (choices[index].rangeFrom.empty())
            continue;
        all[index].rangeFrom.clear();
        Taken taken{.choice = index};
        try {
            if (const auto range = largestRange(choices[index].rangeFrom, options, progress)) {
                taken.given = all.size();
                all.push_back(withRange(choices[index], *range));
            }
        } catch (const std::exception& error) {
            taken.problem = error.what();
        }
        takers.push_back(std::move(taken));
    }
    std::vector<Outcome> outcomes = analyseOwn(source, profile, all, options, progress);
    for (const Taken& taken : takers)
        takeRange(outcomes, taken, choices[taken.choice]);
    outcomes.resize(choices.size());
    for (Outcome& outcome : outcomes)
        noteCircumstances(outcome, profile);
    return outcomes;
}

}  // namespace calibscope
