// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "ui/plot/decimate.h"
#include "ui/plot/plot_table.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace calibscope {

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
