// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/centred/centred_search.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/odd_data.h"
#include "core/stats/centred_bins.h"

#include <algorithm>
#include <cmath>

namespace calibscope::calibration {

namespace {

constexpr double mostCentredLevels = 65535;
constexpr std::size_t mostCentredBins =
    32768;  // a search of 2^15 bins takes seconds, of 2^19 many minutes

HistogramSpec centredSpec(const Settings& settings)
{
    return {.growth = "centred-numpy", .bins = settings.integer("bins"), .domain = Domain::Signed};
}

bool searchesZeros(const Settings& settings)
{
    return settings.is("all-zero", "searched");
}

CalibratorNeeds needsOfCentredKl(const CalibratorInput& input, const Extents& extents)
{
    const bool isSearched =
        extents.absMax() > 0.0 || (searchesZeros(input.settings) && extents.finite > 0);
    if (!isSearched)
        return {};
    return {.histograms = {centredSpec(input.settings)}};
}

/// The histogram with so few bins that it can be searched.
Histogram searchable(Histogram histogram, std::vector<std::string>& notes)
{
    const std::size_t grown = histogram.counts.size();
    while (histogram.counts.size() > mostCentredBins)
        mergeAroundMiddle(histogram);
    if (histogram.counts.size() < grown)
        notes.push_back("the histogram grew to " + std::to_string(grown) +
                        " bins, too many to be searched: neighbouring ones were merged, which "
                        "leaves " +
                        std::to_string(histogram.counts.size()));
    return histogram;
}

/// What a window becomes: MXNet takes its upper edge, ONNX Runtime both, cut at the data's ends.
class WindowEnds
{
public:
    WindowEnds(const Histogram& histogram, const Extents& extents, CentredSteps steps)
        : m_histogram(histogram), m_extents(extents), m_steps(steps)
    {}

    [[nodiscard]] Range ends(std::size_t half) const
    {
        const Range range = edges(half);
        return {std::max(range.low, m_extents.min), std::min(range.high, m_extents.max)};
    }
    /// Its place on the curve.
    [[nodiscard]] double threshold(std::size_t half) const
    {
        return m_steps == CentredSteps::Mxnet ? edges(half).high : edges(half).width() / 2;
    }

private:
    [[nodiscard]] Range edges(std::size_t half) const
    {
        const CentredWindow window = centredWindow(m_histogram.counts.size(), half);
        return {m_histogram.edge(window.first), m_histogram.edge(window.end)};
    }

    const Histogram& m_histogram;
    const Extents& m_extents;
    CentredSteps m_steps;
};

Curve curveOf(const CentredSearch& found, const WindowEnds& ends)
{
    Curve curve{.objective = "KL divergence", .unit = "nats"};
    for (std::size_t index = 0; index < found.divergences.size(); ++index) {
        curve.threshold.push_back(ends.threshold(found.firstHalf + index));
        // float32 sums of equal distributions can end below 0
        curve.value.push_back(static_cast<double>(std::max(found.divergences[index], 0.0F)));
        if (index != found.chosen && found.divergences[index] == found.divergences[found.chosen])
            curve.ties.push_back(index);
    }
    curve.chosen = found.chosen;
    describeSurroundings(curve);
    return curve;
}

void noteChoice(Calibration& calibration)
{
    const Curve& curve = calibration.curve;
    if (curve.chosen == 0 && curve.value.size() > 1)
        calibration.notes.emplace_back("the narrowest window was chosen");
    if (!curve.ties.empty())
        calibration.notes.push_back(
            "tie: " + countText(curve.ties.size(),
                                "more window has the least divergence, the narrowest was taken",
                                "more windows have the least divergence, the narrowest was taken"));
}

Calibration calibrateCentredKl(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (!(searchesZeros(input.settings) && extents.finite > 0))
        if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
            return *answer;
    const HistogramSpec spec = centredSpec(input.settings);
    const Histogram& collected = neededHistogram(profile, spec);
    Calibration calibration{.notes = notesOf(collected), .histogram = spec};
    const Histogram histogram = searchable(collected, calibration.notes);
    const int levels = input.settings.is("levels", "2^b-1") ? (1 << input.scheme.bits) - 1
                                                            : input.settings.integer("levels");
    const CentredSteps steps =
        input.settings.is("steps", "mxnet") ? CentredSteps::Mxnet : CentredSteps::OnnxRuntime;
    const CentredSearch found =
        searchCentred(histogram.counts, static_cast<std::size_t>(levels), steps);
    if (found.divergences.empty()) {
        calibration.notes.emplace_back("no valid trial");
        settleThreshold(calibration, input.scheme, extents, extents.absMax());
        return calibration;
    }
    const WindowEnds ends(histogram, extents, steps);
    if (std::isfinite(found.divergences[found.chosen])) {
        calibration.curve = curveOf(found, ends);
        noteChoice(calibration);
    } else {
        calibration.notes.emplace_back(
            "no window can be compared: the narrowest is taken, as the tool does");
    }
    const std::size_t half = found.firstHalf + found.chosen;
    const Range range = ends.ends(half);
    if (steps == CentredSteps::Mxnet)
        settleThreshold(calibration, input.scheme, extents, ends.threshold(half));
    else if (input.scheme.isAffine())
        settleRange(calibration, range);
    else
        settleThreshold(calibration, input.scheme, extents,
                        std::max({0.0, range.high, 0.0 - range.low}));
    return calibration;
}

std::vector<Parameter> parametersOfCentredKl()
{
    return {
        binsParameter(1001, "Bins of the histogram of x at the start, from minus to plus the "
                            "largest magnitude; an odd number has a bin around 0."),
        wholeOrWord("levels", "Levels",
                    "Levels of a window's coarse form, and bins of the narrowest window; 2^b-1: "
                    "2^bits - 1.",
                    {2, mostCentredLevels}, "2^b-1"),
        choiceParameter("steps", "Steps",
                        "Whose steps are repeated, down to the order of float32 sums: they differ "
                        "in the bins that the levels leave over, in the coarse form and in the "
                        "ends.",
                        {"onnxruntime", "mxnet"}),
        choiceParameter("all-zero", "All zero",
                        "Data of nothing but zeros have a threshold of 0, or are searched in the "
                        "range from -0.5 to 0.5 that NumPy gives them (MXNet).",
                        {"threshold-0", "searched"})};
}

}  // namespace

Calibrator centredKl()
{
    return {.order = 120,
            .id = "centred-kl",
            .title = "KL over centred windows",
            .summary = "The window around 0 at which a histogram of x, cut at both ends, differs "
                       "least from its own coarse form, from the narrowest to the whole range.",
            .source = "ONNX Runtime (2024), calibrate.py: EntropyCalibrater; MXNet (2.0), "
                      "contrib/quantization.py and calibrate.cc",
            .parameters = parametersOfCentredKl(),
            .hasCurve = true,
            .needs = needsOfCentredKl,
            .calibrate = calibrateCentredKl};
}

}  // namespace calibscope::calibration
