// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/entropy/fractional_search.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <cmath>

namespace calibscope::calibration {

namespace {

constexpr double mostFractionalLevels = 32768;

HistogramSpec fractionalSpec(const Settings& settings)
{
    return {.growth = "fixed", .bins = settings.integer("bins"), .domain = Domain::Magnitude};
}

CalibratorNeeds needsOfFractionalEntropy(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    return {.histograms = {fractionalSpec(input.settings)}};
}

/// Half a bin beyond the bins kept, in float32; in double where float32 overflows or cannot tell
/// the thresholds apart.
std::vector<double> thresholdsOf(const FractionalSearch& found, std::size_t bins, double absMax)
{
    constexpr double least = 1e-30;
    constexpr double most = 1e30;
    const bool isSingle = absMax > least && absMax < most;
    std::vector<double> thresholds;
    for (std::size_t index = 0; index < found.divergences.size(); ++index) {
        const auto kept = static_cast<double>(found.first + index) + 0.5;
        const float single =
            static_cast<float>(kept) * static_cast<float>(absMax) / static_cast<float>(bins);
        thresholds.push_back(isSingle ? static_cast<double>(single)
                                      : kept / static_cast<double>(bins) * absMax);
    }
    return thresholds;
}

Curve curveOf(const FractionalSearch& found, std::size_t bins, double absMax)
{
    Curve curve{.objective = "KL divergence", .unit = "nats"};
    curve.threshold = thresholdsOf(found, bins, absMax);
    for (std::size_t index = 0; index < found.divergences.size(); ++index) {
        // P and Q have the same sum but for rounding, which may leave less than 0
        curve.value.push_back(static_cast<double>(std::max(found.divergences[index], 0.0F)));
        if (index != found.chosen && found.divergences[index] == found.divergences[found.chosen])
            curve.ties.push_back(index);
    }
    curve.chosen = found.chosen;
    describeSurroundings(curve);
    return curve;
}

Calibration calibrateFractionalEntropy(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const HistogramSpec spec = fractionalSpec(input.settings);
    const Histogram& histogram = neededHistogram(profile, spec);
    Calibration calibration{.notes = notesOf(histogram), .histogram = spec};
    std::vector<std::uint64_t> counts = histogram.counts;
    counts.front() -= std::min(counts.front(), extents.zeros);  // exact zeros are left out
    const int levels = input.settings.is("levels", "2^(b-1)") ? input.scheme.qmax() + 1
                                                              : input.settings.integer("levels");
    const FractionalSearch found = searchFractional(counts, static_cast<std::size_t>(levels));
    if (found.divergences.empty()) {
        calibration.notes.emplace_back("no valid trial");
        settleThreshold(calibration, input.scheme, extents, extents.absMax());
        return calibration;
    }
    calibration.curve = curveOf(found, counts.size(), extents.absMax());
    if (calibration.curve.chosen == 0 && calibration.curve.value.size() > 1)
        calibration.notes.emplace_back("the first trial was chosen");
    settleThreshold(calibration, input.scheme, extents,
                    calibration.curve.threshold[calibration.curve.chosen]);
    return calibration;
}

std::vector<Parameter> parametersOfFractionalEntropy()
{
    return {binsParameter(2048, "Bins of the histogram of |x| from 0 to the largest magnitude."),
            wholeOrWord("levels", "Levels",
                        "Levels of the coarse histogram, and bins that the first trial keeps; "
                        "2^(b-1): 2^(bits-1).",
                        {2, mostFractionalLevels}, "2^(b-1)")};
}

}  // namespace

Calibrator fractionalEntropy()
{
    return {.order = 130,
            .id = "fractional-entropy",
            .title = "Entropy with shared bins",
            .summary = "The threshold at which a histogram of |x| without exact zeros, cut there, "
                       "differs least from its own coarse form, whose levels share the bins on "
                       "their borders.",
            .source = "ncnn (2026), tools/quantize/ncnn2table.cpp: quantize_KL",
            .parameters = parametersOfFractionalEntropy(),
            .hasCurve = true,
            .needs = needsOfFractionalEntropy,
            .calibrate = calibrateFractionalEntropy};
}

}  // namespace calibscope::calibration
