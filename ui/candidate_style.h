#pragma once

#include "ui/theme/chart_colors.h"

#include <cstddef>
#include <string>

namespace calibscope {

/// Line style of the candidate of that label: the same on every tensor, in the window and in
/// reports. Those of the standard list and of the recipes all differ; so do those that a user adds
/// and the range by hand, as far as there are styles.
[[nodiscard]] SeriesStyle candidateStyle(const std::string& label, const ChartColors& colors);

/// Line style of the candidate at that place of a tensor's list: the standard ones look alike on
/// every tensor.
[[nodiscard]] SeriesStyle candidateStyle(std::size_t place, const ChartColors& colors);

}  // namespace calibscope
