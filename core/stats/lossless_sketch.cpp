// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/lossless_sketch.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

void addTimes(Histogram& histogram, double value, std::uint64_t count)
{
    const double x = histogram.spec.domain == Domain::Magnitude ? std::abs(value) : value;
    if (histogram.binning != Binning::Share && !histogram.range().contains(x))
        histogram.leftOut += count;
    else
        histogram.counts[histogram.binOf(value)] += count;
}

double signedOrder(const MagnitudeSketch& sketch, std::uint64_t rank)
{
    for (auto bin = sketch.negative.rbegin(); bin != sketch.negative.rend(); ++bin) {
        if (rank < bin->count)
            return -bin->lowEdge();
        rank -= bin->count;
    }
    if (rank < sketch.zeros)
        return 0.0;
    rank -= sketch.zeros;
    for (const SketchBin& bin : sketch.positive) {
        if (rank < bin.count)
            return bin.lowEdge();
        rank -= bin.count;
    }
    return 0.0;
}

}  // namespace

bool isLossless(const MagnitudeSketch& sketch)
{
    const auto keepsAll = [](const SketchBin& bin) { return bin.dropped == 0; };
    return std::ranges::all_of(sketch.negative, keepsAll) &&
           std::ranges::all_of(sketch.positive, keepsAll);
}

double orderIn(const MagnitudeSketch& sketch, const OrderRequest& request)
{
    if (request.domain == Domain::Signed)
        return signedOrder(sketch, request.rank);
    const std::optional<SketchPlace> place = sketch.placeOfMagnitude(request.rank);
    return place ? SketchBin{.key = place->key, .count = 1}.lowEdge() : 0.0;
}

void addAll(Histogram& histogram, const MagnitudeSketch& sketch)
{
    if (histogram.counts.empty())
        return;
    if (sketch.zeros > 0)
        addTimes(histogram, 0.0, sketch.zeros);
    for (const SketchBin& bin : sketch.negative)
        addTimes(histogram, -bin.lowEdge(), bin.count);
    for (const SketchBin& bin : sketch.positive)
        addTimes(histogram, bin.lowEdge(), bin.count);
}

}  // namespace calibscope
