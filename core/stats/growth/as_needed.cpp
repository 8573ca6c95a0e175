// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/edge_growth.h"
#include "core/stats/growth_rule.h"
#include "core/stats/tool_edges.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope::growth {

namespace {

/// Adds bins at the first width: their number and the edges are each computed in float32 and may
/// disagree by one, and the values counted from now on find their bins by the share of the range
/// to the new last edge, so that the widths drift a little.
void addBins(Histogram& histogram, float largest)
{
    const float width = static_cast<float>(histogram.edges[1]);
    const float end = std::min(largest + width, std::numeric_limits<float>::max());
    histogram.counts.resize(static_cast<std::size_t>(std::ceil(largest / width)));
    std::vector<double> edges = torchArange(end, width);
    while (edges.size() <= histogram.counts.size())
        edges.push_back(edges.back() + static_cast<double>(width));
    setEdges(histogram, std::move(edges), Binning::SingleShare, static_cast<double>(largest));
}

void growAsNeeded(Histogram& histogram, const Extents& batch, const ValuesBefore& /*before*/,
                  const Extents& /*whole*/)
{
    const double largest = batch.absMax();
    if (!(largest > 0.0))
        return;  // zeros are counted in bin 0, and wait there for a width
    if (!(histogram.high > 0.0)) {
        setEdges(histogram, torchLinspace(static_cast<float>(largest), histogram.counts.size()),
                 Binning::SingleShare, largest);
        return;
    }
    if (!(largest > histogram.high))
        return;
    mergeUntilFewEnough(histogram, largest);
    if (histogram.edges.empty())
        addEqualBins(histogram, largest);
    else
        addBins(histogram, static_cast<float>(largest));
}

}  // namespace

GrowthRule asNeeded()
{
    return {.order = 40,
            .id = "as-needed",
            .title = "As many bins as needed",
            .summary = "The first batch that is not all zero sets the width; a larger value adds "
                       "as many bins as it needs. Edges and bins in float32 as PyTorch computes "
                       "them (pytorch-quantization with torch.histc).",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .countsSigned = false,
            .grow = growAsNeeded};
}

}  // namespace calibscope::growth
