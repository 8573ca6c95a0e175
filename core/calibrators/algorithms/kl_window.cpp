// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"
#include "core/calibrators/histogram/histogram_parameters.h"

#include "core/base/number_text.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/odd_data.h"
#include "core/calibrators/window/window_target.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace calibscope::calibration {

namespace {

constexpr double mostWindowBins = 8192;  // in float32 the search costs bins^2 / 2 logarithms
constexpr double mostWindowLevels = 65535;

CalibratorNeeds needsOfKlWindow(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    return {.histograms = {windowSpec(input.settings)}};
}

Curve curveOf(const std::vector<Window>& windows, const WindowTarget& target, bool isSymmetric)
{
    Curve curve{.objective = "KL divergence", .unit = "nats"};
    for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
        curve.threshold.push_back(target.threshold(*window, isSymmetric));
        curve.value.push_back(window->divergence);
    }
    chooseLeast(curve, true);
    return curve;
}

void noteOddPick(Calibration& calibration, const Window& window)
{
    const Curve& curve = calibration.curve;
    if (window.isEmpty)
        calibration.notes.emplace_back("an empty window was chosen: no value lies in it");
    if (curve.chosen == 0 && curve.value.size() > 1)
        calibration.notes.emplace_back("the last and narrowest window was chosen");
    if (!curve.ties.empty())
        calibration.notes.push_back(
            "tie: " + countText(curve.ties.size(),
                                "more window has the least divergence, the widest was taken",
                                "more windows have the least divergence, the widest was taken"));
}

void settle(Calibration& calibration, const CalibratorInput& input, const WindowTarget& target,
            const std::vector<Window>& windows)
{
    calibration.curve = curveOf(windows, target, windowRule(input, target).shrinksBothEnds);
    const Window& window = windows[windows.size() - 1 - calibration.curve.chosen];
    const Range ends = target.ends(window);
    noteOddPick(calibration, window);
    if (input.scheme.isAffine() && input.settings.is("zero-may-leave", "yes")) {
        calibration.clip.range = ends;
        return;
    }
    if (ends.low > 0.0 || ends.high < 0.0)
        calibration.notes.emplace_back("0 lay outside the chosen window, the range was extended");
    if (input.scheme.isAffine()) {
        settleRange(calibration, ends);
        return;
    }
    const Range even = target.evenedOut(ends);
    calibration.clip.threshold = even.high;
    if (input.scheme.divisor == Divisor::Ratio)
        calibration.clip.range = even;  // its width decides the scale
}

Calibration calibrateKlWindow(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const HistogramSpec spec = windowSpec(input.settings);
    const Histogram& histogram = neededHistogram(profile, spec);
    Calibration calibration{.notes = histogram.notes, .histogram = spec};
    const ClipChoice whole = wholeRange(input.scheme, extents);
    const WindowTarget target = windowTarget(input, histogram, whole);
    const WindowRule rule = windowRule(input, target);
    const std::string reason = reasonToKeepAll(extents, target, rule);
    if (reason.empty()) {
        settle(calibration, input, target, searchWindows(target.counts, rule));
        return calibration;
    }
    calibration.notes.push_back(reason);
    calibration.clip = whole;
    return calibration;
}

std::vector<std::string> signedRules()
{
    std::vector<std::string> ids{"redistribute"};
    for (const GrowthRule& rule : growthRules())
        if (rule.countsSigned && rule.id != ids.front())
            ids.emplace_back(rule.id);
    return ids;
}

std::vector<Parameter> parametersOfKlWindow()
{
    return {{.id = "bins",
             .label = "Bins",
             .help = "Bins of the histogram of x, and of the range that is searched.",
             .kind = Parameter::Kind::Integer,
             .fallback = "512",
             .least = 2,
             .greatest = mostWindowBins,
             .step = 1.0},
            choiceParameter("growth", "Growth",
                            "How the histogram follows the range from batch to batch.",
                            signedRules()),
            wholeOrWord("levels", "Levels",
                        "Levels of a window's coarse form, and bins of the narrowest window; "
                        "2^b-1: 2^bits - 1.",
                        {2, mostWindowLevels}, "2^b-1"),
            choiceParameter(
                "merge", "Merge",
                "Levels of equal width that share the bins on their borders, or of equally many "
                "whole bins, the last level with what is left over.",
                {"fractional", "integer"}),
            choiceParameter(
                "zero-may-leave", "Zero may leave",
                "Whether the window may shrink beyond 0, an affine zero point then stops at the "
                "lowest or highest level; no: the other side shrinks instead.",
                {"no", "yes"}),
            choiceParameter(
                "empty-window", "Empty window",
                "A window without counts is never taken, or has divergence 0 and is chosen, as "
                "in Glow.",
                {"never", "chosen"})};
}

}  // namespace

Calibrator klWindow()
{
    return {.order = 60,
            .id = "kl-window",
            .title = "KL window",
            .summary = "The range at which a histogram of x, cut at both ends, differs least from "
                       "its own coarse form, the window shrinking from the whole range. Curves are "
                       "against the threshold, under affine schemes and for unsigned data against "
                       "half the window's width.",
            .source = "Qualcomm (v3.0), activations: minimum KL divergence (the search is not "
                      "stated); Glow (2024), optimizeKL and rescaleHistogram; AIMET, entropy "
                      "analyzer",
            .parameters = parametersOfKlWindow(),
            .hasCurve = true,
            .needs = needsOfKlWindow,
            .calibrate = calibrateKlWindow};
}

}  // namespace calibscope::calibration
