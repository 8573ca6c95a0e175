// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"
#include "core/stats/extents.h"
#include "core/stats/histogram.h"
#include "ui/plot/plot_frame.h"

#include <span>
#include <vector>

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
[[nodiscard]] YAxis cumulativeAxisWish(std::uint64_t total, CumulativeAxis axis,
                                          const QString& xTitle);

/// The line of the shares over the histogram's edges, with the area below it filled.
void paintCumulative(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                     std::span<const double> shares);

/// "|x| 2.5   percentile 99.93   above 12 values (0.07 %)": the first is the share up to there in
/// percent; ≈ where the place is inside a bin with values.
[[nodiscard]] QString percentileText(const Histogram& histogram,
                                     std::span<const std::uint64_t> countBefore, double x,
                                     const QString& xTitle);

/// Layer over a histogram's columns, and under its thresholds.

/// A distribution in the histogram's bins as an outline, one step for each pixel column: the
/// largest of its bins. `unit` is what a count of one is worth on the y axis.
void paintOutline(QPainter& painter, const PlotFrame& frame, const Range& range,
                  std::span<const double> counts, double unit, const QColor& color);

/// The values that the integers stand for, as ticks that rise from the x axis: each where
/// neighbours are at least a few pixels apart, else none. Levels on the clip range's ends are
/// longer.
void paintLevels(QPainter& painter, const PlotFrame& frame, const Quantizer& quantizer,
                 Domain domain, const QColor& color);

/// Whether levels are far enough apart to be drawn.
[[nodiscard]] bool areLevelsApart(const AxisScale& x, const Quantizer& quantizer);

/// Least and greatest values of parts of the data, as they are marked at the axis.
struct Rug
{
    Range whole;
    std::vector<Range> parts;  ///< of the batches
};

/// Of |x| or x; batches without a finite value are left out.
[[nodiscard]] Rug rugOf(const Extents& whole, std::span<const Extents> batches, Domain domain);

/// Each batch's ends as short ticks below the columns, the whole's ends as triangles.
void paintRug(QPainter& painter, const PlotFrame& frame, const Rug& rug);

}  // namespace calibscope
