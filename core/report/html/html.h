#pragma once

#include "core/report/tables/scales_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Pieces of HTML. What is named `html` is markup, what is named `text` is not and gets escaped.
namespace calibscope::html {

/// The text with & < > " ' escaped, and bytes that are not UTF-8 replaced.
[[nodiscard]] std::string escaped(std::string_view text);

/// A number for people: `digits` significant digits, plain from 10^-4 to below 10^6, else with a
/// power of ten; a true minus sign; "∞", "−∞", "NaN".
[[nodiscard]] std::string number(double value, int digits = 4);
/// A whole number in groups of three.
[[nodiscard]] std::string count(std::uint64_t value);
/// A share (0..1) in percent.
[[nodiscard]] std::string percent(double share);
/// A value of that column as its style asks for it; a dash if there is none.
[[nodiscard]] std::string result(const ResultColumn& column, std::optional<double> value);

/// An SQNR as number over a bar; a dash if there is none.
[[nodiscard]] std::string sqnrBar(std::optional<double> sqnrDb, bool isExact);

/// Columns as a small drawing; `summary` is what a screen reader says.
[[nodiscard]] std::string sparkline(const std::vector<double>& columns, std::string_view summary);

/// The text, escaped, with leave to break the line behind dots, underscores, slashes and colons.
[[nodiscard]] std::string breakable(std::string_view text);

[[nodiscard]] std::string link(std::string_view address, std::string_view text);

/// A table with a header row, scrollable where the window is narrow.
class Table
{
public:
    /// `isNumeric` sets the column to the right.
    void column(std::string_view title, bool isNumeric = false);
    void row(const std::vector<std::string>& cellsHtml, std::string_view cssClass = {});
    [[nodiscard]] std::string html() const;
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }

private:
    struct Column
    {
        std::string title;
        bool isNumeric = false;
    };
    std::vector<Column> m_columns;
    std::string m_rows;
};

/// A list of sentences; nothing for none.
[[nodiscard]] std::string list(const std::vector<std::string>& itemsHtml);

/// Lines of a program, folded under a title.
[[nodiscard]] std::string foldedCode(std::string_view title, std::string_view code);

/// A heading with what belongs under it; nothing if that is empty.
[[nodiscard]] std::string section(std::string_view title, const std::string& contentHtml);

/// Names and values beside each other.
using Facts = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string facts(const Facts& namesAndHtml);

/// What made the page.
[[nodiscard]] std::string footer();

/// A whole page, its style included.
[[nodiscard]] std::string page(std::string_view title, const std::string& bodyHtml,
                               bool isDark = false);

}  // namespace calibscope::html
