// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/float32.h"
#include "core/stats/edge_growth.h"
#include "core/stats/growth_rule.h"

namespace calibscope::growth {

namespace {

void growAsNeededSingle(Histogram& histogram, const Extents& batch, const ValuesBefore& /*before*/,
                        const Extents& /*whole*/)
{
    for (double& edge : histogram.edges)
        edge = toFloat32(edge);
    if (!histogram.edges.empty())
        histogram.high = histogram.edges.back();
    growNumpyEdges(histogram, batch, true);
}

}  // namespace

GrowthRule asNeededSingle()
{
    return {.order = 44,
            .id = "as-needed-single",
            .title = "As many bins as needed, NumPy, float32",
            .summary = "As as-needed-numpy, but all edges are rounded to float32 before the next "
                       "batch (ONNX Runtime's symmetric percentile).",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .countsSigned = false,
            .grow = growAsNeededSingle};
}

}  // namespace calibscope::growth
