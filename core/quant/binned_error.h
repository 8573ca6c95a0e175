// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"
#include "core/stats/histogram.h"
#include "core/stats/magnitude_sketch.h"

#include <cstdint>
#include <vector>

namespace calibscope {

/// Squared error of a quantizer, in each bin of a histogram. A clipped value's whole error is
/// clipping, any other's is rounding.
struct BinnedError
{
    Domain domain = Domain::Magnitude;
    Range range;                   ///< that the bins divide equally
    std::vector<double> rounding;  ///< by bin: sum of (x - fq(x))^2
    std::vector<double> clipping;
    double allRounding = 0.0;  ///< of all bins
    double allClipping = 0.0;
    std::uint64_t count = 0;  ///< finite values

    [[nodiscard]] double total() const { return allRounding + allClipping; }
    /// The squared error's mean; 0 without values.
    [[nodiscard]] double mean() const
    {
        return count > 0 ? total() / static_cast<double>(count) : 0.0;
    }
};

/// The error of the values that a sketch was made of, as if each had the mean of its sketch bin,
/// which is how metrics are estimated: mean() is the estimated MSE but for the order of summing. A
/// sketch bin's error lies evenly over the part of it that is inside the histogram's range.
///
/// `bins` gives domain, range and number of bins, its counts are not looked at. Without a width of
/// its range everything lies in the first bin. Requires equal bins, at least one.
[[nodiscard]] BinnedError binnedError(const MagnitudeSketch& sketch, const Quantizer& quantizer,
                                      const Histogram& bins);

}  // namespace calibscope
