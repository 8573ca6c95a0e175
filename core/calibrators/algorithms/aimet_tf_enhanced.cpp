// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/aimet_answer.h"
#include "core/calibrators/aimet/density_searches.h"
#include "core/calibrators/calibrator.h"
#include "core/calibrators/odd_data.h"

namespace calibscope::calibration {

namespace {

/// What the levels of a scale and an offset stand for.
void settleEncoding(Calibration& calibration, const CalibratorInput& input, const Extents& extents,
                    const AimetEncoding& encoding)
{
    const Scheme& scheme = input.scheme;
    if (!scheme.isAffine()) {
        settleThreshold(calibration, scheme, extents, encoding.scale * scheme.divisorValue());
        return;
    }
    const double steps = scheme.highLevel() - scheme.lowLevel();
    settleRange(calibration,
                {encoding.scale * encoding.offset, encoding.scale * (encoding.offset + steps)});
}

Calibration calibrateAimetTfEnhanced(const CalibratorInput& input, const TensorProfile& profile)
{
    return aimetCalibration(
        input, profile, [&](Calibration& found, const AveragedDensity& density) {
            const Extents& extents = profile.extents();
            const std::optional<AimetEncoding> best =
                densityLeastCost(density, input.scheme, input.settings.number("clipping-weight"));
            if (best) {
                settleEncoding(found, input, extents, *best);
                return;
            }
            found.notes.emplace_back("no valid trial");
            settleAimetRange(found, input, extents, {extents.min, extents.max});
        });
}

}  // namespace

Calibrator aimetTfEnhanced()
{
    return {.order = 122,
            .id = "aimet-tf-enhanced",
            .title = "AIMET's tf_enhanced (SQNR)",
            .summary = "Scale and zero point with the least squared error of a density averaged "
                       "over the batches, where clipping counts more than rounding.",
            .source = "AIMET (2024-10), DlQuantization: TfEnhancedEncodingAnalyzer",
            .parameters = {{.id = "clipping-weight",
                            .label = "Weight of clipping",
                            .help = "What the squared error of clipped values is multiplied with.",
                            .kind = Parameter::Kind::Number,
                            .fallback = "3",
                            .least = 0.0,
                            .greatest = 1000.0,
                            .step = 0.5},
                           zerosParameter()},
            .seesOrder = true,
            .needs = aimetNeeds,
            .calibrate = calibrateAimetTfEnhanced};
}

}  // namespace calibscope::calibration
