// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/spread_content.h"

#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace calibscope {

namespace {

constexpr double binsPerBit = 4.0;
constexpr double mostBits = 64.0;  // beyond it bins grow, so that no plot has thousands of them

}  // namespace

void SpreadContent::setScales(std::span<const double> scales)
{
    std::vector<double> bits;
    for (const double scale : scales)
        if (std::isfinite(scale) && scale > 0.0)
            bits.push_back(std::log2(scale));
    if (bits.empty())
        return setEmpty(tr("There are no per-channel scales to show."));
    const auto [least, most] = std::ranges::minmax(bits);
    const double step = std::max(1.0, (most - least) / mostBits) / binsPerBit;
    Histogram histogram;
    histogram.spec.domain = Domain::Signed;
    histogram.low = std::floor(least / step) * step;
    const auto bins = static_cast<std::size_t>(std::floor((most - histogram.low) / step)) + 1;
    histogram.high = histogram.low + static_cast<double>(bins) * step;
    histogram.spec.bins = static_cast<int>(bins);
    histogram.counts.assign(bins, 0);
    for (const double value : bits)
        ++histogram.counts[histogram.binOf(value)];
    setHistogram(histogram);
}

XAxis SpreadContent::xAxis() const
{
    XAxis axis = HistogramContent::xAxis();
    axis.title = tr("log₂ of the scale");
    return axis;
}

std::vector<YAxis> SpreadContent::yAxes(const PlotRoom& room) const
{
    std::vector<YAxis> wishes = HistogramContent::yAxes(room);
    wishes.front().title = tr("channels");
    return wishes;
}

}  // namespace calibscope
