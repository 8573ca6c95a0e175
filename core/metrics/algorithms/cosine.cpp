// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

#include <algorithm>
#include <cmath>

namespace calibscope::measure {

namespace {

std::optional<double> evaluateCosine(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    const double values = errors.sums.sumSquares;
    const double quantized = errors.sums.sumSquaresQuantized;
    if (values == 0.0 || quantized == 0.0)
        return values == quantized ? 1.0 : 0.0;
    // The roots apart: the product of the sums could leave the range of double.
    const double cosine = errors.sums.sumProducts / (std::sqrt(values) * std::sqrt(quantized));
    return std::clamp(cosine, -1.0, 1.0);
}

std::optional<Range> boundCosine(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    const Range& values = bounds.sumSquares;
    const Range& quantized = bounds.sumSquaresQuantized;
    if (values.high == 0.0 || quantized.high == 0.0) {
        const double cosine = values.high == quantized.high ? 1.0 : 0.0;
        return Range{cosine, cosine};
    }
    if (values.low == 0.0 || quantized.low == 0.0)
        return Range{-1.0, 1.0};
    // With r the ratio of both lengths and e the squared error over the values' squares, the cosine
    // is (1 + r^2 - e) / (2 r): falling in e, convex in r with its least at sqrt(1 - e).
    const Range r{std::sqrt(quantized.low / values.high), std::sqrt(quantized.high / values.low)};
    const Range e{bounds.squaredError.low / values.high, bounds.squaredError.high / values.low};
    const auto at = [](double ratio, double error) {
        return (1.0 + ratio * ratio - error) / (2.0 * ratio);
    };
    const double flattest = std::clamp(std::sqrt(std::max(1.0 - e.high, 0.0)), r.low, r.high);
    constexpr double rounding = 1e-11;  // of the exact pass's sums of products
    return Range{std::clamp(at(flattest, e.high) - rounding, -1.0, 1.0),
                 std::clamp(std::max(at(r.low, e.low), at(r.high, e.low)) + rounding, -1.0, 1.0)};
}

}  // namespace

Metric cosine()
{
    return {.order = 70,
            .id = "cosine",
            .title = "Cosine",
            .unit = "",
            .summary = "Cosine of the angle between the values and what they become; 1 if both are "
                       "all zero, 0 if one is.",
            .better = Metric::Better::Higher,
            .evaluate = evaluateCosine,
            .bound = boundCosine};
}

}  // namespace calibscope::measure
