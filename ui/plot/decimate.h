// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"
#include "ui/plot/axis_scale.h"

#include <QPolygonF>

#include <cstdint>
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

}  // namespace calibscope
