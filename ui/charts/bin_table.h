#pragma once

#include "core/base/range.h"
#include "ui/plot/plot_table.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace calibscope {

/// A table by bin: where each begins and ends, then the given columns, which have a row for every
/// bin. Only bins of which `shown` shows something are in it. `edge` says where a bin begins, and
/// the one after the last, never below the one before.
[[nodiscard]] PlotTable binTable(const std::function<double(std::size_t bin)>& edge,
                                 const Range& shown, std::vector<PlotColumn> columns);

}  // namespace calibscope
