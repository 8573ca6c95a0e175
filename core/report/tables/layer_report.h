// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "core/results/improvement_results.h"
#include "core/results/layer_results.h"

#include <string>
#include <string_view>
#include <vector>

/// Tables of layers' errors (resources/docs/layers.md).
namespace calibscope {

class JsonObject;

/// layer, op, input, weight, output_sqnr_db, interval_db, output_ac_db, input_db, weight_db,
/// residual, positions, of, attributes, notes.
[[nodiscard]] const std::vector<Column>& layerColumns();
/// A row for each layer; those without numbers have their reason among the notes.
[[nodiscard]] std::vector<std::vector<Cell>> layerRows(const LayerReport& report);

/// layer, channel, signal, noise, sqnr_db, mean_error, gain_db, dead.
[[nodiscard]] const std::vector<Column>& layerChannelColumns();
/// A row for each output channel of each layer that has them.
[[nodiscard]] std::vector<std::vector<Cell>> layerChannelRows(const LayerReport& report);

/// layer, operand, tensor, candidate, decided, output_sqnr_db, difference_db, notes.
[[nodiscard]] const std::vector<Column>& layerCandidateColumns();
/// A row for each candidate on either operand, then one for the best pair (operand "both").
[[nodiscard]] std::vector<std::vector<Cell>> layerCandidateRows(const LayerCandidates& candidates);

/// first, second, activation, first_before_db, first_after_db, second_before_db, second_after_db,
/// gain_db, least_scale, largest_scale, dominant, notes.
[[nodiscard]] const std::vector<Column>& equalizationColumns();
[[nodiscard]] std::vector<std::vector<Cell>>
equalizationRows(const std::vector<Equalization>& pairs);

/// layer, input, weight, method, format, setting, effective_bits, output_mse, output_sqnr_db,
/// difference_db, least_factor, largest_factor, blocks, best, notes.
[[nodiscard]] const std::vector<Column>& operandTrialColumns();
/// A row for each trial; a layer without any has its reason. Differences are to the first trial.
[[nodiscard]] std::vector<std::vector<Cell>>
operandTrialRows(const std::vector<OperandTrials>& layers);

/// layer, op, input, weight, remedy, setting, calibration_db, held_out_db, gain_db, interval_db,
/// overfit_db, positions, columns, macs, chosen, changes, notes.
[[nodiscard]] const std::vector<Column>& improvementColumns();
/// A row for each layer as decided, one for each remedy on top of those before it, one for all of
/// them.
[[nodiscard]] std::vector<std::vector<Cell>> improvementRows(const ImprovementReport& report);
/// The rows of remedies that were chosen.
[[nodiscard]] std::vector<std::vector<Cell>> chosenRows(const ImprovementReport& report);
/// Those rows read again from JSON; what no column has is as in a new value. Throws Error(Input) that
/// begins with `origin`.
[[nodiscard]] ImprovementReport parseImprovementRows(std::string_view text,
                                                     const std::string& origin);
/// One of them: a layer as decided, or a remedy of the last layer.
void addImprovementRow(ImprovementReport& report, const JsonObject& object);

/// The channels of the input with the largest shares in a layer's error, of at least 1 %; empty: there
/// is none.
[[nodiscard]] std::string errorShareText(const std::vector<double>& shares,
                                         std::size_t mostNamed = 10);

/// The notes of a layer, its reason and the operands that count as float among them: what the
/// column `notes` says.
[[nodiscard]] std::vector<std::string> layerNotes(const LayerResult& result);

}  // namespace calibscope
