#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/plot_frame.h"

#include <functional>

class QPainter;

namespace calibscope {

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
