// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/calibrators/odd_data.h"

namespace calibscope::calibration {

namespace {

Calibration calibrateHalfMaximum(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    Calibration calibration;
    settleThreshold(calibration, input.scheme, extents, extents.absMax() / 2.0);
    return calibration;
}

}  // namespace

Calibrator addedRule()
{
    return {.order = 900,
            .id = "half-maximum",
            .title = "Half the maximum",
            .summary = "Half of the largest magnitude.",
            .source = "An example",
            .parameters = {},
            .needs = {},
            .calibrate = calibrateHalfMaximum};
}

}  // namespace calibscope::calibration
