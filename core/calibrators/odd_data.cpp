// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/odd_data.h"

#include <algorithm>

namespace calibscope {

std::optional<Calibration> answerToOddData(const Scheme& scheme, const Extents& extents)
{
    Calibration answer;
    if (extents.finite == 0) {
        answer.notes.emplace_back("no finite value");
        return answer;
    }
    if (extents.absMax() > 0.0)
        return std::nullopt;
    if (scheme.isAffine())
        answer.clip.range = Range{0.0, 0.0};
    else
        answer.clip.threshold = 0.0;
    answer.notes.emplace_back("all zero");
    return answer;
}

void settleThreshold(Calibration& calibration, const Scheme& scheme, const Extents& extents,
                     double threshold)
{
    if (scheme.isAffine()) {
        calibration.clip.range = Range{std::max(0.0 - threshold, std::min(extents.min, 0.0)),
                                       std::min(threshold, std::max(extents.max, 0.0))};
        calibration.notes.emplace_back(
            "a threshold under an affine scheme: cut at the least and greatest value");
        if (extents.absMax() == 0.0)
            calibration.notes.emplace_back("all zero");
        return;
    }
    calibration.clip.threshold = threshold;
    if (threshold > extents.absMax())
        calibration.notes.emplace_back("threshold above the maximum");
}

void settleRange(Calibration& calibration, const Range& range)
{
    calibration.clip.range = Range{std::min(range.low, 0.0), std::max(range.high, 0.0)};
}

Parameter zeroInRangeParameter()
{
    Parameter parameter =
        choiceParameter("zero-in-range", "Zero in range",
                        "Affine schemes: whether the range is extended to 0; no: it stays as it "
                        "is, for zero points that are real numbers (affine-real).",
                        {"yes", "no"});
    parameter.schemes = Parameter::Schemes::Affine;
    return parameter;
}

void settleFreeRange(Calibration& calibration, const Settings& settings, const Range& range)
{
    settleRange(calibration, range);
    if (settings.is("zero-in-range", "yes") || calibration.clip.range == range)
        return;
    if (range.width() > 0.0)
        calibration.clip.range = range;
    else
        calibration.notes.emplace_back("zero-in-range=no leaves no width: 0 is put into the range");
}

}  // namespace calibscope
