// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

namespace calibscope::growth {

namespace {

/// One range for all batches, known before the first value is counted (two passes over the data).
void growFixed(Histogram& histogram, const Extents& /*batch*/, const ValuesBefore& /*before*/,
               const Extents& whole)
{
    const bool isSigned = histogram.spec.domain == Domain::Signed;
    histogram.low = isSigned ? whole.min : 0.0;
    histogram.high = isSigned ? whole.max : whole.absMax();
}

}  // namespace

GrowthRule fixed()
{
    return {.order = 30,
            .id = "fixed",
            .title = "Fixed range",
            .summary = "One range from the least to the greatest recorded value, known from a "
                       "first pass: what the "
                       "streamed rules approach.",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .seesOrder = false,
            .grow = growFixed};
}

}  // namespace calibscope::growth
