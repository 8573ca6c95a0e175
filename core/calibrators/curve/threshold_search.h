// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace calibscope {

/// A share of the largest magnitude: in double, or with both factors and the product rounded to
/// float32, as tools have it; there the greatest float32 where the product overflows.
[[nodiscard]] inline double product(double share, double absMax, bool isFloat32)
{
    if (!isFloat32)
        return share * absMax;
    const float rounded = static_cast<float>(share) * static_cast<float>(absMax);
    return static_cast<double>(std::min(rounded, std::numeric_limits<float>::max()));
}

/// The p-norm of the quantization error per element, (mean |x - fq(x)|^p)^(1/p) over the finite
/// values, for each of these quantizers: in one visit. 0 without finite values. Never overflows.
/// Independent of the order of the values but for the last digits (1e-13 relative).
[[nodiscard]] std::vector<double> errorNorms(const ValueSource& source,
                                             std::span<const Quantizer> quantizers, double p,
                                             double absMax, const Progress& progress);

/// Takes the trial threshold with the least error norm under the input's scheme; the curve
/// holds them all. `thresholds` ascend and are above 0; of several least ones the greatest is taken
/// if `takesWidest`. Throws std::invalid_argument if there are no values.
[[nodiscard]] Calibration searchThresholds(const CalibratorInput& input, const Extents& extents,
                                           std::vector<double> thresholds, double p,
                                           bool takesWidest);

}  // namespace calibscope
