// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <optional>

namespace calibscope::calibration {

namespace {

/// The ends with 0 in them.
Range withZero(const Range& ends)
{
    return {std::min(ends.low, 0.0), std::max(ends.high, 0.0)};
}

/// The high end raised until both are that far apart.
Range atLeast(double width, const Range& ends)
{
    return {ends.low, std::max(ends.high, ends.low + width)};
}

Calibration calibrateMinMax(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    const double leastRange = input.settings.number("least-range");
    Calibration calibration;
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents)) {
        if (extents.finite == 0 || leastRange == 0.0)
            return *answer;
        calibration.notes = answer->notes;
    }
    const double fraction = input.settings.number("fraction");
    if (input.scheme.isAffine()) {
        const Range ends{fraction * extents.min, fraction * extents.max};
        const bool keepsZero = input.settings.is("zero-in-range", "yes");
        settleFreeRange(calibration, input.settings,
                        atLeast(leastRange, keepsZero ? withZero(ends) : ends));
    } else {
        const Range ends = withZero({extents.min, extents.max});
        settleThreshold(calibration, input.scheme, extents,
                        fraction * thresholdOver(input.scheme, atLeast(leastRange, ends)));
    }
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
                            .step = 0.001},
                           {.id = "least-range",
                            .label = "Least range",
                            .help = "The high end is raised until the range, with 0 in it, is that "
                                    "wide; also of a tensor of zeros.",
                            .kind = Parameter::Kind::Number,
                            .fallback = "0",
                            .least = 0.0,
                            .greatest = 1e6,
                            .step = 0.01},
                           zeroInRangeParameter()},
            .needs = {},
            .calibrate = calibrateMinMax};
}

}  // namespace calibscope::calibration
