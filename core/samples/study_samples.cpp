// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/study_samples.h"

#include "core/base/number_text.h"
#include "core/calibrators/calibrator.h"
#include "core/collect/tensor_outcomes.h"
#include "core/metrics/sketched_ratio.h"
#include "core/recipes/scale_rows.h"
#include "core/samples/arranged_calibration.h"
#include "core/samples/arrangement.h"
#include "core/samples/held_out.h"
#include "core/samples/resampled_band.h"
#include "core/samples/unit_facts.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace calibscope::samples {

namespace {

/// Why a choice can't be studied on a tensor; empty: it can.
std::string whyNotStudied(const Choice& choice, const TensorInfo& info, const UnitFacts& facts)
{
    if (facts.count() == 0)
        return unitCountText(facts.unit == SampleUnit::Batch ? info.batchCount()
                                                             : info.sampleCount(),
                             facts.unit) +
               " are too many to be drawn one by one";
    if (facts.count() < 2)
        return info.role == Role::Weight ? "a weight has no samples"
                                         : "it is one " + std::string(sampleUnitText(facts.unit)) +
                                               ": there is nothing to draw from";
    const auto empty = std::ranges::find(facts.extents, 0U, &Extents::finite);
    if (info.mask && empty != facts.extents.end())
        return std::string(sampleUnitText(facts.unit)) + " " +
               std::to_string(empty - facts.extents.begin()) +
               " has no position that counts: what can't be drawn is to be left out of the "
               "recording";
    return whyNotArranged(choice);
}

bool canSeeOrder(const Choice& choice, const Extents& extents)
{
    return calibrator(choice.calibrator).seesOrder ||
           std::ranges::any_of(needsOf(choice, extents).histograms, [](const HistogramSpec& spec) {
               return growthRule(spec.growth).seesOrder;
           });
}

/// Which arrangements are what: first those of the curve, then parts, orders and draws.
struct Schedule
{
    std::vector<std::size_t> points;  ///< of the curve, in units
    std::vector<UnitPart> parts;      ///< held out
    std::size_t orders = 0;
    std::vector<UnitPart> runs;      ///< whose own thresholds are found
    std::vector<std::size_t> drawn;  ///< numbers of units that are drawn, ascending
    std::size_t draws = 0;           ///< of each of these

    [[nodiscard]] std::size_t firstPart() const { return points.size(); }
    [[nodiscard]] std::size_t firstOrder() const { return firstPart() + parts.size(); }
    [[nodiscard]] std::size_t firstRun() const { return firstOrder() + orders; }
    [[nodiscard]] std::size_t firstDraw() const { return firstRun() + runs.size(); }
    [[nodiscard]] std::size_t count() const { return firstDraw() + drawn.size() * draws; }

    [[nodiscard]] Arrangement arranged(std::size_t index, const UnitFacts& facts,
                                       std::uint64_t seed) const
    {
        if (index < firstPart())
            return unitsFrom(facts.batchOf, 0, points[index]);
        if (index < firstOrder()) {
            const UnitPart& part = parts[index - firstPart()];
            return withoutUnits(facts.batchOf, part.first, part.count);
        }
        if (index < firstRun())
            return shuffledBatches(facts.batchOf, seed, index - firstOrder());
        if (index < firstDraw()) {
            const UnitPart& run = runs[index - firstRun()];
            return unitsFrom(facts.batchOf, run.first, run.count);
        }
        const std::size_t draw = index - firstDraw();
        return drawnUnits(facts.batchOf, drawn[draw / draws], seed, draw % draws);
    }
};

/// `draws`: the most that any choice asks for.
Schedule scheduleFor(const UnitFacts& facts, const StudyOptions& options, std::size_t draws)
{
    Schedule schedule;
    const std::size_t units = facts.count();
    if (draws > 0 && units >= fewestUnitsForBand) {
        schedule.drawn = options.withCurveBands ? bandPoints(units) : std::vector{units};
        schedule.draws = draws;
        schedule.runs = heldOutParts(units, mostRuns);
    }
    schedule.points = curvePoints(units, schedule.drawn);
    if (options.parts > 0)
        schedule.parts = heldOutParts(units, static_cast<std::size_t>(options.parts));
    if (facts.batchOf.back() != facts.batchOf.front())
        schedule.orders = static_cast<std::size_t>(options.orders);
    return schedule;
}

/// Whether fewer units than fewestUnitsBeyond reach an end of the clip range that makes up a
/// noticeable part of it.
bool isOpen(const Quantizer& quantizer, bool isAffine, double threshold,
            std::span<const Extents> units)
{
    const auto reaching = [&](auto reaches) {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            units, [&](const Extents& unit) { return unit.finite > 0 && reaches(unit); }));
    };
    if (!isAffine)
        return reaching([&](const Extents& unit) { return unit.absMax() >= threshold; }) <
               fewestUnitsBeyond;
    const Range& clip = quantizer.clip;
    const double noticeable = nearShare * clip.width();
    return (clip.high > noticeable && reaching([&](const Extents& unit) {
                                          return unit.max >= clip.high;
                                      }) < fewestUnitsBeyond) ||
           (0.0 - clip.low > noticeable && reaching([&](const Extents& unit) {
                                               return unit.min <= clip.low;
                                           }) < fewestUnitsBeyond);
}

