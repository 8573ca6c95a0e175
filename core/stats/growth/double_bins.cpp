// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

#include "core/base/number_text.h"

namespace calibscope::growth {

namespace {

constexpr std::size_t mostBins = std::size_t{1} << 18;

/// Adds neighbouring bins; the range stays.
void mergePairs(Histogram& histogram)
{
    for (std::size_t pair = 0; pair < histogram.counts.size() / 2; ++pair)
        histogram.counts[pair] = histogram.counts[2 * pair] + histogram.counts[2 * pair + 1];
    histogram.counts.resize(histogram.counts.size() / 2);
}

void growDoubleBins(Histogram& histogram, const Extents& batch, const ValuesBefore& /*before*/,
                    const Extents& /*whole*/)
{
    const double largest = batch.absMax();
    if (!(largest > 0.0))
        return;  // zeros are counted in bin 0, and wait there for a width
    if (!(histogram.high > 0.0)) {
        histogram.high = largest;
        return;
    }
    bool hasMerged = false;
    while (histogram.high < largest) {
        histogram.high *= 2.0;  // as the number of bins: the width stays to the last bit
        histogram.counts.resize(2 * histogram.counts.size());
        if (histogram.counts.size() > mostBins) {
            mergePairs(histogram);
            hasMerged = true;
        }
    }
    if (hasMerged)
        histogram.notes.push_back(
            "more than 2^18 bins: pairs of bins were merged, the width is now " +
            numberText(histogram.width()));
}

}  // namespace

GrowthRule doubleBins()
{
    return {.order = 10,
            .id = "double",
            .title = "Range doubling",
            .summary = "The first batch that is not all zero sets the width; a larger value "
                       "doubles the number of bins "
                       "until it fits, the width stays.",
            .bins = 1024,
            .domain = Domain::Magnitude,
            .countsSigned = false,
            .grow = growDoubleBins};
}

}  // namespace calibscope::growth
