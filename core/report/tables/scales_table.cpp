// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/scales_table.h"

#include "core/base/number_text.h"
#include "core/recipes/scale_rows.h"
#include "core/report/tables/table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

namespace calibscope {

namespace {

std::string spaced(std::string_view id)
{
    std::string title(id);
    std::ranges::replace(title, '_', ' ');
    return title;
}

template <auto member>
Cell ofChoice(const Outcome& outcome, const Cell& /*channel*/)
{
    return outcome.choice.*member;
}

template <auto member>
Cell ofOutcome(const Outcome& outcome, const Cell& /*channel*/)
{
    return outcome.*member;
}

/// What is the same for all channels.
std::vector<ResultColumn> choiceColumns()
{
    using Row = const Outcome&;
    using Channel = const Cell&;
    const auto column = [](const std::string& id, Cell (*cell)(Row, Channel),
                           bool isNumeric = false) {
        return ResultColumn{
            .id = id, .title = spaced(id), .isNumeric = isNumeric, .ofChoice = cell};
    };
    return {
        column("file", ofOutcome<&Outcome::file>),
        column("tensor", ofOutcome<&Outcome::tensor>),
        column("role", [](Row row, Channel) -> Cell { return std::string(roleText(row.role)); }),
        column("op", ofOutcome<&Outcome::op>),
        column("channel", [](Row, Channel channel) { return channel; }),
        column("recipe", ofChoice<&Choice::recipe>),
        column("preset", ofChoice<&Choice::preset>),
        column("calibrator", ofChoice<&Choice::calibrator>),
        column("settings", [](Row row, Channel) -> Cell { return row.choice.settings.toText(); }),
        column("histogram",
               [](Row row, Channel) -> Cell {
                   return row.histogram ? histogramText(*row.histogram) : std::string();
               }),
        column("scheme",
               [](Row row, Channel) -> Cell {
                   return std::string(schemeText(row.choice.scheme.kind));
               }),
        column(
            "bits",
            [](Row row, Channel) -> Cell {
                return static_cast<std::uint64_t>(row.choice.scheme.bits);
            },
            true)};
}

/// The end of a clip range; absent where nothing was clipped.
template <auto end>
Cell clipEnd(const ScaleRow& row)
{
    return row.clip.threshold || row.clip.range ? Cell{row.quantizer.clip.*end} : Cell{};
}

std::vector<ResultColumn> limitColumns()
{
    return {{.id = "low",
             .title = "low",
             .summary = "Low end of the clip range",
             .windowOrder = 2,
             .isOnPages = true,
             .isOnPaper = true,
             .ofRow = clipEnd<&Range::low>},
            {.id = "high",
             .title = "high",
             .summary = "High end of the clip range",
             .windowOrder = 3,
             .isOnPages = true,
             .isOnPaper = true,
             .ofRow = clipEnd<&Range::high>},
            {.id = "threshold",
             .title = "threshold",
             .summary = "Largest magnitude that is not clipped; of the widest channel where there "
                        "is a scale per channel",
             .windowOrder = 1,
             .ofRow = [](const ScaleRow& row) { return optionalCell(row.clip.threshold); }},
            {.id = "scale",
             .title = "scale",
             .summary = "Step between adjacent integers",
             .pageDigits = 5,
             .windowOrder = 4,
             .isOnPages = true,
             .isOnPaper = true,
             .ofRow = [](const ScaleRow& row) -> Cell { return row.quantizer.scale; }},
            {.id = "zero_point",
             .title = "zero point",
             .summary = "The integer that 0 becomes",
             .windowOrder = 5,
             .isOnPages = true,
             .isOnPaper = true,
             .ofRow = [](const ScaleRow& row) -> Cell { return row.quantizer.zeroPoint; }},
            {.id = "exactness",
             .title = "exactness",
             .isNumeric = false,
             .ofRow = [](const ScaleRow& row) -> Cell {
                 return std::string(row.isExact ? "exact" : "estimated");
             }}};
}

std::vector<ResultColumn> countColumns()
{
    using Count = Cell (*)(const Extents&);
    const auto column = [](const std::string& id, Count cell) {
        return ResultColumn{.id = id, .title = id, .ofRow = [cell](const ScaleRow& row) {
                                return cell(row.extents);
                            }};
    };
    return {column("values", [](const Extents& extents) -> Cell { return extents.values(); }),
            column("nan", [](const Extents& extents) -> Cell { return extents.nan; }),
            column("inf", [](const Extents& extents) -> Cell { return extents.infinite(); }),
            column("zeros", [](const Extents& extents) -> Cell { return extents.zeros; }),
            column("min",
                   [](const Extents& extents) {
                       return extents.finite > 0 ? Cell{extents.min} : Cell{};
                   }),
            column("max", [](const Extents& extents) {
                return extents.finite > 0 ? Cell{extents.max} : Cell{};
            })};
}

/// Shares as percent, decibels with two decimals, a cosine with the digits that make a difference.
ResultColumn metricColumn(const Metric& metric)
{
    constexpr std::array onPaper = {"sqnr_db", "mse", "clipped_share", "max_error"};
    constexpr int behindLimits = 100;
    using Style = ResultColumn::Style;
    return {
        .id = std::string(metric.id),
        .title = std::string(metric.title),
        .unit = std::string(metric.id == "levels_used" ? "" : metric.unit),  // it is in its title
        .summary = std::string(metric.summary),
        .style = metric.id == "clipped_share" ? Style::Share
                 : metric.unit == "dB"        ? Style::Decibels
                                              : Style::Significant,
        .digits = metric.id == "cosine" ? 6 : 4,
        .better = metric.better,
        .isMetric = true,
        .windowOrder = behindLimits + metric.order,
        .isOnPages = true,
        .isOnPaper = std::ranges::count(onPaper, metric.id) > 0,
        .ofRow = [id = metric.id](const ScaleRow& row) { return optionalCell(row.metric(id)); }};
}

/// "sqnr_db=29.1..29.3;mse=..." of estimated metrics.
std::string boundsText(const ScaleRow& row)
{
    std::string text;
    for (const auto& [id, value] : row.metrics)
        if (const std::optional<Range> bound = row.bounds.of(id))
            text += (text.empty() ? "" : ";") + id + "=" + numberText(bound->low) + ".." +
                    numberText(bound->high);
    return text;
}

std::vector<ResultColumn> boundColumns()
{
    return {{.id = "sqnr_bound_db",
             .title = "SQNR bound",
             .tableTitle = "+- dB",
             .unit = "dB",
             .summary = "How far the exact SQNR can lie from the estimated one",
             .isOfChannels = false,
             .ofRow = [](const ScaleRow& row) { return optionalCell(row.bar("sqnr_db")); }},
            {.id = "bounds",
             .title = "bounds",
             .isNumeric = false,
             .isOfChannels = false,
             .ofRow = [](const ScaleRow& row) -> Cell { return boundsText(row); }}};
}

std::vector<ResultColumn> makeColumns()
{
    std::vector<ResultColumn> columns = choiceColumns();
    for (const auto& more : {limitColumns(), countColumns()})
        columns.insert(columns.end(), more.begin(), more.end());
    std::ranges::transform(metrics(), std::back_inserter(columns), metricColumn);
    std::ranges::move(boundColumns(), std::back_inserter(columns));
    columns.push_back(
        {.id = "notes",
         .title = "notes",
         .isNumeric = false,
         .ofRow = [](const ScaleRow& row) -> Cell { return joinedNotes(row.notes); }});
    return columns;
}

std::vector<Cell> cellsOf(const Outcome& outcome, const ScaleRow& row, const Cell& channel)
{
    std::vector<Cell> cells;
    for (const ResultColumn& column : resultColumns())
        cells.push_back(column.ofRow ? column.ofRow(row) : column.ofChoice(outcome, channel));
    return cells;
}

std::string searchCell(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return jsonText(*text);
    if (const auto* value = std::get_if<double>(&cell))
        return jsonNumber(*value);
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return std::to_string(*count);
    return "null";
}

bool isLeftOut(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    return std::holds_alternative<std::monostate>(cell) || (text != nullptr && text->empty());
}

std::string numberArray(const std::vector<double>& values)
{
    std::string text = "[";
    for (const double value : values)
        text += (text.size() == 1 ? "" : ",") + jsonNumber(value);
    return text + "]";
}

std::string indexArray(const std::vector<std::size_t>& indices)
{
    std::string text = "[";
    for (const std::size_t index : indices)
        text += (text.size() == 1 ? "" : ",") + std::to_string(index);
    return text + "]";
}

/// Objective and unit, the points as arrays, and by index the chosen point, its ties and the
/// runner-up; `plateau` is a pair of thresholds.
std::string curveJson(const Curve& curve)
{
    std::string text =
        "{\"objective_name\":" + jsonText(curve.objective) + ",\"unit\":" + jsonText(curve.unit) +
        ",\"threshold\":" + numberArray(curve.threshold) +
        ",\"objective\":" + numberArray(curve.value) +
        ",\"chosen\":" + std::to_string(curve.chosen) + ",\"ties\":" + indexArray(curve.ties) +
        ",\"plateau\":" + numberArray({curve.plateau.low, curve.plateau.high});
    if (curve.runnerUp)
        text += ",\"runner_up\":" + std::to_string(*curve.runnerUp);
    return text + "}";
}

/// Iterations, whether it converged, the error at the start and at the end, what a grid found and
/// the ratio to it; with `withSteps` scale and error of each step as arrays. Requires a trace with
/// steps.
std::string traceJson(const Trace& trace, bool withSteps)
{
    std::string text = "{\"objective_name\":" + jsonText(trace.objective) +
                       ",\"iterations\":" + std::to_string(trace.iterations) +
                       ",\"converged\":" + (trace.hasConverged ? "true" : "false") +
                       ",\"error_start\":" + jsonNumber(trace.error.front()) +
                       ",\"error_end\":" + jsonNumber(trace.error.back());
    if (trace.gridScale && trace.gridError)
        text += ",\"grid_scale\":" + jsonNumber(*trace.gridScale) +
                ",\"grid_error\":" + jsonNumber(*trace.gridError) +
                ",\"grid_ratio\":" + jsonNumber(*trace.gridRatio());
    if (withSteps)
        text += ",\"scale\":" + numberArray(trace.scale) + ",\"error\":" + numberArray(trace.error);
    return text + "}";
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
    std::string text = "{";
    for (const ResultColumn& column : resultColumns()) {
        if (!column.isOfChannels || !column.ofRow)
            continue;
        text += (text.size() == 1 ? "" : ",") + jsonText(column.id) + ":[";
        for (std::size_t channel = 0; channel < channels.size(); ++channel)
            text += (channel == 0 ? "" : ",") + searchCell(column.ofRow(channels[channel]));
        text += "]";
    }
    return text + "}";
}

/// Kind and id of what made a choice.
std::pair<std::string, std::string> originOf(const Choice& choice)
{
    if (!choice.recipe.empty())
        return {"recipe", choice.recipe};
    if (!choice.preset.empty())
        return {"preset", choice.preset};
    return {"calibrator", choice.calibrator + ":" + choice.settings.toText()};
}

}  // namespace

std::optional<double> ResultColumn::number(const ScaleRow& row) const
{
    const Cell cell = ofRow(row);
    const double* number = std::get_if<double>(&cell);
    return number ? std::optional(*number) : std::nullopt;
}

std::string ResultColumn::bar(const ScaleRow& row) const
{
    const std::optional<double> distance =
        isMetric && style == Style::Decibels ? row.bar(id) : std::nullopt;
    return distance ? " ± " + barText(*distance) : std::string();
}

const std::vector<ResultColumn>& resultColumns()
{
    static const std::vector<ResultColumn> columns = makeColumns();
    return columns;
}

const ResultColumn& resultColumn(std::string_view id)
{
    const auto found = std::ranges::find(resultColumns(), id, &ResultColumn::id);
    if (found == resultColumns().end())
        throw std::invalid_argument("there is no result " + std::string(id));
    return *found;
}

const std::vector<Column>& scaleColumns()
{
    static const std::vector<Column> columns = [] {
        std::vector<Column> made;
        for (const ResultColumn& column : resultColumns())
            made.push_back(
                {.id = column.id,
                 .title = column.tableTitle.empty() ? spaced(column.id) : column.tableTitle,
                 .isNumeric = column.isNumeric});
        return made;
    }();
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
        if (!isLeftOut(rows.front()[column]))
            text += (text.size() == 1 ? "" : ",") + jsonText(columns[column].id) + ":" +
                    searchCell(rows.front()[column]);
    if (withChannels && outcome.isPerChannel()) {
        if (const Granularity& granularity = outcome.choice.granularity;
            granularity != Granularity::Channel)
            text += ",\"granularity\":" + jsonText(granularity.text());
        text += ",\"channels\":" + channelsJson(outcome.channels);
    }
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

void ErrorTotals::add(const Outcome& outcome)
{
    const std::optional<double> error = outcome.whole.metric("squared_error");
    if (outcome.role == Role::Weight || outcome.role == Role::Bias || !outcome.problem.empty() ||
        !error)
        return;
    const auto [kind, id] = originOf(outcome.choice);
    auto total = std::ranges::find_if(m_totals, [&kind = kind, &id = id](const Total& known) {
        return known.kind == kind && known.id == id;
    });
    if (total == m_totals.end())
        total = m_totals.insert(total, {.kind = kind, .id = id});
    ++total->activations;
    total->squaredError += *error;
}

std::string ErrorTotals::json() const
{
    std::string text = "[";
    for (const Total& total : m_totals)
        text += std::string(text.size() == 1 ? "" : ",") + "{" + jsonText(total.kind) + ":" +
                jsonText(total.id) + ",\"activations\":" + std::to_string(total.activations) +
                ",\"squared_error\":" + jsonNumber(total.squaredError) + "}";
    return text + "]";
}

}  // namespace calibscope
