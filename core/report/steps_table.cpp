#include "core/report/steps_table.h"

#include <optional>

namespace calibscope {

namespace {

Cell number(std::optional<double> value)
{
    return value ? Cell{*value} : Cell{};
}

std::string joined(const std::vector<std::string>& notes)
{
    std::string text;
    for (const std::string& note : notes)
        text += (text.empty() ? "" : "; ") + note;
    return text;
}

}  // namespace

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
            isThere ? number(row.clip.threshold) : Cell{},
            isThere ? Cell{row.quantizer.scale} : Cell{},
            isThere ? Cell{row.quantizer.zeroPoint} : Cell{},
            isThere ? number(row.metric("sqnr_db")) : Cell{},
            step.choice.calibrator,
            std::string(schemeText(step.choice.scheme.kind)),
            step.choice.settings.toText(),
            isThere ? joined(row.notes) : outcome.problem};
}

}  // namespace calibscope
