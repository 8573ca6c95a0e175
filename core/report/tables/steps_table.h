// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/steps.h"
#include "core/report/tables/table.h"

#include <vector>

namespace calibscope {

/// Columns of `calib explain`: what was changed, and what came of it.
[[nodiscard]] const std::vector<Column>& stepColumns();
/// A step's row. A problem stands in its notes, all numbers are then absent.
[[nodiscard]] std::vector<Cell> stepCells(const ChoiceStep& step, const Outcome& outcome);

}  // namespace calibscope