/// All that decides a quantizer's errors.
using QuantizerKey = std::tuple<double, double, double, double, int, int>;
QuantizerKey keyOf(const Quantizer& quantizer)
{
    return {quantizer.scale,     quantizer.zeroPoint, quantizer.clip.low,
            quantizer.clip.high, quantizer.lowLevel,  quantizer.highLevel};
}

/// Ratios of all values under quantizers of one scheme, each computed once.
class Ratios
{
public:
    explicit Ratios(const SketchedRatio& sketch) : m_sketch(sketch) {}

    [[nodiscard]] std::optional<double> of(const Quantizer& quantizer)
    {
        const auto [known, isNew] = m_known.try_emplace(keyOf(quantizer));
        if (isNew)
            known->second = m_sketch.sqnrDb(quantizer);
        return known->second;
    }

private:
    const SketchedRatio& m_sketch;
    std::map<QuantizerKey, std::optional<double>> m_known;
};

/// A band of ratios that holds those of the threshold's band, too. `whole`: of the threshold.
Range withEnds(Range ratioBand, const SampleBand& band, double threshold, const Quantizer& whole,
               Ratios& ratios)
{
    if (!(threshold > 0.0))
        return ratioBand;
    for (const double end : {band.low, band.high.value_or(band.low)}) {
        Quantizer stretched = whole;
        stretched.scale *= end / threshold;
        stretched.clip.low *= end / threshold;
        stretched.clip.high *= end / threshold;
        if (!(stretched.scale > 0.0))
            continue;
        if (const auto ratio = ratios.of(stretched))
            ratioBand = {std::min(ratioBand.low, *ratio), std::max(ratioBand.high, *ratio)};
    }
    return ratioBand;
}

class SampleStudies
{
public:
    SampleStudies(const ValueSource& source, const TensorProfile& profile,
                  std::span<const Choice> choices, const StudyOptions& options,
                  const Progress& progress)
        : m_source(source),
          m_profile(profile),
          m_choices(choices),
          m_options(options),
          m_progress(progress),
          m_most(mostUnits(options.memoryBytes)),
          m_facts(factsOf())
    {}

    std::vector<SampleStudy> run()
    {
        for (const Choice& choice : m_choices)
            m_studies.push_back(begun(choice));
        if (std::ranges::all_of(m_studies, hasProblem))
            return std::move(m_studies);
        plan();
        calibrate();
        measure();
        for (std::size_t choice = 0; choice < m_studies.size(); ++choice)
            if (m_studies[choice].problem.empty())
                finish(choice);
        holdOut();
        return std::move(m_studies);
    }

private:
    /// Of a tensor with too many units: none.
    [[nodiscard]] UnitFacts factsOf() const
    {
        const TensorInfo& info = m_source.info;
        const SampleUnit unit = m_options.unit.value_or(defaultUnit(info, m_most));
        const std::uint64_t count =
            unit == SampleUnit::Batch ? info.batchCount() : info.sampleCount();
        if (count > m_most)
            return {.unit = unit, .extents = {}, .batchOf = {}};
        return unitFacts(m_source, m_profile, unit, m_progress);
    }
    static bool hasProblem(const SampleStudy& study) { return !study.problem.empty(); }

