// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/sample_study.h"
#include "core/report/tables/table.h"

#include <string_view>
#include <vector>

namespace calibscope {

/// Columns of `calib samples`: of a tensor and a choice, how sure its scale is. A band's upper end
/// that is open is absent, and the column `band` says "open above"; without a band all of its
/// columns are absent, and the notes say why.
[[nodiscard]] const std::vector<Column>& sampleColumns();
/// A column's meaning, one sentence; empty for those that scaleColumns() have, too. Throws
/// std::invalid_argument for an unknown id.
[[nodiscard]] std::string_view sampleColumnSummary(std::string_view id);
/// A study's row. Of one with a problem only the choice is there, and the problem as its note.
[[nodiscard]] std::vector<Cell> sampleCells(const SampleStudy& study);

/// Columns of `calib samples --curve`: points of learning curves.
[[nodiscard]] const std::vector<Column>& sampleCurveColumns();
/// One row for each point; none for a study with a problem.
[[nodiscard]] std::vector<std::vector<Cell>> sampleCurveRows(const SampleStudy& study);

}  // namespace calibscope
