// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateMaxError(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return errors.sums.maxError;
}

std::optional<Range> boundMaxError(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    return bounds.maxError;
}

}  // namespace

Metric maxError()
{
    return {.order = 60,
            .id = "max_error",
            .title = "Largest error",
            .unit = "",
            .summary = "Largest absolute difference between a value and what it becomes.",
            .better = Metric::Better::Lower,
            .evaluate = evaluateMaxError,
            .bound = boundMaxError};
}

}  // namespace calibscope::measure
