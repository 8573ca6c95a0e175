// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/steps_table.h"

#include "core/report/tables/table.h"

namespace calibscope {

const std::vector<Column>& stepColumns()
{
    static const std::vector<Column> columns = {
        {.id = "step", .title = "step"},
        {.id = "low", .title = "low", .isNumeric = true},
        {.id = "high", .title = "high", .isNumeric = true},
        {.id = "threshold", .title = "threshold", .isNumeric = true},
        {.id = "scale", .title = "scale", .isNumeric = true},
        {.id = "zero_point", .title = "zero point", .isNumeric = true},
        {.id = "sqnr_db", .title = "sqnr db", .isNumeric = true},
        {.id = "calibrator", .title = "calibrator"},
        {.id = "scheme", .title = "scheme"},
        {.id = "settings", .title = "settings"},
        {.id = "notes", .title = "notes"}};
    return columns;
}

std::vector<Cell> stepCells(const ChoiceStep& step, const Outcome& outcome)
{
    const ScaleRow& row = outcome.whole;
    const bool isThere = outcome.problem.empty();
    const bool hasRange = isThere && (row.clip.threshold || row.clip.range);
    return {step.name,
            hasRange ? Cell{row.quantizer.clip.low} : Cell{},
            hasRange ? Cell{row.quantizer.clip.high} : Cell{},
            isThere ? optionalCell(row.clip.threshold) : Cell{},
            isThere ? Cell{row.quantizer.scale} : Cell{},
            isThere ? Cell{row.quantizer.zeroPoint} : Cell{},
            isThere ? optionalCell(row.metric("sqnr_db")) : Cell{},
            step.choice.calibrator,
            std::string(schemeText(step.choice.scheme.kind)),
            step.choice.settings.toText(),
            isThere ? joinedNotes(row.notes) : outcome.problem};
}

}  // namespace calibscope
