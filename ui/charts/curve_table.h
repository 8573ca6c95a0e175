#pragma once

#include "core/base/range.h"
#include "ui/plot/marks.h"
#include "ui/plot/plot_table.h"

#include <span>

namespace calibscope {

/// Objectives by threshold: a row for each threshold of any curve in the range, blank cells where a
/// curve has no candidate.
[[nodiscard]] PlotTable curveTable(std::span<const CurveMark> curves, const Range& shown);

}  // namespace calibscope
