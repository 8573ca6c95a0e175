// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateMse(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return (errors.sums.squaredRounding + errors.sums.squaredClipping) /
           static_cast<double>(errors.sums.count);
}

std::optional<Range> boundMse(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    const auto count = static_cast<double>(bounds.count);
    return Range{bounds.squaredError.low / count, bounds.squaredError.high / count};
}

}  // namespace

Metric mse()
{
    return {.order = 20,
            .id = "mse",
            .title = "MSE",
            .unit = "",
            .summary = "Mean squared error of all finite values: rounding and clipping together.",
            .better = Metric::Better::Lower,
            .evaluate = evaluateMse,
            .bound = boundMse};
}

}  // namespace calibscope::measure
