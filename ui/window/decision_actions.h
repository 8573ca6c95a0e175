// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <vector>

namespace calibscope {

/// Actions that accept calibrators for tensors, and take that back.
[[nodiscard]] std::vector<ActionSpec> decisionActions();

}  // namespace calibscope
