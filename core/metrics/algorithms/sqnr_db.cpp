// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

#include <cmath>
#include <limits>

namespace calibscope::measure {

namespace {

double decibels(double signal, double noise)
{
    return noise == 0.0 ? std::numeric_limits<double>::infinity()
                        : 10.0 * std::log10(signal / noise);
}

std::optional<double> evaluateSqnrDb(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return decibels(errors.sums.sumSquares,
                    errors.sums.squaredRounding + errors.sums.squaredClipping);
}

std::optional<Range> boundSqnrDb(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    return Range{decibels(bounds.sumSquares.low, bounds.squaredError.high),
                 decibels(bounds.sumSquares.high, bounds.squaredError.low)};
}

}  // namespace

Metric sqnrDb()
{
    return {.order = 10,
            .id = "sqnr_db",
            .title = "SQNR",
            .unit = "dB",
            .summary = "Signal to quantization noise: the sum of squares of the values over that "
                       "of their errors; infinite where nothing is lost.",
            .better = Metric::Better::Higher,
            .evaluate = evaluateSqnrDb,
            .bound = boundSqnrDb};
}

}  // namespace calibscope::measure
