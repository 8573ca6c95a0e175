// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/odd_data.h"

#include <limits>

namespace calibscope::calibration {

namespace {

constexpr std::string_view followsThreshold = "from-threshold";
constexpr std::string_view defaultThreshold = "1";
constexpr double largestFloat = static_cast<double>(std::numeric_limits<float>::max());

/// The ends under an affine scheme: each as given, else as the threshold gives it.
void settleEnds(Calibration& calibration, const CalibratorInput& input, const Extents& extents)
{
    const Settings& settings = input.settings;
    const bool isLowGiven = !settings.is("low", followsThreshold);
    const bool isHighGiven = !settings.is("high", followsThreshold);
    if (!isLowGiven || !isHighGiven)
        settleThreshold(calibration, input.scheme, extents, settings.number("threshold"));
    Range range = calibration.clip.range.value_or(Range{});
    if (isLowGiven)
        range.low = settings.number("low");
    if (isHighGiven)
        range.high = settings.number("high");
    settleRange(calibration, range);
    if (isLowGiven && isHighGiven && settings.text("threshold") != defaultThreshold)
        calibration.notes.push_back("threshold=" + settings.text("threshold") +
                                    " has no effect: both ends are given");
}

/// The data decide nothing but the ends that follow the threshold under an affine scheme: only
/// where there are no data at all is there no range.
Calibration calibrateFixed(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (extents.finite == 0)
        return *answerToOddData(input.scheme, extents);
    Calibration calibration;
    if (input.scheme.isAffine())
        settleEnds(calibration, input, extents);
    else
        settleThreshold(calibration, input.scheme, extents, input.settings.number("threshold"));
    return calibration;
}

Parameter end(std::string id, std::string label, std::string help, double least, double greatest)
{
    return {.id = std::move(id),
            .label = std::move(label),
            .help = std::move(help),
            .kind = Parameter::Kind::NumberOrWord,
            .fallback = std::string(followsThreshold),
            .least = least,
            .greatest = greatest,
            .step = 0.01,
            .words = {std::string(followsThreshold)},
            .schemes = Parameter::Schemes::Affine,
            .isPerChannel = true};
}

}  // namespace

Calibrator fixed()
{
    return {
        .order = 20,
        .id = "fixed",
        .title = "Fixed",
        .summary = "A manual threshold or range, for example 1 for the outputs of a softmax, "
                   "whatever the data.",
        .source = "Rebellions (v3.0), Fixed Scale",
        .parameters = {{.id = "threshold",
                        .label = "Threshold",
                        .help = "The clip range of a symmetric scheme is from minus this to "
                                "this.",
                        .kind = Parameter::Kind::Number,
                        .fallback = std::string(defaultThreshold),
                        .least = 0.0,
                        .greatest = largestFloat,
                        .step = 0.01,
                        .isPerChannel = true},
                       end("low", "Low end", "Low end of the clip range under an affine scheme.",
                           -largestFloat, 0.0),
                       end("high", "High end", "High end of the clip range under an affine scheme.",
                           0.0, largestFloat)},
        .isGivenByHand = true,
        .needs = {},
        .calibrate = calibrateFixed};
}

}  // namespace calibscope::calibration
