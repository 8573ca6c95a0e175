// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "core/results/check_results.h"
#include "core/results/end_results.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// rank, tensor, kind, layers, choice, alone_db, share, cumulative_db, change_db, largest_sample,
/// multiplications, state, notes.
[[nodiscard]] const std::vector<Column>& endColumns();
/// The operands of a mix, those that bring most noise first; behind each its other measured choices.
/// change_db is what the end gains with that choice, or with the operand in float where the mix has
/// the choice; notes say where that is less than two standard deviations of the draws.
[[nodiscard]] std::vector<std::vector<Cell>>
endRows(const EndTable& table, const EndPrediction& mix, const std::optional<DrawSummary>& luck);
/// An operand's part in the noise at the end, as a row has it.
struct OperandShare
{
    std::string tensor;  ///< the graph's name
    bool isWeight = false;
    std::optional<double> share;  ///< 0 to 1; nothing: not measured with its choice, or no noise
    bool operator==(const OperandShare&) const = default;
};
/// Of rows that were written as JSON, without other choices. Throws Error(Input), with `origin`, for
/// other text.
[[nodiscard]] std::vector<OperandShare> parseEndShares(std::string_view text,
                                                       const std::string& origin);
/// The ranking of the rows, the operands with most of the noise, and those that the sum lacks.
[[nodiscard]] std::string endSentence(const EndTable& table, const EndPrediction& mix);

/// predicted_db, low_db, high_db, measured_db, draws_db, draws_sd_db, operands, scaled,
/// not_measured, samples, end.
[[nodiscard]] const std::vector<Column>& mixColumns();
[[nodiscard]] std::vector<Cell> mixRow(const EndTable& table, const EndPrediction& mix,
                                       std::optional<double> measuredDb,
                                       const std::optional<DrawSummary>& luck);

/// rank, tensor, kind, choice, choice_id, gain_db, predicted_db, low_db, high_db, not_measured,
/// other_choices.
[[nodiscard]] const std::vector<Column>& bestColumns();
/// The end of the mix, then of each change on top of those before it. other_choices of the first one
/// counts the measured choices with an id other than those of the mix.
[[nodiscard]] std::vector<std::vector<Cell>>
bestRows(const EndTable& table, const EndPrediction& mix, const std::vector<EndChange>& changes);
/// A change, as a row has it.
struct BestRow
{
    std::string tensor;  ///< the graph's name; empty: the mix without changes
    bool isWeight = false;
    std::string choiceId;
    double gainDb = 0.0;                ///< over the row before
    std::optional<double> predictedDb;  ///< as in a BudgetRow
    std::optional<double> lowDb;
    std::optional<double> highDb;
    std::uint64_t notMeasured = 0;   ///< operands that the sum lacks
    std::uint64_t otherChoices = 0;  ///< of all operands; counted in the first row
    bool operator==(const BestRow&) const = default;
};
/// Of rows that were written as JSON. Throws Error(Input), with `origin`, for other text.
[[nodiscard]] std::vector<BestRow> parseBestRows(std::string_view text, const std::string& origin);

/// cost, predicted_db, low_db, high_db, measured_db, int16, float, layers_int16, layers_float,
/// not_measured, inputs_int16, operands_float. Names stand with "; " between them; a ";" or "\" of
/// their own has a "\" before it.
[[nodiscard]] const std::vector<Column>& budgetColumns();
[[nodiscard]] std::vector<Cell> budgetRow(const EndTable& table, const BudgetPoint& point);
/// A point of the budget, as a row has it.
struct BudgetRow
{
    double cost = 1.0;  ///< all in int8: 1
    /// Infinite where no noise is left; nothing where nothing is measured.
    std::optional<double> predictedDb;
    std::optional<double> lowDb;  ///< of its interval
    std::optional<double> highDb;
    std::vector<std::string> int16;  ///< layers, by the graph's names
    std::vector<std::string> inFloat;
    std::vector<std::string> inputsInt16;    ///< activations of layers in int16
    std::vector<std::string> operandsFloat;  ///< activations and weights that stay float
    std::uint64_t notMeasured = 0;           ///< operands that the sum lacks
    bool operator==(const BudgetRow&) const = default;
};
/// Of rows that were written as JSON. Throws Error(Input), with `origin`, for other text.
[[nodiscard]] std::vector<BudgetRow> parseBudgetRows(std::string_view text,
                                                     const std::string& origin);

}  // namespace calibscope