    [[nodiscard]] SampleStudy begun(const Choice& choice) const
    {
        const TensorInfo& info = m_source.info;
        SampleStudy study{.file = {},
                          .tensor = info.name,
                          .role = info.role,
                          .op = info.op,
                          .choice = choice,
                          .unit = m_facts.unit,
                          .units = m_facts.count(),
                          .batches = info.batchCount(),
                          .samples = info.sampleCount(),
                          .seed = m_options.seed,
                          .whyNoBand = {},
                          .curve = {},
                          .notes = {},
                          .problem = whyNotStudied(choice, info, m_facts)};
        if (!study.problem.empty())
            return study;
        if (m_facts.unit == SampleUnit::Sample && !m_options.unit)
            study.notes.push_back(countText(info.batchCount(), "batch is", "batches are") +
                                  " too few to be drawn: samples are");
        if (m_facts.count() < fewestUnitsForBand)
            study.whyNoBand = unitCountText(m_facts.count(), m_facts.unit) +
                              (m_facts.count() == 1 ? " is" : " are") +
                              " too few for a band: " + std::to_string(fewestUnitsForBand) +
                              " are needed";
        else if (m_options.resamples == std::uint64_t{0})
            study.whyNoBand = "nothing was drawn";
        else if (std::ranges::all_of(m_facts.extents,
                                     [](const Extents& unit) { return unit.finite == 0; }))
            study.whyNoBand = "it has no finite values";
        return study;
    }

    /// How often each choice is drawn, and whether it can see the order.
    void plan()
    {
        std::size_t most = 0;
        for (SampleStudy& study : m_studies) {
            bool seesOrder = false;
            try {
                if (study.problem.empty()) {
                    seesOrder = canSeeOrder(study.choice, m_profile.extents());
                    study.resamples = m_options.resamples.value_or(
                        resamplesFor(study.choice, m_profile.extents()));
                }
            } catch (const std::exception& error) {
                study.problem = error.what();
            }
            if (!study.whyNoBand.empty())
                study.resamples = 0;
            most = std::max(most, static_cast<std::size_t>(study.resamples));
            m_seesOrder.push_back(seesOrder);
        }
        m_schedule = scheduleFor(m_facts, m_options, most);
        if (m_schedule.orders == 0)
            m_seesOrder.assign(m_studies.size(), false);
    }

    void calibrate()
    {
        const auto isAsked = [&](std::size_t choice, std::size_t arrangement) {
            if (!m_studies[choice].problem.empty())
                return false;
            if (arrangement >= m_schedule.firstDraw())
                return (arrangement - m_schedule.firstDraw()) % m_schedule.draws <
                       m_studies[choice].resamples;
            if (arrangement >= m_schedule.firstRun())
                return m_studies[choice].resamples > 0;
            return arrangement < m_schedule.firstOrder() || m_seesOrder[choice];
        };
        m_answers = calibrateArrangements({.choices = m_choices,
                                           .arrangements = m_schedule.count(),
                                           .arranged =
                                               [&](std::size_t index) {
                                                   return m_schedule.arranged(index, m_facts,
                                                                              m_options.seed);
                                               },
                                           .isAsked = isAsked},
                                          m_source, m_facts, m_options.memoryBytes, m_progress);
        for (std::size_t choice = 0; choice < m_choices.size(); ++choice) {
            SampleStudy& study = m_studies[choice];
            if (study.problem.empty())
                study.problem = m_answers[choice].problem;
        }
    }

    /// The ratios of the curve and of other orders, at once for all choices.
    void measure()
    {
        std::vector<Quantizer> quantizers;
        m_measured.resize(m_studies.size());
        for (std::size_t choice = 0; choice < m_studies.size(); ++choice) {
            std::map<QuantizerKey, std::size_t> places;
            if (!m_studies[choice].problem.empty())
                continue;
            const std::size_t end =
                m_seesOrder[choice] ? m_schedule.firstRun() : m_schedule.firstPart();
            for (std::size_t index = 0; index < end; ++index) {
                if (index >= m_schedule.firstPart() && index < m_schedule.firstOrder())
                    continue;
                const Quantizer& quantizer = m_answers[choice].answers[index].quantizer;
                const auto [place, isNew] = places.try_emplace(keyOf(quantizer), quantizers.size());
                if (isNew)
                    quantizers.push_back(quantizer);
                m_measured[choice][index] = place->second;
            }
        }
        const std::vector<Measured> measured = measuredUnder(
            quantizers, m_source, m_profile,
            {.effort = m_options.isExact ? MetricEffort::Exact : MetricEffort::Bounded,
             .memoryBytes = m_options.memoryBytes},
            m_progress);
        for (const Measured& one : measured) {
            m_sqnr.push_back(metricIn(metricValues(one.errors.tally), "sqnr_db"));
            m_isExact.push_back(one.isExact);
        }
    }
    [[nodiscard]] std::optional<double> sqnrOf(std::size_t choice, std::size_t arrangement) const
    {
        return m_sqnr[m_measured[choice].at(arrangement)];
    }

