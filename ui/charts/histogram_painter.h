#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/decimate.h"
#include "ui/plot/outline_mark.h"
#include "ui/plot/plot_frame.h"

#include <functional>
#include <vector>

class QPainter;

namespace calibscope {

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

}  // namespace calibscope
