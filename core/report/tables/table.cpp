// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/table.h"

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/report/tables/pasted_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace calibscope {

namespace {

bool isAbsent(const Cell& cell)
{
    const double* number = std::get_if<double>(&cell);
    return std::holds_alternative<std::monostate>(cell) ||
           (number != nullptr && std::isnan(*number));
}

std::string csvText(std::string_view text)
{
    std::string valid = validUtf8(text);
    const auto isSpecial = [](char character) {
        return character == ',' || character == '"' || character == '\r' || character == '\n';
    };
    if (std::ranges::none_of(valid, isSpecial))  // find_first_of() takes a call for each character
        return valid;
    std::string quoted = "\"";
    for (const char character : valid)
        quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
    return quoted + '"';
}

/// A cell of CSV or TSV, whichever way texts are written.
std::string plainCell(const Cell& cell, std::string (*written)(std::string_view))
{
    if (isAbsent(cell))
        return {};
    if (const auto* text = std::get_if<std::string>(&cell))
        return written(*text);
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return numberText(*count);
    return numberText(std::get<double>(cell));
}

std::string jsonCell(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return jsonText(*text);
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return numberText(*count);
    return jsonNumber(std::get<double>(cell));
}

std::string alignedCell(const Cell& cell)
{
    if (isAbsent(cell))
        return "-";
    if (const auto* text = std::get_if<std::string>(&cell))
        return text->empty() ? "-" : shownLine(*text);
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return numberText(*count);
    return fmt::format("{:.6g}", std::get<double>(cell) + 0.0);  // + 0.0 turns -0 into 0
}

constexpr std::size_t columnGap = 2;
/// Less of a text than this says nothing.
constexpr std::size_t leastTextWidth = 12;

/// The text in so many characters.
std::string cutText(const std::string& text, std::size_t width)
{
    if (codePoints(text) <= width)
        return text;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0U) != 0x80U;
        if (begins && ++seen == width)
            break;
    }
    return text.substr(0, end) + "…";
}

/// Columns of width 0 are left out.
std::string alignedLine(const std::vector<std::string>& texts, const std::vector<Column>& columns,
                        const std::vector<std::size_t>& widths)
{
    std::string line;
    bool isFirst = true;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (widths[column] == 0)
            continue;
        const std::string text = cutText(texts[column], widths[column]);
        const std::string padding(widths[column] - codePoints(text), ' ');
        line += isFirst ? std::string() : std::string(columnGap, ' ');
        line += columns[column].isNumeric ? padding + text : text + padding;
        isFirst = false;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

std::size_t indexOf(std::span<const Column> all, std::string_view id)
{
    const auto found = std::ranges::find(all, id, &Column::id);
    if (found != all.end())
        return static_cast<std::size_t>(found - all.begin());
    throw Error(Fault::Usage, "there is no column {}; available: {}", id,
                joinedText(all, ", ", &Column::id));
}

}  // namespace

Cell textCell(std::string text)
{
    return text.empty() ? Cell() : Cell(std::move(text));
}

TableFormat parseTableFormat(std::string_view word)
{
    if (word == "csv")
        return TableFormat::Csv;
    if (word == "tsv")
        return TableFormat::Tsv;
    if (word == "json")
        return TableFormat::Json;
    if (word == "table")
        return TableFormat::Aligned;
    throw Error(Fault::Usage, "there is no format {}; available: csv, tsv, json, table", word);
}

std::string jsonText(std::string_view text)
{
    return nlohmann::json(validUtf8(text)).dump();
}

std::string jsonNumber(double value)
{
    if (std::isnan(value))
        return "null";
    return std::isinf(value) ? fmt::format("\"{}\"", numberText(value)) : numberText(value);
}

TableWriter::TableWriter(TextSink sink, TableFormat format, std::vector<Column> columns,
                         JsonFrame frame)
    : m_sink(std::move(sink)),
      m_format(format),
      m_columns(std::move(columns)),
      m_frame(std::move(frame))
{
    if (m_format == TableFormat::Json) {
        m_sink(m_frame.before);
    } else if (m_format != TableFormat::Aligned) {
        const bool isCsv = m_format == TableFormat::Csv;
        std::string header;
        for (const Column& column : m_columns)
            header += (header.empty() ? ""
                       : isCsv        ? ","
                                      : "\t") +
                      (isCsv ? csvText(column.id) : pastedText(column.id));
        m_sink(header + '\n');
    }
}

