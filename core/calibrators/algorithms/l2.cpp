// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/l2/l2_iteration.h"
#include "core/calibrators/odd_data.h"
#include "core/stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace calibscope::calibration {

namespace {

constexpr double startPercentile = 99.9;
constexpr int mostPasses = 20;
constexpr int gridOfTensor = 2000;
constexpr double mostCap = 100000;

CalibratorNeeds needsOfL2(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    CalibratorNeeds needs{.values = true};
    if (input.settings.is("start", "p99.9"))
        needs.orders = percentileOrders(Domain::Magnitude, extents.finite, startPercentile);
    return needs;
}

/// The threshold to start from, which is above 0.
double startOf(const CalibratorInput& input, const TensorProfile& profile,
               std::vector<std::string>& notes)
{
    const double absMax = profile.extents().absMax();
    if (input.settings.is("start", "max"))
        return absMax;
    if (!input.settings.is("start", "p99.9"))
        return input.settings.number("start") * absMax;
    const auto percentile = percentileOf(profile, Domain::Magnitude, startPercentile);
    if (!percentile)
        throw std::invalid_argument("l2: the order statistics of its start were not collected");
    if (*percentile > 0.0)
        return *percentile;
    notes.emplace_back("the percentile to start from is 0, the maximum is taken");
    return absMax;
}

/// Thresholds of the grid, ascending.
std::vector<double> gridOf(const CalibratorInput& input, double absMax)
{
    constexpr double least = 0.01;
    const Settings& settings = input.settings;
    const double most = settings.number("grid-from");
    const int points = !settings.is("grid", "auto") ? settings.integer("grid")
                       : input.isChannel            ? 0
                                                    : gridOfTensor;
    std::vector<double> grid;
    for (int point = points - 1; point >= 0; --point) {
        const double step = points > 1 ? (least - most) / (points - 1) : 0.0;
        const double factor = point == points - 1 && points > 1 ? least : most + point * step;
        grid.push_back(factor * absMax);
    }
    return grid;
}

/// The threshold that leads to that scale again. The largest magnitude is itself, so that rounding
/// cannot push the threshold above it.
double thresholdOf(double scale, const Scheme& scheme, double absMax)
{
    const double divisor = scheme.divisorValue();
    if (absMax / divisor == scale)
        return absMax;
    const double threshold = scale * divisor;
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (const double near :
         {threshold, std::nextafter(threshold, 0.0), std::nextafter(threshold, inf)})
        if (near / divisor == scale)
            return near;
    return threshold;
}

/// Tries the grid: its best scale goes into the trace, its errors with the iteration's own result
/// among them are the curve.
void searchGrid(Calibration& calibration, ScaleSumSource& sums,
                const std::vector<double>& thresholds, const CalibratorInput& input, double chosen)
{
    if (thresholds.empty())
        return;
    std::vector<double> scales;
    for (const double threshold : thresholds)
        scales.push_back(threshold / input.scheme.divisorValue());
    const std::vector<double> errors = sums.errorsAt(scales);
    const auto best = std::ranges::min_element(errors) - errors.begin();
    Trace& trace = calibration.trace;
    trace.gridScale = scales[static_cast<std::size_t>(best)];
    trace.gridError = errors[static_cast<std::size_t>(best)];

    Curve& curve = calibration.curve;
    curve = {.objective = trace.objective, .threshold = thresholds, .value = errors};
    const auto place = std::ranges::lower_bound(curve.threshold, chosen);
    const auto index = place - curve.threshold.begin();
    curve.chosen = static_cast<std::size_t>(index);
    if (place == curve.threshold.end() || *place != chosen) {
        curve.threshold.insert(place, chosen);
        curve.value.insert(curve.value.begin() + index, trace.error.back());
    }
    curve.value[curve.chosen] = trace.error.back();
    describeSurroundings(curve);
}

void noteEnd(Calibration& calibration, L2End end, const L2Limits& limits)
{
    constexpr double strikingRatio = 1.01;  // beyond the plateau that curves show
    switch (end) {
    case L2End::Converged: break;
    case L2End::Cap:
        calibration.notes.push_back("stopped after " +
                                    countText(limits.cap, "iteration", "iterations") +
                                    ", before the scale converged");
        break;
    case L2End::Passes:
        calibration.notes.push_back(
            "stopped after " +
            countText(static_cast<std::uint64_t>(limits.passes), "pass", "passes"));
        break;
    case L2End::NoLevels:
        calibration.notes.emplace_back("every value is rounded to 0, the start is kept");
        break;
    }
    if (calibration.trace.gridRatio().value_or(1.0) > strikingRatio)
        calibration.notes.emplace_back("stalled in a local minimum: a threshold of the grid has "
                                       "over 1 % less error");
}

Calibration calibrateL2(const CalibratorInput& input, const TensorProfile& profile)
{
    checkScheme(calibrator("l2"), input.scheme);
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    if (input.values == nullptr)
        throw std::invalid_argument("l2: it needs the values");
    const std::vector<double> grid = gridOf(input, extents.absMax());
    ScaleSumSource sums(*input.values, extents.finite, levelRuleOf(input.scheme));
    // The grid takes one of the passes.
    const L2Limits limits{.tolerance = input.settings.number("tolerance"),
                          .cap = static_cast<std::uint64_t>(input.settings.integer("cap")),
                          .passes = mostPasses - (grid.empty() ? 0 : 1)};
    Calibration calibration;
    const double start = startOf(input, profile, calibration.notes);
    L2Iteration found = iterateL2(sums, start / input.scheme.divisorValue(), limits);
    calibration.trace = std::move(found.trace);
    const double threshold =
        thresholdOf(calibration.trace.scale.back(), input.scheme, extents.absMax());
    searchGrid(calibration, sums, grid, input, threshold);
    noteEnd(calibration, found.end, {.cap = limits.cap, .passes = mostPasses});
    settleThreshold(calibration, input.scheme, extents, threshold);
    return calibration;
}

std::vector<Parameter> parametersOfL2()
{
    return {{.id = "start",
             .label = "Start",
             .help = "The threshold from which the iteration starts: the largest magnitude, the "
                     "99.9th percentile of the magnitudes, or a multiple of the largest.",
             .kind = Parameter::Kind::NumberOrWord,
             .fallback = "max",
             .least = 1e-6,
             .greatest = 1000.0,
             .step = 0.1,
             .words = {"max", "p99.9"}},
            {.id = "tolerance",
             .label = "Tolerance",
             .help = "The relative change of the scale that ends the iteration; 0: until the scale "
                     "repeats exactly.",
             .kind = Parameter::Kind::Number,
             .fallback = "0",
             .least = 0.0,
             .greatest = 0.1,
             .step = 1e-6},
            {.id = "cap",
             .label = "Maximum iterations",
             .help = "The iteration ends after so many updates of the scale.",
             .kind = Parameter::Kind::Integer,
             .fallback = "1000",
             .least = 1,
             .greatest = mostCap,
             .step = 100},
            {.id = "grid",
             .label = "Grid",
             .help = "How many thresholds, down to 0.01 times the largest magnitude, the result is "
                     "compared with; auto: 2000 for a whole tensor, none per channel.",
             .kind = Parameter::Kind::NumberOrWord,
             .fallback = "auto",
             .least = 0,
             .greatest = mostCap,
             .step = 100,
             .words = {"auto"},
             .isWhole = true},
            {.id = "grid-from",
             .label = "Grid from",
             .help = "The widest threshold of the grid, as a multiple of the largest magnitude.",
             .kind = Parameter::Kind::Number,
             .fallback = "1.1",
             .least = 0.02,
             .greatest = 100.0,
             .step = 0.1}};
}

}  // namespace

Calibrator l2()
{
    return {.order = 40,
            .id = "l2",
            .title = "L2",
            .summary = "The scale with the least sum of squared errors that an alternation "
                       "reaches: levels from the scale, then the best scale for these levels. It "
                       "can stall in a local minimum that depends on the start.",
            .source = "Rebellions (v3.0), weights of language models: L2 error minimization; it "
                      "states neither the start nor the tolerance",
            .parameters = parametersOfL2(),
            .hasCurve = true,
            .isSymmetricOnly = true,
            .needs = needsOfL2,
            .calibrate = calibrateL2};
}

}  // namespace calibscope::calibration
