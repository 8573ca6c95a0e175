// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"
#include "ui/plot/axis_scale.h"
#include "ui/plot/plot_table.h"

#include <QPolygonF>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace calibscope {

/// Columns of equal width along x, in pixels.
struct PixelColumns
{
    double left = 0.0;
    double width = 1.0;  ///< of each
    int count = 0;

    [[nodiscard]] double centre(std::size_t column) const
    {
        return left + (static_cast<double>(column) + 0.5) * width;
    }
};

/// Largest count in each column, 0 outside the histogram. A bin narrower than a column belongs to
/// the column that holds its centre; a wider one to all columns whose centre it holds. So the
/// greatest count in view is always there. Requires a histogram with a width and a scale that
/// ascends. O(bins + columns), times the logarithm of the bins where they are unequal.
[[nodiscard]] std::vector<std::uint64_t>
columnMaxima(const Histogram& histogram, const AxisScale& x, const PixelColumns& columns);

/// Largest count of the bins that are in view, be it partly. Requires a histogram with a width.
[[nodiscard]] std::uint64_t greatestCount(const Histogram& histogram, const Range& shown);

/// A curve as polylines in pixels: at most four points (first, lowest, highest, last) for each
/// pixel along x, which draws the same as all points. Missing values (NaN, infinities) separate
/// polylines; a point between two gaps is a polyline of its own. `x` ascends. Points outside the
/// x scale are left out but for one neighbour to each side.
[[nodiscard]] std::vector<QPolygonF> curveLines(std::span<const double> x,
                                                std::span<const double> y, const AxisScale& xScale,
                                                const AxisScale& yScale);

/// Least and greatest of the positive finite values in each of `columns` equal parts of the list;
/// {0, 0} where there is none.
[[nodiscard]] std::vector<Range> columnExtents(std::span<const double> values, int columns);

/// Bins from `first` to before `end`; equal: none.
struct BinSpan
{
    std::size_t first = 0;
    std::size_t end = 0;

    [[nodiscard]] bool isEmpty() const { return first >= end; }
};

/// The bins that each pixel column stands for, of `bins` equal ones over `range`: those whose
/// centres it holds, else the one that holds its own centre. So no bin in view is left out. None
/// outside the range. Requires a range with a width and a scale that ascends.
[[nodiscard]] std::vector<BinSpan> columnBins(const Range& range, std::size_t bins,
                                              const AxisScale& x, const PixelColumns& columns);

/// The largest value of the bins in these columns; 0 where there is none above.
[[nodiscard]] double largestIn(const Range& range, std::span<const double> values,
                               const AxisScale& x, const PixelColumns& columns);

/// A table by bin: where each begins and ends, then the given columns, which have a row for every
/// bin. Only bins of which `shown` shows something are in it. `edge` says where a bin begins, and
/// the one after the last, never below the one before.
[[nodiscard]] PlotTable binTable(const std::function<double(std::size_t bin)>& edge,
                                 const Range& shown, std::vector<PlotColumn> columns);

}  // namespace calibscope
