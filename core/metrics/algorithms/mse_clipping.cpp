// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateMseClipping(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return errors.sums.squaredClipping / static_cast<double>(errors.sums.count);
}

std::optional<Range> boundMseClipping(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    const auto count = static_cast<double>(bounds.count);
    return Range{bounds.squaredClipping.low / count, bounds.squaredClipping.high / count};
}

}  // namespace

Metric mseClipping()
{
    return {.order = 40,
            .id = "mse_clipping",
            .title = "MSE of clipping",
            .unit = "",
            .summary = "The part of the MSE that values outside the clip range have.",
            .better = Metric::Better::Lower,
            .evaluate = evaluateMseClipping,
            .bound = boundMseClipping};
}

}  // namespace calibscope::measure
