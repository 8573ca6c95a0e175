#pragma once

#include "core/base/file_identity.h"
#include "core/recipes/outcome.h"
#include "core/report/tables/error_totals.h"
#include "core/report/tables/table.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// Columns of `calib scales` and of a report's scales.csv, in their order. Those of the metrics
/// come from the catalogue.
[[nodiscard]] const std::vector<Column>& scaleColumns();

/// Rows of an outcome: one for a scale per tensor; for scales per channel first one with channel
/// `*`, then, if asked for, one for each channel. Nothing for an outcome with a problem.
[[nodiscard]] std::vector<std::vector<Cell>> scaleRows(const Outcome& outcome, bool withChannels);

/// An outcome as a JSON object: the same names as the columns, with `channels` an object of arrays.
/// An iteration is summed up in `trace`; with `withCurve` curve and steps are given too.
[[nodiscard]] std::string outcomeJson(const Outcome& outcome, bool withChannels, bool withCurve);

/// What stands in front of the outcomes in JSON: version and files; and behind them: the errors of
/// the activations, added up.
[[nodiscard]] std::string scalesJsonBegin(std::span<const FileIdentity> files);
[[nodiscard]] std::string scalesJsonEnd(const ErrorTotals& totals);

}  // namespace calibscope
