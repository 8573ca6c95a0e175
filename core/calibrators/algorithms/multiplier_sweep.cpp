// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/calibrators/curve/threshold_search.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>

namespace calibscope::calibration {

namespace {

constexpr double mostSteps = 10000;
constexpr double greatestMultiplier = 1000;

CalibratorNeeds needsOfMultiplierSweep(const CalibratorInput&, const Extents& extents)
{
    return {.values = extents.absMax() > 0.0};
}

/// From start to stop in equal steps, counted from the nearer end; every operation is one of
/// Number's, as in torch.linspace of that type.
template <typename Number>
std::vector<double> multipliersOf(const Settings& settings)
{
    const int steps = settings.integer("steps");
    const auto start = static_cast<Number>(settings.number("start"));
    const auto stop = static_cast<Number>(settings.number("stop"));
    const Number step = steps > 1 ? (stop - start) / static_cast<Number>(steps - 1) : Number{0};
    std::vector<double> multipliers;
    for (int index = 0; index < steps; ++index) {
        const Number ahead = static_cast<Number>(index) * step;
        const Number back = static_cast<Number>(steps - 1 - index) * step;
        multipliers.push_back(
            static_cast<double>(index < (steps + 1) / 2 ? start + ahead : stop - back));
    }
    return multipliers;
}

Calibration calibrateMultiplierSweep(const CalibratorInput& input, const TensorProfile& profile)
{
    checkScheme(calibrator("multiplier-sweep"), input.scheme);
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    std::vector<double> thresholds;
    const bool isFloat32 = input.scheme.arithmetic != Arithmetic::Double;
    for (const double multiplier :
         isFloat32 ? multipliersOf<float>(input.settings) : multipliersOf<double>(input.settings))
        thresholds.push_back(product(multiplier, extents.absMax(), isFloat32));
    const bool descends = thresholds.back() < thresholds.front();
    std::ranges::sort(thresholds);
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
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
        .needs = needsOfMultiplierSweep,
        .calibrate = calibrateMultiplierSweep};
}

}  // namespace calibscope::calibration
