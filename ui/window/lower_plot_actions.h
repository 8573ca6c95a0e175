// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <vector>

namespace calibscope {

/// One for each plot below the histogram: shows it.
[[nodiscard]] std::vector<ActionSpec> lowerPlotActions();

}  // namespace calibscope
