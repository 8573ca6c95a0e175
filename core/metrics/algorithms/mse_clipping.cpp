#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluate(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return errors.sums.squaredClipping / static_cast<double>(errors.sums.count);
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
            .evaluate = evaluate};
}

}  // namespace calibscope::measure
