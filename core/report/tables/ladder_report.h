// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"

#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

class JsonObject;

/// step, remedies, pooled_db, median_db, least_db, gain_db, low_db, high_db, median_gain_db,
/// median_low_db, median_high_db, samples, int8_share, accepted, notes.
[[nodiscard]] const std::vector<Column>& ladderColumns();
[[nodiscard]] std::vector<std::vector<Cell>> ladderRows(const std::vector<LadderRung>& rungs);

/// Those rows read again from JSON. Throws Error(Input) that begins with `origin`.
[[nodiscard]] std::vector<LadderRung> parseLadderRows(std::string_view text,
                                                      const std::string& origin);
[[nodiscard]] LadderRung ladderRung(const JsonObject& object);

/// Before and after, what was done, what was tried and dropped, and what remains: the three layers
/// with the lowest SQNR after their remedies, with the reason against dividing their channels.
/// `ends` are the tensors that were compared, by CheckPlan::endText().
[[nodiscard]] std::string ladderParagraph(const std::vector<LadderRung>& rungs,
                                          const std::vector<std::string>& ends,
                                          const ImprovementReport& accepted);

}  // namespace calibscope
