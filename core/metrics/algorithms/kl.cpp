// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/divergence.h"
#include "core/metrics/metric.h"

#include <vector>

namespace calibscope::measure {

namespace {

std::optional<double> evaluateKl(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    const std::vector<double> recorded(errors.recorded.begin(), errors.recorded.end());
    return smoothedDivergence(recorded, errors.quantized);
}

std::optional<Range> boundKl(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    return bounds.divergence;
}

}  // namespace

Metric kl()
{
    return {.order = 80,
            .id = "kl",
            .title = "KL divergence",
            .unit = "nats",
            .summary = "Divergence of the quantized from the recorded distribution over 2048 bins "
                       "of the whole range; shown, never used to rank.",
            .better = Metric::Better::Neither,
            .evaluate = evaluateKl,
            .bound = boundKl};
}

}  // namespace calibscope::measure
