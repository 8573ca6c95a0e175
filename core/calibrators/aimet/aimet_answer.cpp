// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/aimet_answer.h"

#include "core/base/number_text.h"
#include "core/calibrators/observer/observed_batches.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <stdexcept>

namespace calibscope {

namespace {

AveragedDensity averagedDensity(const CalibratorInput& input, const TensorProfile& profile,
                                Calibration& calibration)
{
    if (input.values == nullptr)
        throw std::invalid_argument("averaged density: its values were not given");
    AveragedDensity density;
    observeBatches(profile, *input.values,
                   {.begin = [&](const Extents& batch) { density.beginBatch(batch); },
                    .add = [&](std::span<const float> values) { density.add(values); },
                    .end = [&] { density.endBatch(); }});
    if (density.leftOut() > 0)
        calibration.notes.push_back(countText(density.leftOut(), "value", "values") +
                                    " beyond three times the first batch's range left out, as the "
                                    "tool does");
    return density;
}

}  // namespace

CalibratorNeeds aimetNeeds(const CalibratorInput& /*input*/, const Extents& extents)
{
    return {.histograms = {}, .orders = {}, .values = extents.absMax() > 0.0};
}

Parameter zerosParameter()
{
    return choiceParameter("zeros", "Tensor of zeros",
                           "The clip range of nothing but zeros: empty, or one of all levels from "
                           "-1 to 1 as the tool has it.",
                           {"empty", "one"});
}

std::optional<Calibration> aimetAnswerToOddData(const CalibratorInput& input,
                                                const Extents& extents)
{
    std::optional<Calibration> answer = answerToOddData(input.scheme, extents);
    if (!answer || extents.finite == 0 || input.settings.is("zeros", "empty"))
        return answer;
    if (input.scheme.isAffine()) {
        answer->clip.range = Range{-1.0, 1.0};
    } else {
        const double scale = 2.0 / (input.scheme.highLevel() - input.scheme.lowLevel());
        answer->clip.threshold = scale * input.scheme.divisorValue();
    }
    return answer;
}

void settleAimetRange(Calibration& calibration, const CalibratorInput& input,
                      const Extents& extents, const Range& range)
{
    if (input.scheme.isAffine())
        settleRange(calibration, range);
    else
        settleThreshold(calibration, input.scheme, extents,
                        std::max({0.0, range.high, 0.0 - range.low}));
}

void settleWithoutBins(Calibration& calibration, const CalibratorInput& input,
                       const Extents& extents)
{
    calibration.notes.emplace_back(
        "the range is too narrow or too wide for bins in float32: all of it is kept");
    settleAimetRange(calibration, input, extents, {extents.min, extents.max});
}

Calibration aimetCalibration(const CalibratorInput& input, const TensorProfile& profile,
                             const DensitySearch& search)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = aimetAnswerToOddData(input, extents))
        return *answer;
    Calibration calibration;
    const AveragedDensity density = averagedDensity(input, profile, calibration);
    if (density.hasBins())
        search(calibration, density);
    else
        settleWithoutBins(calibration, input, extents);
    return calibration;
}

}  // namespace calibscope
