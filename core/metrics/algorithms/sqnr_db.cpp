#include "core/metrics/metric.h"

#include <cmath>
#include <limits>

namespace calibscope::measure {

namespace {

std::optional<double> evaluate(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    const double noise = errors.sums.squaredRounding + errors.sums.squaredClipping;
    if (noise == 0.0)
        return std::numeric_limits<double>::infinity();
    return 10.0 * std::log10(errors.sums.sumSquares / noise);
}

}  // namespace

Metric sqnrDb()
{
    return {.order = 10,
            .id = "sqnr_db",
            .title = "SQNR",
            .unit = "dB",
            .summary = "Signal to quantization noise: the sum of squares of the values over that "
                       "of their errors; infinite where nothing is lost.",
            .better = Metric::Better::Higher,
            .evaluate = evaluate};
}

}  // namespace calibscope::measure
