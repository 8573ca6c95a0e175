// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/histogram/histogram_mass.h"
#include "core/quant/quantizer.h"

namespace calibscope {

/// Squared error of a quantizer, summed. A clipped value's whole error is clipping.
struct SplitError
{
    double rounding = 0.0;
    double clipping = 0.0;

    [[nodiscard]] double total() const { return rounding + clipping; }
};

/// The error on a distribution of mass, by whichever form costs less. Never negative, never NaN.
[[nodiscard]] SplitError quantizationError(const HistogramMass& mass, const Quantizer& quantizer);

/// The part of the points that lie beside the bins.
[[nodiscard]] SplitError errorOfPoints(const std::vector<PointMass>& points,
                                       const Quantizer& quantizer);

/// A lower bound of the error that costs no more than four look-ups: what the values outside the
/// clip range add, where they all become the outer levels; else 0.
[[nodiscard]] double leastError(const HistogramMass& mass, const Quantizer& quantizer);

/// quantizationError() from prefix sums: O(levels).
[[nodiscard]] SplitError errorByLevels(const HistogramMass& mass, const Quantizer& quantizer);

/// quantizationError() from the integral over each bin: O(bins), whatever the number of levels.
[[nodiscard]] SplitError errorByBins(const HistogramMass& mass, const Quantizer& quantizer);

}  // namespace calibscope
