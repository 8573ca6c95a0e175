// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"

#include <string_view>

namespace calibscope {

/// Whether that estimator of the percentile works on a histogram: "hist-left" and so on.
[[nodiscard]] bool isHistogramEstimator(std::string_view estimator);

/// The quantile (0..1) in the bin at which the cumulative share of the counts first reaches it: its
/// left edge, its centre, its right edge, or linear between both edges. Shares are added one by
/// one in double as NumPy's cumsum does, so that 1 may never be reached; the upper end of the
/// range then. An empty histogram gives its lower end.
[[nodiscard]] double histogramQuantile(const Histogram& histogram, double share,
                                       std::string_view estimator);
/// The quantile of that percent (0..100).
[[nodiscard]] double histogramPercentile(const Histogram& histogram, double percent,
                                         std::string_view estimator);

}  // namespace calibscope
