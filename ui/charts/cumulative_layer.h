#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/plot_frame.h"

#include <span>

class QPainter;

namespace calibscope {

/// A histogram as a distribution function.
///
/// On a linear axis the share of values up to x, from 0 to 1; on a logarithmic one the share above
/// x, because there the tail is what is to be seen. Inside a bin it is taken to be a straight line.
enum class CumulativeAxis { UpTo, Above };

/// Share of the values at each edge of the histogram, one more than bins; empty without a value.
/// `countBefore`: counts of all bins before each bin, the total at last.
[[nodiscard]] std::vector<double> cumulativeShares(std::span<const std::uint64_t> countBefore,
                                                   CumulativeAxis axis);

/// The axis for shares: 0 to 1, or from just below what a single value is worth.
[[nodiscard]] AxisWish cumulativeAxisWish(std::uint64_t total, CumulativeAxis axis,
                                          const QString& xTitle);

/// The line of the shares over the histogram's edges, with the area below it filled.
void paintCumulative(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                     std::span<const double> shares);

/// "|x| 2.5   percentile 99.93   above 12 values (0.07 %)": the first is the share up to there in
/// percent; ≈ where the place is inside a bin with values.
[[nodiscard]] QString percentileText(const Histogram& histogram,
                                     std::span<const std::uint64_t> countBefore, double x,
                                     const QString& xTitle);

}  // namespace calibscope
