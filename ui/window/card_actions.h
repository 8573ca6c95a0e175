// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <vector>

namespace calibscope {

/// Of the first nine calibrators of the list: a key that draws each, and one that opens its card.
[[nodiscard]] std::vector<ActionSpec> cardActions();

}  // namespace calibscope
