// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/decimate.h"
#include "ui/plot/plot_frame.h"

#include <functional>
#include <vector>

class QPainter;

namespace calibscope {

constexpr double zeroCountFloor = 0.5;  ///< where log counts of 0 are drawn

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
