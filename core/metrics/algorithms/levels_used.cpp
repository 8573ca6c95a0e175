// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

#include <algorithm>

namespace calibscope::measure {

namespace {

std::optional<double> evaluateLevelsUsed(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    return static_cast<double>(
        std::ranges::count_if(errors.levelCounts, [](std::uint64_t count) { return count > 0; }));
}

std::optional<Range> boundLevelsUsed(const ErrorBounds& bounds)
{
    if (bounds.count == 0)
        return std::nullopt;
    return bounds.levelsUsed;
}

}  // namespace

Metric levelsUsed()
{
    return {.order = 90,
            .id = "levels_used",
            .title = "Levels used",
            .unit = "levels",
            .summary = "Number of integers that occur, out of 2^bits.",
            .better = Metric::Better::Neither,
            .evaluate = evaluateLevelsUsed,
            .bound = boundLevelsUsed};
}

}  // namespace calibscope::measure
