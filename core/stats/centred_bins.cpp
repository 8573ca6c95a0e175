// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/centred_bins.h"

#include "core/stats/edge_growth.h"
#include "core/stats/tool_edges.h"

#include <numeric>

namespace calibscope {

void setHalfRange(Histogram& histogram, double half)
{
    setEdges(histogram, numpyLinspace(-half, half, histogram.counts.size()), Binning::Edges, half);
    histogram.low = -half;
    histogram.high = half;
    std::vector<std::string>& notes = histogram.notes;
    if (notes.size() > 1 && notes.back() == notes[notes.size() - 2])
        notes.pop_back();  // said once, however often the range is taken
}

void mergeAroundMiddle(Histogram& histogram)
{
    std::vector<std::uint64_t>& counts = histogram.counts;
    const std::size_t merged = counts.size() % 2 == 0 ? 2 : 3;
    const std::size_t wanted = merged == 2 ? 0 : 1;  // of the middle, so that a group is even there
    std::size_t added = 0;
    while ((counts.size() / 2 + added) % merged != wanted)
        ++added;
    const double half = histogram.high + static_cast<double>(added) * histogram.width();
    counts.insert(counts.begin(), added, 0);
    counts.insert(counts.end(), added, 0);
    for (std::size_t bin = 0; bin < counts.size() / merged; ++bin) {
        const auto first = counts.begin() + static_cast<std::ptrdiff_t>(bin * merged);
        counts[bin] =
            std::accumulate(first, first + static_cast<std::ptrdiff_t>(merged), std::uint64_t{0});
    }
    counts.resize(counts.size() / merged);
    setHalfRange(histogram, half);
}

}  // namespace calibscope
