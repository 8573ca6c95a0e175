#pragma once

#include "core/quant/quantizer.h"
#include "core/stats/extents.h"
#include "core/stats/histogram.h"
#include "ui/plot/plot_frame.h"

#include <span>
#include <vector>

class QPainter;

namespace calibscope {

/// What is drawn over a histogram's columns, and under its thresholds.

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