void TableWriter::row(std::span<const Cell> cells)
{
    if (cells.size() != m_columns.size())
        throw std::invalid_argument("a row needs one cell for each column");
    switch (m_format) {
    case TableFormat::Csv: csvRow(cells); break;
    case TableFormat::Tsv: tsvRow(cells); break;
    case TableFormat::Json: jsonRow(cells); break;
    case TableFormat::Aligned: {
        std::vector<std::string>& texts = m_held.emplace_back();
        std::ranges::transform(cells, std::back_inserter(texts), alignedCell);
        break;
    }
    }
    ++m_rowCount;
}

void TableWriter::csvRow(std::span<const Cell> cells)
{
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column)
        line += (column == 0 ? "" : ",") + plainCell(cells[column], csvText);
    // A line without a character would be read as no row at all.
    m_sink((line.empty() ? "\"\"" : line) + '\n');
}

void TableWriter::tsvRow(std::span<const Cell> cells)
{
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column)
        line += (column == 0 ? "" : "\t") + plainCell(cells[column], pastedText);
    m_sink(line + '\n');
}

void TableWriter::jsonRow(std::span<const Cell> cells)
{
    std::string members;
    for (std::size_t column = 0; column < cells.size(); ++column)
        if (!isAbsent(cells[column]))
            members += (members.empty() ? "" : ", ") + jsonText(m_columns[column].id) + ": " +
                       jsonCell(cells[column]);
    m_sink((m_rowCount == 0 ? "\n{" : ",\n{") + members + "}");
}

void TableWriter::finish()
{
    if (m_format == TableFormat::Json)
        m_sink((m_rowCount == 0 ? "" : "\n") + m_frame.after + '\n');
    else if (m_format == TableFormat::Aligned)
        alignedRows();
}

void TableWriter::alignedRows()
{
    std::vector<std::string> titles;
    std::ranges::transform(m_columns, std::back_inserter(titles), &Column::title);
    std::vector<std::size_t> widths;
    std::ranges::transform(titles, std::back_inserter(widths), codePoints);
    for (const std::vector<std::string>& texts : m_held)
        for (std::size_t column = 0; column < texts.size(); ++column)
            widths[column] = std::max(widths[column], codePoints(texts[column]));
    if (m_width > 0)
        fitColumns(widths);
    m_sink(alignedLine(titles, m_columns, widths));
    for (const std::vector<std::string>& texts : m_held)
        m_sink(alignedLine(texts, m_columns, widths));
}

void TableWriter::fitColumns(std::vector<std::size_t>& widths)
{
    std::size_t room = m_width;
    bool isFirst = true;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        const bool hasContent =
            m_held.empty() ||
            std::ranges::any_of(m_held, [column](const std::vector<std::string>& texts) {
                return texts[column] != "-";
            });
        if (!hasContent) {
            widths[column] = 0;
            continue;
        }
        const std::size_t gap = isFirst ? 0 : columnGap;
        const std::size_t left = room - std::min(room, gap);
        if (widths[column] > left) {
            const bool isCut = !m_columns[column].isNumeric && left >= leastTextWidth;
            widths[column] = isCut ? left : isFirst ? widths[column] : 0;
            m_leftOut += widths[column] == 0 ? 1U : 0U;
            room = 0;
        } else {
            room = left - widths[column];
        }
        isFirst = isFirst && widths[column] == 0;
    }
}

Cell optionalCell(std::optional<double> value)
{
    return value ? Cell{*value} : Cell{};
}

std::string joinedNotes(const std::vector<std::string>& notes)
{
    return joinedText(notes, "; ");
}

ColumnChoice::ColumnChoice(std::span<const Column> all, std::string_view ids)
{
    if (ids.empty()) {
        m_indices.resize(all.size());
        std::iota(m_indices.begin(), m_indices.end(), std::size_t{0});
    }
    while (!ids.empty()) {
        const std::size_t end = std::min(ids.find(','), ids.size());
        m_indices.push_back(indexOf(all, ids.substr(0, end)));
        ids.remove_prefix(std::min(end + 1, ids.size()));
    }
    std::ranges::transform(m_indices, std::back_inserter(m_columns),
                           [&](std::size_t index) { return all[index]; });
}

std::vector<Cell> ColumnChoice::cells(std::span<const Cell> row) const
{
    std::vector<Cell> chosen;
    std::ranges::transform(m_indices, std::back_inserter(chosen),
                           [&](std::size_t index) { return row[index]; });
    return chosen;
}

}  // namespace calibscope
