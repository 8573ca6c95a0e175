// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/marks.h"

#include "core/calibrators/entropy_trial.h"
#include "core/quant/scheme.h"

#include <algorithm>
#include <map>

namespace calibscope {

namespace {

/// The steps in the order of their thresholds, the last one chosen.
Curve curveOfSteps(const Trace& trace, const std::vector<double>& thresholds)
{
    std::map<double, double> points;
    for (std::size_t step = 0; step < thresholds.size(); ++step)
        points[thresholds[step]] = trace.error[step];
    Curve curve{.objective = trace.objective, .unit = trace.unit};
    for (const auto& [threshold, error] : points) {
        if (threshold == thresholds.back())
            curve.chosen = curve.threshold.size();
        curve.threshold.push_back(threshold);
        curve.value.push_back(error);
    }
    curve.plateau = {thresholds.back(), thresholds.back()};
    return curve;
}

}  // namespace

std::optional<CurveMark> searchMark(const Outcome& outcome)
{
    CurveMark mark{.curve = outcome.curve};
    for (const double scale : outcome.trace.scale)
        mark.stepThresholds.push_back(scale * outcome.choice.scheme.divisorValue());
    mark.stepValues = outcome.trace.error;
    if (mark.curve.threshold.empty() && !mark.stepThresholds.empty())
        mark.curve = curveOfSteps(outcome.trace, mark.stepThresholds);
    return mark.curve.threshold.empty() ? std::nullopt : std::optional{std::move(mark)};
}

std::vector<double> windowPlaces(const Outcome& outcome, const TensorProfile& profile,
                                 Domain domain)
{
    const Choice& choice = outcome.choice;
    if (choice.calibrator != "kl-window" || outcome.curve.threshold.empty())
        return {};
    const Extents& extents = profile.extents();
    const Scheme scheme = schemeFor(choice.scheme, {extents.min, extents.max});
    std::vector<double> places;
    for (const Range& ends : windowEnds({.settings = choice.settings, .scheme = scheme}, profile))
        places.push_back(domain == Domain::Signed ? ends.high : std::max(-ends.low, ends.high));
    return places.size() == outcome.curve.threshold.size() ? places : std::vector<double>();
}

std::optional<CurveMark> searchMark(const Outcome& outcome, const TensorProfile& profile,
                                    Domain domain)
{
    std::optional<CurveMark> mark = searchMark(outcome);
    const std::vector<double> places = windowPlaces(outcome, profile, domain);
    if (!mark || places.empty())
        return mark;
    Curve& curve = mark->curve;
    const auto placeOf = [&](double threshold) {
        const auto at = std::ranges::lower_bound(outcome.curve.threshold, threshold);
        return at == outcome.curve.threshold.end()
                   ? places.back()
                   : places[static_cast<std::size_t>(at - outcome.curve.threshold.begin())];
    };
    curve.plateau = {placeOf(curve.plateau.low), placeOf(curve.plateau.high)};
    curve.threshold = places;
    return mark;
}

}  // namespace calibscope
