#include "core/calibrators/aimet/aimet_answer.h"
#include "core/calibrators/aimet/density_searches.h"
#include "core/calibrators/calibrator.h"

namespace calibscope::calibration {

namespace {

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = aimetAnswerToOddData(input, extents))
        return *answer;
    Calibration calibration;
    const AveragedDensity density = averagedDensity(input, profile, calibration);
    if (density.hasBins())
        settleAimetRange(calibration, input, extents,
                         densityPercentile(density, input.settings.number("alpha")));
    else
        settleWithoutBins(calibration, input, extents);
    return calibration;
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
            .calibrate = calibrate};
}

}  // namespace calibscope::calibration
