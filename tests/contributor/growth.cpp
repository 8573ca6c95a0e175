// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

namespace calibscope::growth {

namespace {

void growToTheWhole(Histogram& histogram, const Extents& /*batch*/, const ValuesBefore& /*before*/,
                    const Extents& whole)
{
    histogram.low = 0.0;
    histogram.high = whole.absMax();
}

}  // namespace

GrowthRule addedRule()
{
    return {.order = 900,
            .id = "to-the-whole",
            .title = "To the whole",
            .summary = "Over the magnitudes of all batches.",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .countsSigned = false,
            .grow = growToTheWhole};
}

}  // namespace calibscope::growth
