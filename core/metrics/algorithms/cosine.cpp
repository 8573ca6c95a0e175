#include "core/metrics/metric.h"

#include <algorithm>
#include <cmath>

namespace calibscope::measure {

namespace {

std::optional<double> evaluate(const ErrorSummary& errors)
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
            .evaluate = evaluate};
}

}  // namespace calibscope::measure
