// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/aimet_answer.h"
#include "core/calibrators/aimet/density_searches.h"
#include "core/calibrators/calibrator.h"

namespace calibscope::calibration {

namespace {

Calibration calibrateAimetPercentile(const CalibratorInput& input, const TensorProfile& profile)
{
    return aimetCalibration(
        input, profile, [&](Calibration& found, const AveragedDensity& density) {
            settleAimetRange(found, input, profile.extents(),
                             densityPercentile(density, input.settings.number("alpha")));
        });
}

}  // namespace

Calibrator aimetPercentile()
{
    return {.order = 120,
            .id = "aimet-percentile",
            .title = "AIMET's percentile",
            .summary = "Cuts all of 1 - alpha off at each end of a density averaged over the "
                       "batches, at left edges of its bins; a symmetric threshold is the farther "
                       "end.",
            .source = "AIMET (2024-10), DlQuantization: PercentileEncodingAnalyzer",
            .parameters = {{.id = "alpha",
                            .label = "Kept share",
                            .help = "Share of the values up to which each end reaches; 100 keeps "
                                    "all bins that are not empty.",
                            .kind = Parameter::Kind::Number,
                            .fallback = "99.99",
                            .least = 50.0,
                            .greatest = 100.0,
                            .step = 0.001,
                            .unit = "%"},
                           zerosParameter()},
            .seesOrder = true,
            .needs = aimetNeeds,
            .calibrate = calibrateAimetPercentile};
}

}  // namespace calibscope::calibration
