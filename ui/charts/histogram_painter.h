// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"
#include "core/stats/extents.h"
#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/decimate.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_frame.h"

#include <algorithm>
#include <functional>
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
/// Meaning of its signs, parts three spaces apart.
[[nodiscard]] QString rugLegend(const Rug& rug);
/// Meaning of the triangle or tick at a point, "greatest value 3.73"; blank: there is none.
[[nodiscard]] QString rugText(const Rug& rug, const QPointF& point, const PlotFrame& frame);

constexpr double zeroCountFloor = 0.5;  ///< where log counts of 0 are drawn

/// Scales an axis to counts up to `most`, each of them `unit` high.
inline void scaleToCounts(YAxis& axis, double most, bool isLog, double unit = 1.0)
{
    if (!isLog) {
        axis.values = {0.0, std::max(most, 1.0) * unit};
        return;
    }
    axis.kind = ScaleKind::Log;
    axis.values = {zeroCountFloor * unit, std::max(most, 2.0) * unit};
    axis.zeroAt = axis.values.low;
}

/// Where counts end upward in a frame. Most counts come again and again: their logarithms are kept.
class CountTops
{
public:
    /// `unit`: what a count of one is worth on the y axis.
    CountTops(const PlotFrame& frame, double ratio, double unit);
    /// A count above 0 is at least a device pixel high.
    [[nodiscard]] double of(std::uint64_t count);

private:
    [[nodiscard]] double compute(std::uint64_t count) const;

    AxisScale m_y;
    double m_bottom;
    double m_ratio;
    double m_unit;
    std::vector<double> m_tops;  ///< of small counts; NaN: not yet computed
};

/// Draws histograms into a frame, one value for each column that the painter can tell apart:
/// device pixels, finer ones in a vector picture.
class HistogramPainter
{
public:
    /// `unit`: what a count of one is worth on the y axis.
    HistogramPainter(QPainter& painter, const PlotFrame& frame, double unit);

    /// Fills the columns from the lower edge up, in the colour for the value at their centre.
    void fill(const Histogram& histogram, const std::function<QColor(double)>& colorAt);
    /// Draws a line over the columns; its dashes run along x alone, so that steep steps stay lines.
    void outline(const OutlineMark& mark);
    /// Marks the columns' tops with a line of one pixel that has a halo of the ground, where they
    /// are others than those of `over`, which was filled before; at the bottom where there is none.
    /// Steps between columns are drawn where those are wide. Equal histograms look equal.
    void tops(const Histogram& histogram, const Histogram& over, const QColor& color,
              const QColor& ground);

private:
    /// As columnMaxima(); on a logarithmic axis all columns left of the least value show the bin at
    /// 0.
    [[nodiscard]] std::vector<std::uint64_t> countsOf(const Histogram& histogram) const;
    [[nodiscard]] double leftOf(std::size_t column) const;

    QPainter& m_painter;
    const PlotFrame& m_frame;
    PixelColumns m_columns;
    double m_ratio;  ///< columns for each logical pixel
    CountTops m_tops;
};

/// How a histogram's columns are drawn.
struct ColumnsLook
{
    double unit = 1.0;  ///< what a count of one is worth on the y axis
    std::function<QColor(double x)> colorOf;
};

/// A column for each pixel along x: the largest count of its bins, at least a pixel high.
void paintColumns(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                  const ColumnsLook& look);

/// Narrow bins that hold a tenth of all values (exact zeros, a constant) again, wide enough to be
/// seen. `total`: of all counts.
void paintSpikes(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                 std::uint64_t total, const ColumnsLook& look);

}  // namespace calibscope
