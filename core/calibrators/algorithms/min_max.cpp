#include "core/calibrators/calibrator.h"

#include "core/calibrators/odd_data.h"

namespace calibscope::calibration {

namespace {

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const double fraction = input.settings.number("fraction");
    Calibration calibration;
    if (input.scheme.isAffine())
        settleRange(calibration, {fraction * extents.min, fraction * extents.max});
    else
        settleThreshold(calibration, input.scheme, extents,
                        fraction * thresholdOver(input.scheme, {extents.min, extents.max}));
    return calibration;
}

}  // namespace

Calibrator minMax()
{
    return {.order = 10,
            .id = "min-max",
            .title = "Min-max",
            .summary = "The whole recorded range, or a fraction of it close to 1.",
            .source = "Rebellions (v3.0), Min/Max; Moffett, min-max; NVIDIA (v4.0), weights and "
                      "Fractional; Google TPU, weights; Qualcomm (v3.0), weights",
            .parameters = {{.id = "fraction",
                            .label = "Fraction",
                            .help = "What share of the largest magnitude (affine: of both ends) "
                                    "is kept.",
                            .kind = Parameter::Kind::Number,
                            .fallback = "1",
                            .least = 1e-6,
                            .greatest = 1.0,
                            .step = 0.001}},
            .needs = {},
            .calibrate = calibrate};
}

}  // namespace calibscope::calibration