    void finish(std::size_t choice)
    {
        SampleStudy& study = m_studies[choice];
        const std::vector<ArrangedAnswer>& answers = m_answers[choice].answers;
        const std::size_t last = m_schedule.firstPart() - 1;
        for (std::size_t point = 0; point <= last; ++point)
            study.curve.push_back({.units = m_schedule.points[point],
                                   .threshold = answers[point].threshold,
                                   .sqnrDb = sqnrOf(choice, point)});
        study.threshold = answers[last].threshold;
        study.scale = answers[last].quantizer.scale;
        study.sqnrDb = sqnrOf(choice, last);
        study.hasExactSqnr = m_isExact[m_measured[choice].at(last)];
        findConverged(study);
        if (m_seesOrder[choice])
            study.order = orderSpread(choice);
        if (study.resamples > 0)
            findBands(choice);
    }

    [[nodiscard]] OrderSpread orderSpread(std::size_t choice) const
    {
        const std::vector<ArrangedAnswer>& answers = m_answers[choice].answers;
        const std::size_t last = m_schedule.firstPart() - 1;
        OrderSpread spread{.orders = m_schedule.orders,
                           .thresholds = {answers[last].threshold, answers[last].threshold}};
        std::vector<double> ratios;
        const auto add = [&](std::size_t arrangement) {
            const double threshold = answers[arrangement].threshold;
            spread.thresholds.low = std::min(spread.thresholds.low, threshold);
            spread.thresholds.high = std::max(spread.thresholds.high, threshold);
            if (const auto ratio = sqnrOf(choice, arrangement))
                ratios.push_back(*ratio);
        };
        add(last);
        for (std::size_t order = 0; order < m_schedule.orders; ++order)
            add(m_schedule.firstOrder() + order);
        if (spread.thresholds.width() > 0.0)
            spread.share = spread.thresholds.width() / answers[last].threshold;
        if (!ratios.empty())
            spread.sqnrDb = {std::ranges::min(ratios), std::ranges::max(ratios)};
        return spread;
    }

    void findBands(std::size_t choice)
    {
        SampleStudy& study = m_studies[choice];
        const std::vector<ArrangedAnswer>& answers = m_answers[choice].answers;
        if (!m_sketch)
            m_sketch.emplace(m_profile.sketch);
        Ratios ratios(*m_sketch);
        const std::optional<RunScatter> scatter = scatterOf(choice);
        const Quantizer& whole = answers[m_schedule.firstPart() - 1].quantizer;
        const bool isOpenAbove =
            !calibrator(study.choice.calibrator).isGivenByHand &&
            isOpen(whole, study.choice.scheme.isAffine(), study.threshold, m_facts.extents);
        for (std::size_t group = 0; group < m_schedule.drawn.size(); ++group) {
            std::vector<double> thresholds;
            std::vector<double> decibels;
            for (std::size_t draw = 0; draw < study.resamples; ++draw) {
                const ArrangedAnswer& answer =
                    answers[m_schedule.firstDraw() + group * m_schedule.draws + draw];
                thresholds.push_back(answer.threshold);
                if (const auto ratio = ratios.of(answer.quantizer))
                    decibels.push_back(*ratio);
            }
            const auto point =
                std::ranges::find(study.curve, m_schedule.drawn[group], &CurvePoint::units);
            const double independent = study.likeness ? study.likeness->independentUnits
                                                      : static_cast<double>(study.units);
            Range band = resampledBand(thresholds, independent);
            if (scatter)
                band = widenedBand(band, study.threshold, thresholds, *scatter,
                                   static_cast<double>(point->units) /
                                       static_cast<double>(study.units));
            point->thresholdBand = {.low = band.low, .high = {}};
            if (!isOpenAbove)
                point->thresholdBand->high = band.high;
            if (!decibels.empty())
                point->sqnrBandDb = withEnds(resampledBand(std::move(decibels), independent),
                                             *point->thresholdBand, study.threshold, whole, ratios);
        }
        study.thresholdBand = study.curve.back().thresholdBand;
        study.sqnrBandDb = study.curve.back().sqnrBandDb;
        if (isOpenAbove)
            study.notes.push_back(
                "the band is open above: fewer than " + std::to_string(fewestUnitsBeyond) + " " +
                (study.unit == SampleUnit::Batch ? "batches" : "samples") + " reach the threshold");
    }

