#include "ui/charts/marks.h"

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

}  // namespace calibscope
