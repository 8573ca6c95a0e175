#include "core/stats/edge_growth.h"
#include "core/stats/growth_rule.h"
#include "core/stats/tool_edges.h"

namespace calibscope::growth {

namespace {

/// The range of the first batch; one value alone gets half of 1 on both sides, in double, as
/// numpy.histogram has it.
Range firstRange(const Extents& batch)
{
    if (batch.absMin == batch.absMax())
        return {batch.absMin - 0.5, batch.absMin + 0.5};
    return {batch.absMin, batch.absMax()};
}

/// The further edges from the last one to `largest`. Edges are float32 until the first growth;
/// from then on they are double, and so is their arithmetic.
std::vector<double> furtherEdges(const Histogram& histogram, double largest)
{
    const double last = histogram.edges.back();
    const double width = histogram.edges[1] - histogram.edges[0];
    const bool isSingle = histogram.counts.size() == static_cast<std::size_t>(histogram.spec.bins);
    if (!isSingle)
        return numpyArange(last + width, largest + width, width);
    const float singleWidth =
        static_cast<float>(histogram.edges[1]) - static_cast<float>(histogram.edges[0]);
    return numpyArange(static_cast<float>(last) + singleWidth,
                       static_cast<float>(largest) + singleWidth, singleWidth);
}

void addBins(Histogram& histogram, double largest)
{
    std::vector<double> edges = histogram.edges;
    const std::vector<double> further = furtherEdges(histogram, largest);
    edges.insert(edges.end(), further.begin(), further.end());
    histogram.counts.resize(edges.size() - 1);
    setEdges(histogram, std::move(edges), Binning::Edges, largest);
}

void grow(Histogram& histogram, const Extents& batch, const Extents& /*whole*/)
{
    if (batch.finite == 0)
        return;
    const double largest = batch.absMax();
    if (!(histogram.high > 0.0)) {
        const Range range = firstRange(batch);
        setEdges(histogram, numpyLinspace(range.low, range.high, histogram.counts.size()),
                 Binning::Edges, largest);
        return;
    }
    if (!(largest > histogram.high))
        return;
    mergeUntilFewEnough(histogram, largest);
    if (histogram.edges.empty())
        addEqualBins(histogram, largest);
    else
        addBins(histogram, largest);
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
            .grow = grow};
}

}  // namespace calibscope::growth
