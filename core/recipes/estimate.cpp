// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/estimate.h"

#include "core/metrics/estimate.h"
#include "core/recipes/channel_choices.h"
#include "core/recipes/min_max_reference.h"
#include "core/recipes/scale_rows.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

bool isNothing(const CalibratorNeeds& needs)
{
    return needs.histograms.empty() && needs.orders.empty() && !needs.values;
}

std::string lackOf(const TensorProfile& profile, const CalibratorNeeds& needs)
{
    if (needs.values)
        return "it needs the values";
    for (const HistogramSpec& spec : needs.histograms)
        if (profile.histogram(spec) == nullptr)
            return "it needs a histogram of " + histogramText(spec);
    const auto isKnown = [&](const OrderRequest& order) {
        return profile.order(order).has_value();
    };
    if (!std::ranges::all_of(needs.orders, isKnown))
        return "it needs an exact order statistic";
    if (profile.sketch.count() != profile.extents().finite)
        return "it needs the sketch";
    return {};
}

std::string lackOfChannels(const TensorProfile& profile, const CalibratorNeeds& needs)
{
    if (profile.channels.empty())
        return "scales per channel need a channel axis";
    return isNothing(needs) ? std::string() : "it needs the values of each channel";
}

void fillWhole(Outcome& outcome, const TensorProfile& profile)
{
    Calibrated calibrated = calibrateProfile(outcome.choice, profile);
    outcome.whole = std::move(calibrated.row);
    outcome.curve = std::move(calibrated.curve);
    outcome.trace = std::move(calibrated.trace);
    outcome.histogram = std::move(calibrated.histogram);

    const SketchErrors errors(profile.sketch, {profile.extents().min, profile.extents().max});
    const ErrorEstimate own = errors.under(outcome.whole.quantizer);
    takeEstimate(outcome.whole, own);
    const MinMaxReference reference(std::span(&outcome.choice, 1), profile);
    std::vector<ErrorTally> tallies;
    for (const Quantizer& quantizer : reference.quantizers())
        tallies.push_back(errors.under(quantizer).tally);
    reference.note(outcome.whole, outcome.choice, own.tally, tallies);
}

void fillChannels(Outcome& outcome, const TensorProfile& profile)
{
    ChannelChoices choices(outcome.choice, profile.channels.size());
    for (std::size_t channel = 0; channel < profile.channels.size(); ++channel)
        outcome.channels.push_back(
            calibrateProfile(choices.of(channel),
                             profileOf(profile.info, profile.channels[channel]))
                .row);
    outcome.whole = widestOf(outcome.channels);
    outcome.whole.extents = profile.extents();
}

}  // namespace

std::string whyNoEstimate(const TensorProfile& profile, const Choice& choice)
{
    if (!choice.rangeFrom.empty())
        return "it takes the range of other tensors";
    try {
        checkScheme(calibrator(choice.calibrator), choice.scheme);
        const CalibratorNeeds needs = needsOf(choice, profile.extents());
        if (choice.granularity == Granularity::Tensor)
            return lackOf(profile, needs);
        if (choice.granularity == Granularity::Channel)
            return lackOfChannels(profile, needs);
        return "scales of rows and groups need the values";
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

bool canEstimate(const TensorProfile& profile, const Choice& choice)
{
    return whyNoEstimate(profile, choice).empty();
}

Outcome estimateOutcome(const TensorProfile& profile, const Choice& choice)
{
    Outcome outcome{.file = {},
                    .tensor = profile.info.name,
                    .role = profile.info.role,
                    .op = profile.info.op,
                    .choice = choice,
                    .problem = whyNoEstimate(profile, choice)};
    if (!outcome.problem.empty())
        return outcome;
    try {
        if (choice.granularity == Granularity::Tensor)
            fillWhole(outcome, profile);
        else
            fillChannels(outcome, profile);
        if (!choice.note.empty())
            outcome.whole.notes.push_back(choice.note);
        noteCircumstances(outcome, profile);
    } catch (const std::exception& error) {
        outcome.channels.clear();
        outcome.problem = error.what();
    }
    return outcome;
}

}  // namespace calibscope
