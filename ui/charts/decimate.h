#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"
#include "ui/charts/axis_scale.h"

#include <QPolygonF>

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Largest count in each of `columns` equal parts of `shown`, 0 outside the histogram. A bin
/// narrower than a part belongs to the part that holds its centre; a wider one to all parts whose
/// centre it holds. So the greatest count in view is always there. Requires a histogram with a
/// width. O(bins + columns).
[[nodiscard]] std::vector<std::uint64_t> columnMaxima(const Histogram& histogram,
                                                      const Range& shown, int columns);

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
