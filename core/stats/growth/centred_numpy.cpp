// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/stats/centred_bins.h"
#include "core/stats/edge_growth.h"
#include "core/stats/growth_rule.h"

#include <cmath>

namespace calibscope::growth {

namespace {

/// numpy.histogram's range where there is nothing but zeros: half of 1 on both sides.
constexpr double halfOfOne = 0.5;

/// numpy.floor_divide of two positive doubles.
double floorQuotient(double value, double divisor)
{
    const double quotient = (value - std::fmod(value, divisor)) / divisor;
    const double floor = std::floor(quotient);
    return quotient - floor > 0.5 ? floor + 1.0 : floor;
}

void addAtBothEnds(Histogram& histogram, std::size_t bins)
{
    histogram.counts.insert(histogram.counts.begin(), bins, 0);
    histogram.counts.insert(histogram.counts.end(), bins, 0);
}

/// How many bins of that width the range needs at each end to hold `largest`. Two float32 ends are
/// subtracted in float32: the ends are double only after the range has been widened.
double furtherBins(const Histogram& histogram, double largest, double width)
{
    const bool isSingle = histogram.counts.size() == static_cast<std::size_t>(histogram.spec.bins);
    const double distance =
        isSingle
            ? static_cast<double>(static_cast<float>(largest) - static_cast<float>(histogram.high))
            : largest - histogram.high;
    return floorQuotient(distance, width) + 1.0;
}

/// 2 half / bins.
double widthOf(const Histogram& histogram)
{
    return 2.0 * histogram.high / static_cast<double>(histogram.counts.size());
}

void widen(Histogram& histogram, double largest)
{
    bool hasMerged = false;
    for (; 2.0 * (largest / widthOf(histogram) + 1.0) > mostAddedBins; hasMerged = true)
        mergeAroundMiddle(histogram);
    if (hasMerged)
        histogram.notes.push_back("more than 2^20 bins: neighbouring bins were merged, the width "
                                  "is now " +
                                  numberText(widthOf(histogram)));
    double half = histogram.high;
    if (largest > half) {
        const double width = widthOf(histogram);
        const double bins = furtherBins(histogram, largest, width);
        addAtBothEnds(histogram, static_cast<std::size_t>(bins));
        half = bins * width + histogram.high;
    }
    setHalfRange(histogram, half);
}

void growCentredNumpy(Histogram& histogram, const Extents& batch, const ValuesBefore& before,
                      const Extents& /*whole*/)
{
    if (batch.finite == 0)
        return;
    const double largest = batch.absMax();
    if (!(histogram.high > 0.0))
        setHalfRange(histogram, largest > 0.0 ? largest : halfOfOne);
    else if (largest > 0.0 && before.zeros == before.finite)  // its range is none to be widened
        setHalfRange(histogram, largest);
    else if (largest > histogram.high)
        widen(histogram, largest);
}

}  // namespace

GrowthRule centredNumpy()
{
    return {.order = 43,
            .id = "centred-numpy",
            .title = "Around 0, NumPy",
            .summary = "From minus to plus the first batch's largest magnitude; a larger value "
                       "adds as many bins as it needs at both ends, the width stays. Edges in "
                       "float32 as numpy.histogram makes them (MXNet; ONNX Runtime's entropy and "
                       "asymmetric percentile).",
            .bins = 8001,
            .domain = Domain::Signed,
            .grow = growCentredNumpy};
}

}  // namespace calibscope::growth
