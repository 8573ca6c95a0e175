// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateSquaredError(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return errors.sums.squaredRounding + errors.sums.squaredClipping;
}

std::optional<Range> boundSquaredError(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    return bounds.squaredError;
}

}  // namespace

Metric squaredError()
{
    return {.order = 100,
            .id = "squared_error",
            .title = "Squared error",
            .unit = "",
            .summary = "Sum of the squared differences between the values and what they become: "
                       "Moffett's quantization error of an output.",
            .better = Metric::Better::Lower,
            .evaluate = evaluateSquaredError,
            .bound = boundSquaredError};
}

}  // namespace calibscope::measure
