// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateClippedShare(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return static_cast<double>(errors.sums.clipped) / static_cast<double>(errors.sums.count);
}

std::optional<Range> boundClippedShare(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    const auto count = static_cast<double>(bounds.count);
    return Range{bounds.clipped.low / count, bounds.clipped.high / count};
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
            .evaluate = evaluateClippedShare,
            .bound = boundClippedShare};
}

}  // namespace calibscope::measure
