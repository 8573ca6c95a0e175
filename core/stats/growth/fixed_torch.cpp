// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

#include <cmath>

namespace calibscope::growth {

namespace {

/// torch.histc over one value alone: one more on both sides.
Range widened(const Range& range)
{
    return range.width() > 0.0 || range.low == 0.0 ? range
                                                   : Range{range.low - 1.0, range.high + 1.0};
}

void growFixedTorch(Histogram& histogram, const Extents& /*batch*/, const ValuesBefore& /*before*/,
                    const Extents& whole)
{
    const bool isSigned = histogram.spec.domain == Domain::Signed;
    const Range range =
        widened(isSigned ? Range{whole.min, whole.max} : Range{0.0, whole.absMax()});
    histogram.low = range.low;
    histogram.high = range.high;
    const float width = static_cast<float>(range.high) - static_cast<float>(range.low);
    const bool canShare = width > 0.0F && std::isfinite(width);
    histogram.binning = canShare ? Binning::SingleShare : Binning::Share;
}

}  // namespace

GrowthRule fixedTorch()
{
    return {.order = 43,
            .id = "fixed-torch",
            .title = "Fixed, PyTorch",
            .summary = "One range from the least to the greatest recorded value, its bins found in "
                       "float32 as torch.histc finds them (ppq).",
            .bins = 2048,
            .domain = Domain::Magnitude,
            .seesOrder = false,
            .grow = growFixedTorch};
}

}  // namespace calibscope::growth
