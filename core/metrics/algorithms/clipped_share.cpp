#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluate(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return static_cast<double>(errors.sums.clipped) / static_cast<double>(errors.sums.count);
}

}  // namespace

Metric clippedShare()
{
    return {.order = 50,
            .id = "clipped_share",
            .title = "Clipped",
            .unit = "",
            .summary = "Share of the finite values, 0 to 1, that lie outside the clip range.",
            .better = Metric::Better::Lower,
            .evaluate = evaluate};
}

}  // namespace calibscope::measure
