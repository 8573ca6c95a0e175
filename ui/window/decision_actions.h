// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <vector>

namespace calibscope {

/// What accepts calibrators for tensors, and takes that back.
[[nodiscard]] std::vector<ActionSpec> decisionActions();

}  // namespace calibscope
