// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/edge_growth.h"

#include "core/base/number_text.h"
#include "core/stats/tool_edges.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace calibscope {

namespace {

void mergePairs(Histogram& histogram)
{
    std::vector<double>& edges = histogram.edges;
    const bool isOdd = histogram.counts.size() % 2 != 0;
    if (isOdd) {
        histogram.high += histogram.width();
        histogram.counts.push_back(0);
    }
    for (std::size_t pair = 0; pair < histogram.counts.size() / 2; ++pair)
        histogram.counts[pair] = histogram.counts[2 * pair] + histogram.counts[2 * pair + 1];
    histogram.counts.resize(histogram.counts.size() / 2);
    if (edges.empty())
        return;
    edges.resize(2 * histogram.counts.size() + (isOdd ? 0 : 1));
    if (isOdd)
        edges.push_back(2.0 * edges.back() - edges[edges.size() - 2]);
    for (std::size_t bin = 0; bin <= histogram.counts.size(); ++bin)
        edges[bin] = edges[2 * bin];
    edges.resize(histogram.counts.size() + 1);
    histogram.high = edges.back();
}

double widthOf(const Histogram& histogram)
{
    return histogram.edges.empty() ? histogram.width() : histogram.edges[1] - histogram.edges[0];
}

/// The range of the first batch; one value alone gets half of 1 on both sides, in double, as
/// numpy.histogram has it.
Range firstNumpyRange(const Extents& batch)
{
    if (batch.absMin == batch.absMax())
        return {batch.absMin - 0.5, batch.absMin + 0.5};
    return {batch.absMin, batch.absMax()};
}

/// The further edges from the last one to `largest`, from float32 edges or from double ones.
std::vector<double> furtherEdges(const Histogram& histogram, double largest, bool isSingle)
{
    const double last = histogram.edges.back();
    const double width = histogram.edges[1] - histogram.edges[0];
    if (!isSingle)
        return numpyArange(last + width, largest + width, width);
    const float singleWidth =
        static_cast<float>(histogram.edges[1]) - static_cast<float>(histogram.edges[0]);
    return numpyArange(static_cast<float>(last) + singleWidth,
                       static_cast<float>(largest) + singleWidth, singleWidth);
}

void addNumpyBins(Histogram& histogram, double largest, bool isSingle)
{
    std::vector<double> edges = histogram.edges;
    const std::vector<double> further = furtherEdges(histogram, largest, isSingle);
    edges.insert(edges.end(), further.begin(), further.end());
    histogram.counts.resize(edges.size() - 1);
    setEdges(histogram, std::move(edges), Binning::Edges, largest);
}

}  // namespace

void setEdges(Histogram& histogram, std::vector<double> edges, Binning binning, double largest)
{
    const bool ascends = std::ranges::adjacent_find(edges, std::greater_equal<>()) == edges.end() &&
                         std::isfinite(edges.back());
    if (!ascends) {
        histogram.low = 0.0;
        histogram.high = largest;
        histogram.edges.clear();
        histogram.binning = Binning::Share;
        histogram.notes.emplace_back(
            "the range is too narrow for edges in float32, equal bins in double are used");
        return;
    }
    histogram.low = edges.front();
    histogram.high = edges.back();
    histogram.edges = std::move(edges);
    histogram.binning = binning;
}

void addEqualBins(Histogram& histogram, double largest)
{
    const double width = histogram.width();
    const double bins = std::ceil(largest / width);
    if (!(bins > static_cast<double>(histogram.counts.size())))
        return;
    histogram.counts.resize(static_cast<std::size_t>(bins));
    histogram.high = std::max(bins * width, largest);
}

void mergeUntilFewEnough(Histogram& histogram, double largest)
{
    bool hasMerged = false;
    for (; largest / widthOf(histogram) > mostAddedBins; hasMerged = true)
        mergePairs(histogram);
    if (hasMerged)
        histogram.notes.push_back(
            "more than 2^20 bins: pairs of bins were merged, the width is now " +
            numberText(widthOf(histogram)));
}

void growNumpyEdges(Histogram& histogram, const Extents& batch, bool staysSingle)
{
    if (batch.finite == 0)
        return;
    const double largest = batch.absMax();
    if (!(histogram.high > 0.0)) {
        const Range range = firstNumpyRange(batch);
        setEdges(histogram, numpyLinspace(range.low, range.high, histogram.counts.size()),
                 Binning::Edges, largest);
        return;
    }
    if (!(largest > histogram.high))
        return;
    mergeUntilFewEnough(histogram, largest);
    // Edges are float32 until the first growth.
    const bool isFirst = histogram.counts.size() == static_cast<std::size_t>(histogram.spec.bins);
    if (histogram.edges.empty())
        addEqualBins(histogram, largest);
    else
        addNumpyBins(histogram, largest, staysSingle || isFirst);
}

}  // namespace calibscope
