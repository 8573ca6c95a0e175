// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/table_model.h"
#include "ui/queries/explain_rows.h"

#include <optional>
#include <vector>

namespace calibscope {

/// A step between two choices, and its change from the step before.
struct StepRow
{
    ExplainRow row;
    bool isFirst = false;
    bool isDecisive = false;  ///< no other step changes the scale by more
    std::optional<double> scaleChange;
    std::optional<double> sqnrChange;
    /// SQNR of the row above, of this row, and the ends of an axis for all rows, 1 dB long at least,
    /// in dB: finite ones alone.
    std::optional<double> from;
    std::optional<double> to;
    std::optional<double> least;
    std::optional<double> most;
};

[[nodiscard]] std::vector<StepRow> stepRows(const std::vector<ExplainRow>& rows);

struct StepColumn
{
    enum { Step, Waterfall, Threshold, Scale, ScaleChange, Sqnr, SqnrChange };
};
enum StepRole { StepFromRole = tableUserRole, StepToRole, StepLeastRole, StepMostRole };

/// The way from one choice to another: each row changes one option of the row above it.
[[nodiscard]] TableDescriptor<StepRow> stepsTable();

}  // namespace calibscope
