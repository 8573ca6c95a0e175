// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/histogram/histogram_percentile.h"

namespace calibscope {

namespace {

/// A bin and the cumulative shares at its edges.
struct Reached
{
    std::size_t bin;
    double below;
    double upTo;
};

Reached binThatReaches(const Histogram& histogram, double share)
{
    const double total = static_cast<double>(histogram.total());
    Reached reached{.bin = 0, .below = 0.0, .upTo = 0.0};
    for (; reached.bin < histogram.counts.size(); ++reached.bin) {
        reached.upTo = reached.below + static_cast<double>(histogram.counts[reached.bin]) / total;
        if (reached.upTo >= share)
            break;
        reached.below = reached.upTo;
    }
    return reached;
}

}  // namespace

bool isHistogramEstimator(std::string_view estimator)
{
    return estimator.starts_with("hist-");
}

double histogramQuantile(const Histogram& histogram, double share, std::string_view estimator)
{
    if (histogram.total() == 0)
        return histogram.low;
    const Reached reached = binThatReaches(histogram, share);
    const double bin = static_cast<double>(reached.bin);
    if (reached.bin == histogram.counts.size() || estimator == "hist-left")
        return histogram.at(bin);
    if (estimator == "hist-centre")
        return histogram.at(bin + 0.5);
    if (estimator == "hist-right")
        return histogram.at(bin + 1.0);
    const double held = reached.upTo - reached.below;
    return histogram.at(bin + (held > 0.0 ? (share - reached.below) / held : 0.0));
}

double histogramPercentile(const Histogram& histogram, double percent, std::string_view estimator)
{
    return histogramQuantile(histogram, percent / 100.0, estimator);
}

}  // namespace calibscope
