// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateMseRounding(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return errors.sums.squaredRounding / static_cast<double>(errors.sums.count);
}

std::optional<Range> boundMseRounding(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    const auto count = static_cast<double>(bounds.count);
    return Range{bounds.squaredRounding.low / count, bounds.squaredRounding.high / count};
}

}  // namespace

Metric mseRounding()
{
    return {.order = 30,
            .id = "mse_rounding",
            .title = "MSE of rounding",
            .unit = "",
            .summary = "The part of the MSE that values inside the clip range have.",
            .better = Metric::Better::Lower,
            .evaluate = evaluateMseRounding,
            .bound = boundMseRounding};
}

}  // namespace calibscope::measure
