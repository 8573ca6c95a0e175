// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "core/results/check_results.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Tables of the check of a quantized model, and its JSON, which the window reads.
namespace calibscope {

/// tensor, op, kind, own_db, output_sqnr_db, running_db of all samples, its median_db and least_db
/// over them, max_error, samples; of outputs with draws: draws, draw_mean_db, draw_lowest_db,
/// draw_highest_db, draw_sd_db.
[[nodiscard]] const std::vector<Column>& checkColumns();
/// A row of those for each output (kind "output", its running_db as written) and behind it for each
/// of its draws (kind "draw"), then for each tensor.
[[nodiscard]] std::vector<std::vector<Cell>> checkRows(const CheckReport& report);

/// Of the outputs as written and as fused, and of their draws, for people.
[[nodiscard]] const std::vector<Column>& outputColumns();
/// Two rows for each output, and one for each of its draws.
[[nodiscard]] std::vector<std::vector<Cell>> outputRows(const CheckReport& report);
/// How far an output's draws are apart, and what that says of comparisons; nothing without draws.
[[nodiscard]] std::optional<std::string> drawSentence(const OutputCheck& output);

/// Puts the tensors with the largest drop first; those without one keep their order behind them.
void sortByDrop(std::vector<TensorCheck>& tensors);

/// The report as one JSON object, with the program's version.
[[nodiscard]] std::string checkJson(const CheckReport& report);
/// That text read again. Throws Error(Input) that begins with `origin`.
[[nodiscard]] CheckReport parseCheckReport(std::string_view text, const std::string& origin);

/// The ids of what checkValues() gives, for conditions as in gate.h.
[[nodiscard]] std::vector<std::string> checkMetrics();
/// A figure of a report with the name of what it is of.
struct CheckValue
{
    std::string of;
    double value = 0.0;
};
/// All values of one metric: sqnr_db, median_db, least_db, fused_db, fused_difference_db, max_error, mean_error, cosine,
/// same_argmax, draw_mean_db of outputs (all but fused_* as written); own_db, running_db of tensors.
[[nodiscard]] std::vector<CheckValue> checkValues(const CheckReport& report,
                                                  std::string_view metric);

}  // namespace calibscope