    /// Fills the study's likeness.
    std::optional<RunScatter> scatterOf(std::size_t choice)
    {
        std::vector<double> own;
        for (std::size_t run = 0; run < m_schedule.runs.size(); ++run)
            own.push_back(m_answers[choice].answers[m_schedule.firstRun() + run].threshold);
        const std::optional<RunScatter> scatter = runScatter(own);
        SampleStudy& study = m_studies[choice];
        if (scatter)
            study.likeness = {.correlation = scatter->correlation,
                              .independentUnits = static_cast<double>(study.units) *
                                                  scatter->independent / scatter->runs};
        return scatter;
    }

    void holdOut()
    {
        if (m_schedule.parts.empty())
            return;
        std::vector<HeldOutScales> scales;
        std::vector<std::size_t> studied;
        for (std::size_t choice = 0; choice < m_studies.size(); ++choice) {
            if (!m_studies[choice].problem.empty())
                continue;
            const std::vector<ArrangedAnswer>& answers = m_answers[choice].answers;
            HeldOutScales own{.thresholds = {},
                              .quantizers = {},
                              .seen = answers[m_schedule.firstPart() - 1].quantizer};
            for (std::size_t part = 0; part < m_schedule.parts.size(); ++part) {
                const ArrangedAnswer& answer = answers[m_schedule.firstPart() + part];
                own.thresholds.push_back(answer.threshold);
                own.quantizers.push_back(answer.quantizer);
            }
            scales.push_back(std::move(own));
            studied.push_back(choice);
        }
        std::vector<HeldOut> found =
            heldOutErrors(m_schedule.parts, scales, m_source, m_facts, m_progress);
        for (std::size_t index = 0; index < studied.size(); ++index)
            m_studies[studied[index]].heldOut = std::move(found[index]);
    }

    const ValueSource& m_source;
    const TensorProfile& m_profile;
    std::span<const Choice> m_choices;
    const StudyOptions& m_options;
    const Progress& m_progress;
    std::uint64_t m_most;  ///< units that can be studied
    UnitFacts m_facts;
    Schedule m_schedule;
    std::vector<SampleStudy> m_studies;
    std::vector<ArrangedAnswers> m_answers;                      ///< by choice
    std::vector<bool> m_seesOrder;                               ///< likewise
    std::vector<std::map<std::size_t, std::size_t>> m_measured;  ///< by arrangement: the place of
    std::vector<std::optional<double>> m_sqnr;                   ///< its ratio here
    std::vector<bool> m_isExact;
    std::optional<SketchedRatio> m_sketch;
};

}  // namespace

std::uint64_t resamplesFor(const Choice& choice, const Extents& extents)
{
    constexpr std::uint64_t ofStatistics = 200;
    constexpr std::uint64_t ofSearches = 79;
    const CalibratorNeeds needs = needsOf(choice, extents);
    if (needs.values)
        return fewestResamples;
    return needs.histograms.empty() ? ofStatistics : ofSearches;
}

std::vector<SampleStudy> studySamples(const ValueSource& source, const TensorProfile& profile,
                                      std::span<const Choice> choices, const StudyOptions& options,
                                      const Progress& progress)
{
    if (options.parts == 1)
        throw std::invalid_argument("one part leaves nothing to find a scale from");
    std::vector<Choice> computed;  // each computation once
    std::vector<std::size_t> answer;
    for (const Choice& choice : choices) {
        const auto same = std::ranges::find_if(
            computed, [&](const Choice& other) { return other.isSameComputation(choice); });
        answer.push_back(static_cast<std::size_t>(same - computed.begin()));
        if (same == computed.end())
            computed.push_back(choice);
    }
    const std::vector<SampleStudy> found =
        SampleStudies(source, profile, computed, options, progress).run();
    std::vector<SampleStudy> studies;
    for (std::size_t index = 0; index < choices.size(); ++index) {
        studies.push_back(found[answer[index]]);
        studies.back().choice = choices[index];
    }
    return studies;
}

}  // namespace calibscope::samples
