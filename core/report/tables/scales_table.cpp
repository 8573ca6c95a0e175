#include "core/report/tables/scales_table.h"

#include "core/metrics/metric.h"
#include "core/report/tables/cells.h"
#include "core/report/tables/search_json.h"

#include <algorithm>
#include <string_view>

namespace calibscope {

namespace {

const std::vector<std::string_view> textColumns = {
    "file",       "tensor",   "role",      "op",     "channel",   "recipe", "preset",
    "calibrator", "settings", "histogram", "scheme", "exactness", "notes"};

/// Metrics that are no column: their names came after the columns were settled.
bool isColumn(const Metric& metric)
{
    return metric.id != "levels_used";
}

std::vector<Column> makeColumns()
{
    std::vector<std::string_view> ids = {
        "file",       "tensor",    "role",   "op",   "channel", "recipe", "preset",    "calibrator",
        "settings",   "histogram", "scheme", "bits", "low",     "high",   "threshold", "scale",
        "zero_point", "exactness", "values", "nan",  "inf",     "zeros",  "min",       "max"};
    for (const Metric& metric : metrics())
        if (isColumn(metric))
            ids.push_back(metric.id);
    ids.push_back("notes");
    std::vector<Column> columns;
    for (const std::string_view id : ids) {
        std::string title(id);
        std::ranges::replace(title, '_', ' ');
        const bool isText = std::ranges::find(textColumns, id) != textColumns.end();
        columns.push_back({.id = std::string(id), .title = title, .isNumeric = !isText});
    }
    return columns;
}

/// The cells behind `channel`'s choice columns: all that differs from channel to channel.
void appendRow(std::vector<Cell>& cells, const ScaleRow& row)
{
    const bool hasRange = row.clip.threshold || row.clip.range;
    cells.push_back(hasRange ? Cell{row.quantizer.clip.low} : Cell{});
    cells.push_back(hasRange ? Cell{row.quantizer.clip.high} : Cell{});
    cells.push_back(optionalCell(row.clip.threshold));
    cells.emplace_back(row.quantizer.scale);
    cells.emplace_back(row.quantizer.zeroPoint);
    cells.emplace_back(std::string(row.isExact ? "exact" : "estimated"));
    const Extents& extents = row.extents;
    for (const std::uint64_t count :
         {extents.values(), extents.nan, extents.infinite(), extents.zeros})
        cells.emplace_back(count);
    cells.push_back(extents.finite > 0 ? Cell{extents.min} : Cell{});
    cells.push_back(extents.finite > 0 ? Cell{extents.max} : Cell{});
    for (const Metric& metric : metrics())
        if (isColumn(metric))
            cells.push_back(optionalCell(row.metric(metric.id)));
    cells.emplace_back(joinedNotes(row.notes));
}

std::vector<Cell> cellsOf(const Outcome& outcome, const ScaleRow& row, const Cell& channel)
{
    const Choice& choice = outcome.choice;
    std::vector<Cell> cells = {outcome.file,
                               outcome.tensor,
                               std::string(roleText(outcome.role)),
                               outcome.op,
                               channel,
                               choice.recipe,
                               choice.preset,
                               choice.calibrator,
                               choice.settings.toText(),
                               outcome.histogram,
                               std::string(schemeText(choice.scheme.kind)),
                               static_cast<std::uint64_t>(choice.scheme.bits)};
    appendRow(cells, row);
    return cells;
}

std::string jsonCell(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return jsonText(*text);
    if (const auto* value = std::get_if<double>(&cell))
        return jsonNumber(*value);
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return std::to_string(*count);
    return "null";
}

bool isAbsent(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    return std::holds_alternative<std::monostate>(cell) || (text != nullptr && text->empty());
}

/// One object for each channel: null where it iterated nothing.
std::string channelTracesJson(const std::vector<Trace>& traces)
{
    std::string text = "[";
    for (const Trace& trace : traces)
        text += (text.size() == 1 ? "" : ",") +
                (trace.error.empty() ? std::string("null") : traceJson(trace, true));
    return text + "]";
}

/// The columns that differ from channel to channel, as arrays.
std::string channelsJson(const std::vector<ScaleRow>& channels)
{
    const std::vector<Column>& columns = scaleColumns();
    const auto first = std::ranges::find(columns, "low", &Column::id) - columns.begin();
    std::vector<std::vector<Cell>> rows(channels.size());
    for (std::size_t channel = 0; channel < channels.size(); ++channel)
        appendRow(rows[channel], channels[channel]);
    std::string text = "{";
    for (std::size_t column = static_cast<std::size_t>(first); column < columns.size(); ++column) {
        text += (text.size() == 1 ? "" : ",") + jsonText(columns[column].id) + ":[";
        for (std::size_t channel = 0; channel < channels.size(); ++channel)
            text += (channel == 0 ? "" : ",") +
                    jsonCell(rows[channel][column - static_cast<std::size_t>(first)]);
        text += "]";
    }
    return text + "}";
}

}  // namespace

const std::vector<Column>& scaleColumns()
{
    static const std::vector<Column> columns = makeColumns();
    return columns;
}

std::vector<std::vector<Cell>> scaleRows(const Outcome& outcome, bool withChannels)
{
    if (!outcome.problem.empty())
        return {};
    if (!outcome.isPerChannel()) {
        Cell channel;
        if (outcome.channel)
            channel = *outcome.channel;
        return {cellsOf(outcome, outcome.whole, channel)};
    }
    std::vector<std::vector<Cell>> rows = {cellsOf(outcome, outcome.whole, std::string("*"))};
    for (std::size_t channel = 0; withChannels && channel < outcome.channels.size(); ++channel)
        rows.push_back(
            cellsOf(outcome, outcome.channels[channel], static_cast<std::uint64_t>(channel)));
    return rows;
}

std::string outcomeJson(const Outcome& outcome, bool withChannels, bool withCurve)
{
    const std::vector<Column>& columns = scaleColumns();
    const std::vector<std::vector<Cell>> rows = scaleRows(outcome, false);
    std::string text = "{";
    for (std::size_t column = 0; !rows.empty() && column < columns.size(); ++column)
        if (!isAbsent(rows.front()[column]))
            text += (text.size() == 1 ? "" : ",") + jsonText(columns[column].id) + ":" +
                    jsonCell(rows.front()[column]);
    if (withChannels && outcome.isPerChannel())
        text += ",\"channels\":" + channelsJson(outcome.channels);
    if (withCurve && !outcome.curve.threshold.empty())
        text += ",\"curve\":" + curveJson(outcome.curve);
    if (!outcome.trace.error.empty())
        text += ",\"trace\":" + traceJson(outcome.trace, withCurve);
    if (withCurve && std::ranges::any_of(outcome.channelTraces,
                                         [](const Trace& trace) { return !trace.error.empty(); }))
        text += ",\"channel_traces\":" + channelTracesJson(outcome.channelTraces);
    return text + "}";
}

std::string scalesJsonBegin(std::span<const FileIdentity> files)
{
    std::string list;
    for (const FileIdentity& file : files) {
        list += std::string(list.empty() ? "" : ",") + "{\"path\":" + jsonText(file.path) +
                ",\"size\":" + std::to_string(file.bytes) +
                ",\"modified\":" + jsonText(file.modified);
        list += (file.sha256.empty() ? "" : ",\"sha256\":" + jsonText(file.sha256)) + "}";
    }
    return "{\"calibscope\":" + jsonText(CALIBSCOPE_VERSION) + ",\"files\":[" + list +
           "],\"outcomes\":[";
}

std::string scalesJsonEnd(const ErrorTotals& totals)
{
    return "],\"squared_error_of_activations\":" + totals.json() + "}";
}

}  // namespace calibscope
