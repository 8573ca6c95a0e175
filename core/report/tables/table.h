// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace calibscope {

/// A column of a table: its id is the name in CSV and JSON, its title stands above it for people.
struct Column
{
    std::string id;
    std::string title;
    bool isNumeric = false;
};

/// Absent, text or a number. A NaN counts as absent.
using Cell = std::variant<std::monostate, std::string, double, std::uint64_t>;

/// The text; absent where it is empty.
[[nodiscard]] Cell textCell(std::string text);

enum class TableFormat {
    Csv,      ///< RFC 4180, LF, UTF-8; absent is empty; texts exactly as they are
    Tsv,      ///< for a clipboard: tab-separated, never quoted; tabs and line ends in texts are
              ///< spaces; a text that a spreadsheet would compute ("=1+1", "@x", but no number)
              ///< has an apostrophe before it; absent is empty
    Json,     ///< an array of objects; absent is an absent member
    Aligned,  ///< for people: columns line up, numbers in six digits; absent is "-"
};

/// The format that "csv", "tsv", "json" or "table" stands for. Throws Error(Usage) for any other
/// word.
[[nodiscard]] TableFormat parseTableFormat(std::string_view word);

/// Takes the pieces of a text as it grows.
using TextSink = std::function<void(std::string_view)>;

/// Text around the rows in JSON; by default they are the whole text. An object of which they
/// are one member: {.before = "{\"files\": ..., \"outcomes\": [", .after = "]}"}.
struct JsonFrame
{
    std::string before = "[";
    std::string after = "]";
};

/// Writes a table row by row. CSV, TSV and JSON go out at once; an aligned table is held until the
/// end, for its widths. Numbers are shortest texts that read back to the same double, whatever the
/// locale; infinity is `inf`, in JSON the string "inf". Bytes that are not UTF-8 become U+FFFD.
class TableWriter
{
public:
    TableWriter(TextSink sink, TableFormat format, std::vector<Column> columns,
                JsonFrame frame = {});

    /// Makes an aligned table no wider than a screen of so many characters, but that one column
    /// stays in any case: columns without content go, then those at the right end for which there
    /// is no room. A text that would leave room for a part of it only is cut, with an ellipsis at
    /// its end. Any other format stays as it is.
    void fitTo(std::size_t width) { m_width = width; }
    /// Adds a row. Throws std::invalid_argument unless there is one cell for each column.
    void row(std::span<const Cell> cells);
    /// Ends the table; to be called once, after the last row. Without it a JSON text is incomplete.
    void finish();
    /// Columns that fitTo() had no room for, after finish().
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut; }

private:
    void csvRow(std::span<const Cell> cells);
    void tsvRow(std::span<const Cell> cells);
    void jsonRow(std::span<const Cell> cells);
    void alignedRows();
    void fitColumns(std::vector<std::size_t>& widths);

    TextSink m_sink;
    TableFormat m_format;
    std::vector<Column> m_columns;
    JsonFrame m_frame;
    std::size_t m_rowCount = 0;
    std::vector<std::vector<std::string>> m_held;
    std::size_t m_width = 0;  ///< of the screen; 0: as wide as it gets
    std::size_t m_leftOut = 0;
};

/// A text as a JSON string, quotes included.
[[nodiscard]] std::string jsonText(std::string_view text);
/// A number as a JSON value: infinities are the strings "inf" and "-inf", NaN is null.
[[nodiscard]] std::string jsonNumber(double value);

/// The number, or an absent cell.
[[nodiscard]] Cell optionalCell(std::optional<double> value);
/// Sentences or words one after another, "; " between them.
[[nodiscard]] std::string joinedNotes(const std::vector<std::string>& notes);

/// Some of a table's columns, in an order of their own.
class ColumnChoice
{
public:
    /// The columns of these ids, separated by commas; all of them for an empty text. Throws
    /// Error(Usage) that lists the known ones for an id that none has.
    ColumnChoice(std::span<const Column> all, std::string_view ids);

    [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
    /// The chosen cells of a row of the whole table.
    [[nodiscard]] std::vector<Cell> cells(std::span<const Cell> row) const;

private:
    std::vector<std::size_t> m_indices;
    std::vector<Column> m_columns;
};

}  // namespace calibscope
