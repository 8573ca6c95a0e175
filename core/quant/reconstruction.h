// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"
#include "core/stats/histogram.h"
#include "core/stats/magnitude_sketch.h"

#include <vector>

namespace calibscope {

/// What is left of a distribution once it is quantized, in the bins of a histogram: the values of
/// each integer level lie evenly over the level's rounding cell, from s (q - z - 1/2) to
/// s (q - z + 1/2); the end levels' cells end at the clip range where it ends inside them, and all
/// cells at the ends of the histogram, beyond which no value lies. Levels are counted as if each
/// value had the mean of its sketch bin; zeros are exact. The counts' sum is the sketch's.
///
/// `bins` gives domain, range and number of bins, its counts are not looked at. Without a width of
/// its range everything lies in the first bin. Requires equal bins, at least one.
[[nodiscard]] std::vector<double> reconstructedCounts(const MagnitudeSketch& sketch,
                                                      const Quantizer& quantizer,
                                                      const Histogram& bins);

}  // namespace calibscope
