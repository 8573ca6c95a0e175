// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/edge_growth.h"
#include "core/stats/growth_rule.h"
#include "core/stats/tool_edges.h"

namespace calibscope::growth {

namespace {

void growFixedNumpy(Histogram& histogram, const Extents& /*batch*/, const ValuesBefore& /*before*/,
                    const Extents& whole)
{
    const double largest = whole.absMax();
    if (!histogram.edges.empty() || !(largest > 0.0))
        return;
    setEdges(histogram, numpyLinspace(0.0, largest, histogram.counts.size()), Binning::Edges,
             largest);
}

}  // namespace

GrowthRule fixedNumpy()
{
    return {.order = 42,
            .id = "fixed-numpy",
            .title = "Fixed, NumPy",
            .summary = "One range from 0 to the greatest recorded magnitude, with float32 edges as "
                       "numpy.histogram makes them (pytorch-quantization's calibrate_weights).",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .countsSigned = false,
            .seesOrder = false,
            .grow = growFixedNumpy};
}

}  // namespace calibscope::growth
