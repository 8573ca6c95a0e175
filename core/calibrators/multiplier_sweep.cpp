#include "core/calibrators/calibrator.h"

#include "core/calibrators/detail/odd_data.h"
#include "core/calibrators/detail/threshold_search.h"

#include <algorithm>

namespace calibscope::calibration {

namespace {

constexpr double mostSteps = 10000;
constexpr double greatestMultiplier = 1000;

CalibratorNeeds needs(const CalibratorInput&, const Extents& extents)
{
    return {.values = extents.absMax() > 0.0};
}

/// From start to stop in equal steps, counted from the nearer end.
std::vector<double> multipliersOf(const Settings& settings)
{
    const int steps = settings.integer("steps");
    const double start = settings.number("start");
    const double stop = settings.number("stop");
    const double step = steps > 1 ? (stop - start) / (steps - 1) : 0.0;
    std::vector<double> multipliers;
    for (int index = 0; index < steps; ++index)
        multipliers.push_back(index < (steps + 1) / 2 ? start + index * step
                                                      : stop - (steps - 1 - index) * step);
    return multipliers;
}

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    checkScheme(calibrator("multiplier-sweep"), input.scheme);
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    std::vector<double> thresholds;
    for (const double multiplier : multipliersOf(input.settings))
        thresholds.push_back(multiplier * extents.absMax());
    const bool descends = thresholds.back() < thresholds.front();
    std::ranges::sort(thresholds);
    const auto repeated = std::ranges::unique(thresholds);
    thresholds.erase(repeated.begin(), repeated.end());
    return searchThresholds(input, extents, std::move(thresholds), 2.0, descends);
}

Parameter multiplier(std::string id, std::string label, std::string help, std::string fallback)
{
    return {.id = std::move(id),
            .label = std::move(label),
            .help = std::move(help),
            .kind = Parameter::Kind::Number,
            .fallback = std::move(fallback),
            .least = 0.001,
            .greatest = greatestMultiplier,
            .step = 0.25};
}

}  // namespace

Calibrator multiplierSweep()
{
    return {
        .order = 80,
        .id = "multiplier-sweep",
        .title = "Multiplier sweep",
        .summary = "The multiple of the largest magnitude, out of a few, with the least squared "
                   "error; 1 need not be among them.",
        .source = "TensorRT Model Optimizer, modelopt/torch/quantization/calib/mse.py: "
                  "MseCalibrator",
        .parameters = {multiplier("start", "Start", "The first multiple that is tried.", "0.25"),
                       multiplier("stop", "Stop", "The last multiple that is tried.", "4"),
                       {.id = "steps",
                        .label = "Steps",
                        .help = "How many multiples are tried, both ends included.",
                        .kind = Parameter::Kind::Integer,
                        .fallback = "10",
                        .least = 1,
                        .greatest = mostSteps,
                        .step = 10}},
        .hasCurve = true,
        .isSymmetricOnly = true,
        .needs = needs,
        .calibrate = calibrate};
}

}  // namespace calibscope::calibration
