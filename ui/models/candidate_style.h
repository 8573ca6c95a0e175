#pragma once

#include "ui/theme/chart_colors.h"

#include <string>

namespace calibscope {

/// Line style of the candidate of that id: the same on every tensor, in the window and in
/// reports. Those of the standard list and of the recipes all differ; so do those that a user adds
/// and the manual range, as far as there are styles. An imported range has the colour of text,
/// which no calibrator has: it is a reference.
[[nodiscard]] SeriesStyle candidateStyle(const std::string& id, const ChartColors& colors);

}  // namespace calibscope
