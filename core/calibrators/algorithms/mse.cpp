// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/mse/mse_search.h"
#include "core/calibrators/odd_data.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <cmath>

namespace calibscope::calibration {

namespace {

/// Where both signs matter the histogram is of x, if its rule can count x: affine ranges, and
/// symmetric levels that are not the same on both sides.
HistogramSpec specOf(const CalibratorInput& input)
{
    const bool isOneSided =
        input.scheme.kind == SchemeKind::SymmetricRestricted && !input.scheme.isUnsigned();
    const bool takesSigned =
        input.scheme.isAffine() ||
        (!isOneSided && growthRule(input.settings.text("growth")).countsSigned);
    return histogramSpec(input.settings, takesSigned ? Domain::Signed : Domain::Magnitude);
}

CalibratorNeeds needsOfMse(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    return {.histograms = {specOf(input)}};
}

HistogramMass massOf(const Settings& settings, const Histogram& histogram, const Extents& extents)
{
    const Density density = settings.is("density", "centre") ? Density::Centre : Density::Uniform;
    if (settings.is("point-masses", "no"))
        return {histogram, density};
    return {histogram, density, knownPoints(extents, histogram.spec.domain)};
}

/// Magnitudes of the places that the setting `trials` means, ascending; the largest magnitude
/// among them, as the widest, but where the centres of bins are asked for.
std::vector<double> thresholdsOf(const Settings& settings, const Histogram& histogram,
                                 const HistogramMass& mass, double absMax)
{
    std::vector<double> thresholds;
    const auto first = static_cast<std::size_t>(settings.integer("first-candidate"));
    if (settings.is("candidates", "centres")) {
        for (std::size_t bin = first; bin < mass.bins(); ++bin)
            thresholds.push_back(std::abs(mass.centre(bin)));
    } else if (settings.is("candidates", "edges")) {
        for (std::size_t edge = first; edge <= mass.bins(); ++edge)
            thresholds.push_back(std::min(std::abs(histogram.edge(edge)), absMax));
        thresholds.push_back(absMax);
    } else {
        const int count = settings.integer("candidates");
        for (int step = 1; step <= count; ++step)
            thresholds.push_back(absMax * (static_cast<double>(step) / count));
    }
    std::ranges::sort(thresholds);
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    std::erase_if(thresholds, [](double threshold) { return !(threshold > 0.0); });
    return thresholds;
}

Curve emptyCurve()
{
    return {.objective = "mean squared error",
            .unit = "",
            .parts = {{.name = "rounding", .value = {}}, {.name = "clipping", .value = {}}}};
}

void addPoint(Curve& curve, double threshold, const SplitError& error, double count)
{
    curve.threshold.push_back(threshold);
    curve.value.push_back(error.total() / count);
    curve.parts[0].value.push_back(error.rounding / count);
    curve.parts[1].value.push_back(error.clipping / count);
}

void noteOddPick(Calibration& calibration)
{
    const Curve& curve = calibration.curve;
    if (curve.chosen == 0 && curve.value.size() > 1)
        calibration.notes.emplace_back("the first trial was chosen");
    if (!curve.ties.empty())
        calibration.notes.push_back("tie: " + countText(curve.ties.size(),
                                                        "more trial has the least error",
                                                        "more trials have the least error"));
}

void chooseThreshold(Calibration& calibration, const CalibratorInput& input,
                     const Histogram& histogram, const Extents& extents)
{
    const HistogramMass mass = massOf(input.settings, histogram, extents);
    Curve curve = emptyCurve();
    const std::vector<double> thresholds =
        thresholdsOf(input.settings, histogram, mass, extents.absMax());
    const std::vector<SplitError> errors = thresholdErrors(mass, input.scheme, thresholds);
    for (std::size_t index = 0; index < thresholds.size(); ++index)
        addPoint(curve, thresholds[index], errors[index], mass.count());
    if (!chooseLeast(curve, input.settings.is("tie", "widest"))) {
        calibration.notes.emplace_back("no valid trial");
        settleThreshold(calibration, input.scheme, extents, extents.absMax());
        return;
    }
    calibration.curve = std::move(curve);
    noteOddPick(calibration);
    settleThreshold(calibration, input.scheme, extents,
                    calibration.curve.threshold[calibration.curve.chosen]);
}

/// The error along both ends of the clip range through the chosen one: points below 0 move the low
/// end, points above 0 the high end.
Curve curveThrough(const Range& best, const Range& full, const HistogramMass& mass,
                   const Scheme& scheme)
{
    Curve curve = emptyCurve();
    const auto add = [&](double place, const Range& range) {
        addPoint(curve, place, rangeError(mass, scheme, range), mass.count());
    };
    for (const double low : endsUpTo(full.low, best.low))
        add(low, {low, best.high});
    for (const double high : endsUpTo(full.high, best.high))
        add(high, {best.low, high});
    const auto pointOf = [&curve](double end) {
        return static_cast<std::size_t>(std::ranges::find(curve.threshold, end) -
                                        curve.threshold.begin());
    };
    if (best.low < 0.0)
        curve.chosenLow = pointOf(best.low);
    curve.chosen = pointOf(best.high > 0.0 ? best.high : best.low);
    describeSurroundings(curve);
    return curve;
}

void chooseRange(Calibration& calibration, const CalibratorInput& input, const Histogram& histogram,
                 const Extents& extents)
{
    const HistogramMass mass = massOf(input.settings, histogram, extents);
    const Range full{std::min(extents.min, 0.0), std::max(extents.max, 0.0)};
    const Range best = bestRange(mass, input.scheme, full);
    calibration.curve = curveThrough(best, full, mass, input.scheme);
    settleRange(calibration, best);
}

Calibration calibrateMse(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const HistogramSpec spec = specOf(input);
    const Histogram& histogram = neededHistogram(profile, spec);
    Calibration calibration{.notes = notesOf(histogram), .histogram = spec};
    if (histogram.total() == 0) {
        calibration.notes.emplace_back("no valid trial");
        settleThreshold(calibration, input.scheme, extents, extents.absMax());
    } else if (input.scheme.isAffine()) {
        chooseRange(calibration, input, histogram, extents);
    } else {
        chooseThreshold(calibration, input, histogram, extents);
    }
    return calibration;
}

std::vector<Parameter> parametersOfMse()
{
    return {binsParameter(2048, "Bins at the start of the histogram of |x|; of x under affine "
                                "schemes and those with other levels below 0 than above."),
            growthParameter("fixed", "How the histogram follows the range from batch to batch."),
            choiceParameter("density", "Density",
                            "How a bin's count lies in it: evenly, or all at its centre.",
                            {"uniform", "centre"}),
            choiceParameter(
                "point-masses", "Point masses",
                "Whether zeros, least and greatest value, which are known exactly, are taken "
                "out of their bins.",
                {"yes", "no"}),
            {.id = "candidates",
             .label = "Trials",
             .help = "Symmetric thresholds that are tried: every edge of the histogram, the "
                     "centre of every bin, or that many equal steps up to the largest magnitude. "
                     "Affine ranges are tried in two stages whatever this is.",
             .kind = Parameter::Kind::NumberOrWord,
             .fallback = "edges",
             .least = 1,
             .greatest = 65536,
             .step = 1,
             .words = {"edges", "centres"},
             .isWhole = true},
            {.id = "first-candidate",
             .label = "Search from",
             .help = "The first edge or bin that is tried.",
             .kind = Parameter::Kind::Integer,
             .fallback = "0",
             .least = 0,
             .greatest = 1048576,
             .step = 1,
             .unit = "bins"},
            choiceParameter("tie", "Tie", "Which of several equal trials wins.",
                            {"widest", "narrowest"})};
}

}  // namespace

Calibrator mse()
{
    return {.order = 70,
            .id = "mse",
            .title = "MSE",
            .summary = "The clip range with the least mean squared error between a histogram and "
                       "its clipped, quantized version; what lies outside falls on the ends.",
            .source = "Qualcomm (v3.0), activations, mean squared error; density centre: "
                      "pytorch-quantization, _compute_amax_mse",
            .parameters = parametersOfMse(),
            .hasCurve = true,
            .needs = needsOfMse,
            .calibrate = calibrateMse};
}

}  // namespace calibscope::calibration
