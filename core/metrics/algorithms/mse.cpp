#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluate(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return (errors.sums.squaredRounding + errors.sums.squaredClipping) /
           static_cast<double>(errors.sums.count);
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
            .evaluate = evaluate};
}

}  // namespace calibscope::measure
