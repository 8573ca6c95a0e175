// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/quant/quantizer.h"

namespace calibscope {

/// Values of which only the number, the mean and an interval that holds them are known. Requires
/// count >= 1, low <= mean <= high.
struct ValueSpread
{
    double low = 0.0;
    double high = 0.0;
    double mean = 0.0;
    double count = 0.0;
    double scatter = 0.0;  ///< the most that the sum of (x - mean)^2 can be
};

/// What a quantizer can make of such values: ranges of their sums, both ends included.
struct SpreadBounds
{
    Range clipped;  ///< number of values
    Range squaredError;
    Range squaredRounding;
    Range squaredClipping;
    Range sumSquaresQuantized;
    Range maxError;      ///< of the largest |x - fq(x)| among them
    int firstLevel = 0;  ///< no value becomes a level outside [firstLevel, lastLevel]
    int lastLevel = 0;
};

/// The bounds of spread values under a quantizer.
///
/// The error e(x) = (x - fq(x))^2 is the least of the parabolas (x - v)^2 around all levels' values
/// v. Values of a given mean between two ends have a mean of e(x) between e's convex and its
/// concave envelope at that mean (Jensen), and reach both but for their number; the same of the
/// step functions that count clipped values and levels. Exact but for rounding: about 2^-50
/// (|x| + |v|) in each distance.
[[nodiscard]] SpreadBounds spreadBounds(const ValueSpread& values, const Quantizer& quantizer);

/// How far rounding can move the border between two levels' cells from where it is computed, for
/// values up to `magnitude`: a few units in the last place of each term.
[[nodiscard]] double cellBorderSlack(const Quantizer& quantizer, double magnitude);

}  // namespace calibscope
