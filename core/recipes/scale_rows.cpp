// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/scale_rows.h"

#include "core/base/find_by_id.h"
#include "core/base/number_text.h"
#include "core/recipes/make_choice.h"
#include "core/stats/growth_rule.h"
#include "core/stats/suspicions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace calibscope {

namespace {

/// What is unusual about a quantizer on data of these extents, whichever calibrator chose its range.
std::vector<std::string> notesOfRange(const Scheme& scheme, const Calibration& calibration,
                                      const Quantizer& quantizer, const Extents& extents)
{
    std::vector<std::string> notes;
    const Range& clip = quantizer.clip;
    const bool isChosen = calibration.clip.threshold || calibration.clip.range;
    if (isChosen && clip.width() == 0.0 && extents.absMax() > 0.0)
        notes.push_back("the clip range is empty: scale " + numberText(quantizer.scale) +
                        " is used");
    if (scheme.isUnsigned() && extents.min < 0.0)
        notes.emplace_back("values below 0 become 0: divisor=2^b-1 has no level for them");
    return notes;
}

/// Without that value the clip range would end at half of where it ends, or nearer.
bool hasOneValueDecided(const Quantizer& quantizer, const Extents& extents)
{
    const double farther = std::max(quantizer.clip.high, 0.0 - quantizer.clip.low);
    return extents.hasLoneMaximum() && farther > 0.0 && farther >= 2.0 * extents.absSecond;
}

bool seesOrder(const Choice& choice, const Extents& extents)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    return algorithm.seesOrder ||
           std::ranges::any_of(needsOf(choice, extents).histograms, [](const HistogramSpec& spec) {
               return growthRule(spec.growth).seesOrder;
           });
}

/// Batches that all reach as far leave the order nothing to decide.
std::vector<std::string> orderNotes(const Outcome& outcome, std::span<const Extents> batches)
{
    const Extents* first = nullptr;
    std::uint64_t seen = 0;
    bool differ = false;
    for (const Extents& batch : batches) {
        if (batch.finite == 0)
            continue;
        ++seen;
        if (first == nullptr)
            first = &batch;
        differ = differ || batch.min != first->min || batch.max != first->max;
    }
    if (!differ || !seesOrder(outcome.choice, outcome.whole.extents))
        return {};
    return {"depends on the order of the " + countText(seen, "batch", "batches")};
}

void addOnce(std::vector<std::string>& notes, std::vector<std::string> more)
{
    for (std::string& note : more)
        if (std::ranges::find(notes, note) == notes.end())
            notes.push_back(std::move(note));
}

}  // namespace

Calibrated calibrateProfile(const Choice& choice, const TensorProfile& profile,
                            const CalibratorValues* values, const AskProgram& ask)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    checkScheme(algorithm, choice.scheme);
    const Scheme scheme = schemeFor(choice.scheme, {profile.extents().min, profile.extents().max});
    const CalibratorInput input{.settings = choice.settings,
                                .scheme = scheme,
                                .values = values,
                                .isChannel = choice.granularity != Granularity::Tensor};
    Calibration calibration = algorithm.id == programId ? calibrateByProgram(input, profile, ask)
                                                        : algorithm.calibrate(input, profile);
    QuantizerChoice quantized = makeQuantizer(scheme, calibration.clip);
    ScaleRow row{.clip = calibration.clip,
                 .quantizer = quantized.quantizer,
                 .extents = profile.extents(),
                 .metrics = {},
                 .notes = std::move(calibration.notes),
                 .isExact = calibration.isExact,
                 .hasExactMetrics = false};
    addOnce(row.notes, std::move(quantized.notes));
    addOnce(row.notes, notesOfRange(scheme, calibration, row.quantizer, row.extents));
    if (!algorithm.isGivenByHand && hasOneValueDecided(row.quantizer, row.extents))
        row.notes.emplace_back("one value decides: no other has more than half its magnitude");
    return {.row = std::move(row),
            .curve = std::move(calibration.curve),
            .trace = std::move(calibration.trace),
            .histogram = std::move(calibration.histogram)};
}

