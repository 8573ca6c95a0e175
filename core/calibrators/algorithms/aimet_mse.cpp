// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/aimet_answer.h"
#include "core/calibrators/aimet/density_searches.h"
#include "core/calibrators/calibrator.h"

namespace calibscope::calibration {

namespace {

Calibration calibrateAimetMse(const CalibratorInput& input, const TensorProfile& profile)
{
    return aimetCalibration(input, profile,
                            [&](Calibration& found, const AveragedDensity& density) {
                                settleAimetRange(found, input, profile.extents(),
                                                 densityLeastError(density, input.scheme));
                            });
}

}  // namespace

Calibrator aimetMse()
{
    return {.order = 121,
            .id = "aimet-mse",
            .title = "AIMET's mean squared error",
            .summary = "The pair of bin edges, one on each side of 0, with the least squared error "
                       "of a density averaged over the batches.",
            .source = "AIMET (2024-10), DlQuantization: MseEncodingAnalyzer",
            .parameters = {zerosParameter()},
            .seesOrder = true,
            .needs = aimetNeeds,
            .calibrate = calibrateAimetMse};
}

}  // namespace calibscope::calibration
