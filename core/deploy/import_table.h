#pragma once

#include "core/deploy/imported_scales.h"
#include "core/report/tables/table.h"

#include <string>
#include <vector>

namespace calibscope::deploy {

/// The columns of `calib import`.
[[nodiscard]] const std::vector<Column>& importColumns();

/// A row of them. Of a scale per channel low, high, threshold and scale are those of the widest
/// channel, and `channels` tells their number. `outcome`: what a choice gives for the tensor;
/// nullptr: none was asked for, or it has no result.
[[nodiscard]] std::vector<Cell> importRow(const exchange::ScaleFile& file,
                                          const ImportedScale& imported, const std::string& dump,
                                          const Outcome* outcome);

}  // namespace calibscope::deploy