void noteCircumstances(Outcome& outcome, const TensorProfile& profile)
{
    if (!outcome.problem.empty())
        return;
    const auto noteLoss = [](ScaleRow& row) {
        for (std::string& note : lossNotes(row.extents))
            row.notes.push_back(std::move(note));
    };
    noteLoss(outcome.whole);
    for (ScaleRow& row : outcome.channels)
        noteLoss(row);
    if (outcome.choice.calibrator == programId)
        outcome.whole.notes.push_back("not one of Calibscope's calibrators: your own program " +
                                      programName(outcome.choice.settings));
    for (std::string& note : idleSettings(outcome.choice))
        outcome.whole.notes.push_back(std::move(note));
    if (profile.info.mask)
        addOnce(outcome.whole.notes, {maskText(profile.info)});
    addOnce(outcome.whole.notes, profile.info.doubts);
    addOnce(outcome.whole.notes, suspicions(profile));
    addOnce(outcome.whole.notes, orderNotes(outcome, profile.batches));
}

CalibratorNeeds needsOf(const Choice& choice, const Extents& extents)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    if (!algorithm.needs)
        return {};
    return algorithm.needs({.settings = choice.settings, .scheme = choice.scheme}, extents);
}

CalibratorNeeds needsOf(std::span<Outcome* const> outcomes, const Extents& extents)
{
    CalibratorNeeds all;
    for (const Outcome* outcome : outcomes) {
        const CalibratorNeeds own = needsOf(outcome->choice, extents);
        all.histograms.insert(all.histograms.end(), own.histograms.begin(), own.histograms.end());
        all.orders.insert(all.orders.end(), own.orders.begin(), own.orders.end());
        all.values = all.values || own.values;
    }
    return all;
}

TensorProfile profileOf(const TensorInfo& info, const Extents& extents)
{
    TensorProfile profile;
    profile.info = info;
    profile.moments.extents = extents;
    return profile;
}

MetricValues metricValues(const ErrorSummary& errors)
{
    MetricValues values;
    for (const Metric& metric : metrics())
        if (const std::optional<double> value = metric.evaluate(errors))
            values.emplace_back(metric.id, *value);
    return values;
}

MetricBounds metricBounds(const ErrorBounds& bounds)
{
    MetricBounds made;
    for (const Metric& metric : metrics())
        if (const auto range = metric.bound ? metric.bound(bounds) : std::nullopt) {
            made.least.emplace_back(metric.id, range->low);
            made.most.emplace_back(metric.id, range->high);
        }
    return made;
}

double sqnrBarDb(const ErrorEstimate& estimate)
{
    const Metric& sqnr = findById(metrics(), "sqnr_db", "metric");
    ErrorSummary sums;  // the metric needs no more of it
    sums.sums = estimate.tally.sums;
    const std::optional<double> value = sqnr.evaluate(sums);
    const std::optional<Range> bound = sqnr.bound(estimate.bounds);
    return value && bound ? barOf(*value, *bound) : 0.0;
}

std::string barText(double bar)
{
    constexpr double rounding = 1e-6;
    return bar < rounding ? "0" : numberText(std::ceil(100.0 * bar) / 100.0);
}

void takeEstimate(ScaleRow& row, const ErrorEstimate& estimate)
{
    row.metrics = metricValues(estimate.tally);
    row.bounds = metricBounds(estimate.bounds);
    row.hasExactMetrics = false;
    const std::optional<double> bar = row.bar("sqnr_db");
    row.notes.push_back("metrics estimated" +
                        (bar ? ", SQNR +- " + barText(*bar) + " dB" : std::string()));
}

ScaleRow widestOf(const std::vector<ScaleRow>& channels)
{
    const auto widest = std::ranges::max_element(
        channels, {}, [](const ScaleRow& row) { return row.quantizer.clip.width(); });
    ScaleRow whole = *widest;
    whole.notes.clear();
    std::vector<std::pair<std::string, std::size_t>> counted;  // in order of first appearance
    for (const ScaleRow& row : channels) {
        whole.isExact = whole.isExact && row.isExact;
        for (const std::string& note : row.notes) {
            auto found = std::ranges::find(counted, note, &decltype(counted)::value_type::first);
            if (found == counted.end())
                found = counted.insert(counted.end(), {note, 0});
            ++found->second;
        }
    }
    for (const auto& [note, count] : counted)
        whole.notes.push_back(note + " (" + std::to_string(count) + " of " +
                              countText(channels.size(), "channel", "channels") + ")");
    return whole;
}

}  // namespace calibscope
