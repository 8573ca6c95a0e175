// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/edge_growth.h"
#include "core/stats/growth_rule.h"

namespace calibscope::growth {

namespace {

void growAsNeededNumpy(Histogram& histogram, const Extents& batch, const ValuesBefore& /*before*/,
                       const Extents& /*whole*/)
{
    growNumpyEdges(histogram, batch, false);
}

}  // namespace

GrowthRule asNeededNumpy()
{
    return {.order = 41,
            .id = "as-needed-numpy",
            .title = "As many bins as needed, NumPy",
            .summary = "The same as numpy.histogram makes it: the first batch's least and largest "
                       "magnitude are the range, a larger value adds bins above it, and smaller "
                       "values of later batches are left out (pytorch-quantization with "
                       "torch_hist=False).",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .countsSigned = false,
            .grow = growAsNeededNumpy};
}

}  // namespace calibscope::growth
