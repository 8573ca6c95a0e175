// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

namespace calibscope::measure {

namespace {

std::optional<double> evaluateFiniteValues(const ErrorSummary& errors)
{
    return static_cast<double>(errors.sums.count);
}

}  // namespace

Metric addedRule()
{
    return {.order = 900,
            .id = "finite_values",
            .title = "Finite values",
            .unit = "",
            .summary = "How many values were quantized.",
            .evaluate = evaluateFiniteValues};
}

}  // namespace calibscope::measure
