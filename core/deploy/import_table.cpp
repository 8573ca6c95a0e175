#include "core/deploy/import_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope::deploy {

namespace {

using exchange::EntryValue;
using exchange::ScaleEntry;

/// The value with the widest range; of several NaNs one.
const EntryValue& widestValue(const ScaleEntry& entry)
{
    return *std::ranges::max_element(entry.values, {}, [](const EntryValue& value) {
        const double end = widestEnd(value);
        return std::isnan(end) ? std::numeric_limits<double>::infinity() : end;
    });
}

Cell textCell(std::string text)
{
    return text.empty() ? Cell{} : Cell{std::move(text)};
}

/// NaN is what the file says: it is not to look like a cell without a value.
Cell numberCell(double value)
{
    return std::isnan(value) ? Cell{std::string("nan")} : Cell{value};
}

void addEntry(std::vector<Cell>& row, const ScaleEntry& entry)
{
    row.emplace_back(entry.name);
    row.push_back(entry.line > 0 ? Cell{entry.line} : Cell{});
    if (entry.values.empty()) {
        row.insert(row.end(), 7, Cell{});
        return;
    }
    const EntryValue& value = widestValue(entry);
    row.push_back(entry.isPerChannel ? Cell{std::uint64_t{entry.values.size()}} : Cell{});
    row.push_back(Cell{static_cast<std::uint64_t>(entry.bits)});
    row.push_back(numberCell(value.range.low));
    row.push_back(numberCell(value.range.high));
    row.push_back(value.threshold ? numberCell(*value.threshold) : Cell{});
    row.push_back(numberCell(scaleOf(entry, value)));
    row.push_back(value.zeroPoint ? numberCell(*value.zeroPoint) : Cell{});
}

std::string lintText(const Findings& lints)
{
    std::vector<std::string> texts;
    for (const Finding& lint : lints)
        texts.push_back(withLevel(lint));
    return joinedNotes(texts);
}

}  // namespace

const std::vector<Column>& importColumns()
{
    static const std::vector<Column> columns{
        {"format", "format", false},
        {"entry", "entry", false},
        {"line", "line", true},
        {"channels", "channels", true},
        {"bits", "bits", true},
        {"low", "low", true},
        {"high", "high", true},
        {"threshold", "threshold", true},
        {"scale", "scale", true},
        {"zero_point", "zero point", true},
        {"file", "file", false},
        {"tensor", "tensor", false},
        {"role", "role", false},
        {"found_by", "found by", false},
        {"data_min", "data min", true},
        {"data_max", "data max", true},
        {"deviation", "deviation", true},
        {"clipped_share", "clipped share", true},
        {"recipe", "recipe", false},
        {"calibrator", "calibrator", false},
        {"recipe_threshold", "recipe threshold", true},
        {"recipe_deviation", "recipe deviation", true},
        {"level", "level", false},
        {"lints", "lints", false},
    };
    return columns;
}

std::vector<Cell> importRow(const exchange::ScaleFile& file, const ImportedScale& imported,
                            const std::string& dump, const Outcome* outcome)
{
    std::vector<Cell> row{Cell{file.format}};
    if (imported.entry)
        addEntry(row, *imported.entry);
    else
        row.insert(row.end(), 9, Cell{});
    row.push_back(imported.tensor ? textCell(dump) : Cell{});
    row.push_back(imported.tensor ? textCell(imported.tensor->name) : Cell{});
    row.push_back(imported.tensor ? Cell{std::string(roleText(imported.tensor->role))} : Cell{});
    row.push_back(textCell(std::string(entryNameRuleText(imported.rule))));
    const bool hasData = imported.extents && imported.extents->finite > 0;
    row.push_back(hasData ? Cell{imported.extents->min} : Cell{});
    row.push_back(hasData ? Cell{imported.extents->max} : Cell{});
    row.push_back(optionalCell(imported.fit.deviation));
    row.push_back(optionalCell(imported.fit.clippedShare));
    if (outcome != nullptr) {
        row.push_back(textCell(outcome->choice.recipe));
        row.push_back(textCell(outcome->choice.calibrator));
        row.push_back(optionalCell(outcome->whole.clip.threshold));
        row.push_back(imported.entry ? optionalCell(deviationFrom(*outcome, *imported.entry))
                                     : Cell{});
    } else {
        row.insert(row.end(), 4, Cell{});
    }
    const auto worst = highestLevel(imported.lints);
    row.push_back(worst ? Cell{std::string(levelText(*worst))} : Cell{});
    row.push_back(textCell(lintText(imported.lints)));
    return row;
}

}  // namespace calibscope::deploy
