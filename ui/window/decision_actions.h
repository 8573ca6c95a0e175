// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <vector>

namespace calibscope {

/// One for each plot below the histogram: shows it.
[[nodiscard]] std::vector<ActionSpec> lowerPlotActions();

/// Of the first nine calibrators of the list: a key that draws each, and one that opens its card.
[[nodiscard]] std::vector<ActionSpec> cardActions();

/// Actions that accept calibrators for tensors, and take that back.
[[nodiscard]] std::vector<ActionSpec> decisionActions();

}  // namespace calibscope
