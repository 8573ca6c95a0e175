#pragma once

#include "ui/theme/chart_colors.h"

#include <cstddef>

namespace calibscope {

/// Line style of the candidate at that place of a tensor's list: the standard ones look alike on
/// every tensor.
[[nodiscard]] SeriesStyle candidateStyle(std::size_t place, const ChartColors& colors);

}  // namespace calibscope
