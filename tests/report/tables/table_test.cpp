// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/table.h"

#include "core/base/error.h"

#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <locale>
#include <stdexcept>
#include <string>
#include <vector>

namespace table_test {

using namespace calibscope;
using Rows = std::vector<std::vector<Cell>>;

constexpr double inf = std::numeric_limits<double>::infinity();

const std::vector<Column> columns{{.id = "tensor", .title = "Tensor", .isNumeric = false},
                                  {.id = "values", .title = "Values", .isNumeric = true},
                                  {.id = "sqnr_db", .title = "SQNR", .isNumeric = true}};

std::string written(TableFormat format, const Rows& rows, const JsonFrame& frame = {})
{
    std::string text;
    TableWriter table([&](std::string_view piece) { text += piece; }, format, columns, frame);
    for (const std::vector<Cell>& row : rows)
        table.row(row);
    table.finish();
    return text;
}

const Rows someRows{{std::string("conv.w"), std::uint64_t{12}, 0.1},
                    {std::string("x"), std::uint64_t{0}, Cell{}},
                    {std::string("softmax"), Cell{}, inf}};

struct DecimalComma : std::numpunct<char>
{
    [[nodiscard]] char do_decimal_point() const override { return ','; }
};

const std::vector<Column> all{{.id = "tensor"}, {.id = "scale"}, {.id = "sqnr_db"}};
const std::vector<Cell> row{std::string("a"), 0.5, 30.0};

std::vector<std::string> idsOf(const ColumnChoice& choice)
{
    std::vector<std::string> ids;
    for (const Column& column : choice.columns())
        ids.push_back(column.id);
    return ids;
}

TEST_CASE("CSV has a header of ids, absent values are empty, infinity is inf")
{
    CHECK(written(TableFormat::Csv, someRows) == "tensor,values,sqnr_db\n"
                                                 "conv.w,12,0.1\n"
                                                 "x,0,\n"
                                                 "softmax,,inf\n");
}

TEST_CASE("CSV quotes commas, quotes and line ends, and nothing else")
{
    const Rows rows{{std::string("a,b"), Cell{}, Cell{}},
                    {std::string("say \"x\""), Cell{}, Cell{}},
                    {std::string("two\nlines\r"), Cell{}, Cell{}},
                    {std::string("it's; [0]:0 \t"), Cell{}, Cell{}}};
    CHECK(written(TableFormat::Csv, rows) == "tensor,values,sqnr_db\n"
                                             "\"a,b\",,\n"
                                             "\"say \"\"x\"\"\",,\n"
                                             "\"two\nlines\r\",,\n"
                                             "it's; [0]:0 \t,,\n");
}

TEST_CASE("TSV has the same header and values between tabs")
{
    CHECK(written(TableFormat::Tsv, someRows) == "tensor\tvalues\tsqnr_db\n"
                                                 "conv.w\t12\t0.1\n"
                                                 "x\t0\t\n"
                                                 "softmax\t\tinf\n");
}

TEST_CASE("TSV quotes nothing, and what would end a cell or a row becomes a space")
{
    const Rows rows{{std::string("a\tb\nc\rd"), Cell{}, Cell{}},
                    {std::string("say \"x\", then"), Cell{}, Cell{}}};
    CHECK(written(TableFormat::Tsv, rows) == "tensor\tvalues\tsqnr_db\n"
                                             "a b c d\t\t\n"
                                             "say \"x\", then\t\t\n");
}

TEST_CASE("TSV tells a spreadsheet what is a text and no formula, CSV leaves texts as they are")
{
    const auto cellOf = [](TableFormat format, const Cell& cell) {
        const std::string text = written(format, {{cell, Cell{}, Cell{}}});
        const std::size_t begin = text.find('\n') + 1;
        return text.substr(begin,
                           text.find(format == TableFormat::Csv ? ',' : '\t', begin) - begin);
    };
    for (const std::string formula :
         {"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "=HYPERLINK(\"x\")"})
        CHECK(cellOf(TableFormat::Tsv, formula) == "'" + formula);
    for (const std::string text : {"-", "-1.5", "+3", "-inf", "conv=1", "", "a@b"})
        CHECK(cellOf(TableFormat::Tsv, text) == text);
    CHECK(cellOf(TableFormat::Tsv, -1.5) == "-1.5");
    CHECK(cellOf(TableFormat::Csv, std::string("=1+1")) == "=1+1");
}

TEST_CASE("a CSV row of one absent value is still a row")
{
    std::string text;
    TableWriter table([&](std::string_view piece) { text += piece; }, TableFormat::Csv,
                      {{.id = "kl", .title = "KL", .isNumeric = true}});
    table.row(std::vector<Cell>{Cell{}});
    table.finish();
    CHECK(text == "kl\n\"\"\n");
}

TEST_CASE("numbers are the shortest texts that read back, and counts keep all their digits")
{
    const Rows rows{{std::string("a"), std::numeric_limits<std::uint64_t>::max(), 1.0 / 3.0},
                    {std::string("b"), std::uint64_t{1} << 53, 3.244e-40},
                    {std::string("c"), std::uint64_t{1}, -inf},
                    {std::string("d"), std::uint64_t{1}, std::numeric_limits<double>::quiet_NaN()}};
    CHECK(written(TableFormat::Csv, rows) == "tensor,values,sqnr_db\n"
                                             "a,18446744073709551615,0.3333333333333333\n"
                                             "b,9007199254740992,3.244e-40\n"
                                             "c,1,-inf\n"
                                             "d,1,\n");
}

TEST_CASE("a program's locale does not change a number")
{
    const std::locale before = std::locale::global(std::locale(std::locale(), new DecimalComma));
    const std::string csv = written(TableFormat::Csv, someRows);
    const std::string aligned = written(TableFormat::Aligned, someRows);
    std::locale::global(before);
    CHECK_THAT(csv, test::containsText(",0.1\n"));
    CHECK_THAT(aligned, test::containsText(" 0.1\n"));
}

TEST_CASE("JSON is an array of objects in which absent values are absent members")
{
    CHECK(written(TableFormat::Json, someRows) ==
          "[\n"
          "{\"tensor\": \"conv.w\", \"values\": 12, \"sqnr_db\": 0.1},\n"
          "{\"tensor\": \"x\", \"values\": 0},\n"
          "{\"tensor\": \"softmax\", \"sqnr_db\": \"inf\"}\n"
          "]\n");
    CHECK(written(TableFormat::Json, {}) == "[]\n");
}

TEST_CASE("JSON rows can be one member of an object")
{
    const auto whole = nlohmann::json::parse(
        written(TableFormat::Json, someRows, {.before = "{\"v\": 1, \"rows\": [", .after = "]}"}));
    CHECK(whole["v"] == 1);
    CHECK(whole["rows"].size() == 3);
    CHECK(whole["rows"][2]["sqnr_db"] == "inf");
}

TEST_CASE("names that would break a format go through it unchanged")
{
    const std::string name = "q\"uote\\back\ttab\x01 \xe4\xb8\xad:0";
    const auto rows = nlohmann::json::parse(written(TableFormat::Json, {{name, Cell{}, Cell{}}}));
    CHECK(rows[0]["tensor"] == name);
}

TEST_CASE("bytes that are not UTF-8 are replaced in every format")
{
    const std::string name = "a\xff\x62";
    const std::string shown = "a\xef\xbf\xbd\x62";
    for (const TableFormat format :
         {TableFormat::Csv, TableFormat::Tsv, TableFormat::Json, TableFormat::Aligned})
        CHECK_THAT(written(format, {{name, Cell{}, Cell{}}}), test::containsText(shown));
}

TEST_CASE("an aligned table lines up its columns by characters, numbers to the right")
{
    const Rows rows{{std::string("\xe4\xb8\xad\xe6\x96\x87"), std::uint64_t{7}, 1.0 / 3.0},
                    {std::string("a longer name"), std::uint64_t{1234567}, Cell{}},
                    {std::string(), Cell{}, inf}};
    CHECK(written(TableFormat::Aligned, rows) ==
          "Tensor          Values      SQNR\n"
          "\xe4\xb8\xad\xe6\x96\x87                   7  0.333333\n"
          "a longer name  1234567         -\n"
          "-                    -       inf\n");
}

TEST_CASE("an aligned table sends no control character to the terminal")
{
    const std::string text =
        written(TableFormat::Aligned, {{std::string("\x1b[31mred\n"), Cell{}, Cell{}}});
    CHECK(text.find('\x1b') == std::string::npos);
    // C1's escape, and what turns the direction of writing.
    const std::string odd =
        written(TableFormat::Aligned, {{std::string("a\u009b31m\u202eb"), Cell{}, Cell{}}});
    CHECK_THAT(odd, test::containsText("a\ufffd31m\ufffdb"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 2);
}

TEST_CASE("a row needs one cell for each column")
{
    TableWriter table([](std::string_view) {}, TableFormat::Csv, columns);
    CHECK_THROWS_AS(table.row(std::vector<Cell>{Cell{}}), std::invalid_argument);
}

TEST_CASE("an unknown format is refused with the known ones")
{
    CHECK(parseTableFormat("csv") == TableFormat::Csv);
    CHECK(parseTableFormat("tsv") == TableFormat::Tsv);
    CHECK(parseTableFormat("json") == TableFormat::Json);
    CHECK(parseTableFormat("table") == TableFormat::Aligned);
    CHECK_THROWS_WITH(parseTableFormat("xml"),
                      "there is no format xml; available: csv, tsv, json, table");
}

TEST_CASE("a number that is missing makes an absent cell")
{
    CHECK(optionalCell(2.5) == Cell{2.5});
    CHECK(optionalCell({}) == Cell{});
}

TEST_CASE("notes are parted by semicolons")
{
    CHECK(joinedNotes({}).empty());
    CHECK(joinedNotes({"one"}) == "one");
    CHECK(joinedNotes({"one", "two"}) == "one; two");
}

TEST_CASE("columns are chosen in the order they are named in, also twice")
{
    const ColumnChoice choice(all, "sqnr_db,tensor,sqnr_db");
    CHECK(idsOf(choice) == std::vector<std::string>{"sqnr_db", "tensor", "sqnr_db"});
    CHECK(choice.cells(row) == std::vector<Cell>{30.0, std::string("a"), 30.0});
}

TEST_CASE("without a name all columns stay as they are")
{
    const ColumnChoice choice(all, "");
    CHECK(idsOf(choice) == std::vector<std::string>{"tensor", "scale", "sqnr_db"});
    CHECK(choice.cells(row) == row);
}

TEST_CASE("a column that does not exist is refused with those that do")
{
    CHECK_THROWS_WITH(ColumnChoice(all, "tensor,Scale"),
                      "there is no column Scale; available: tensor, scale, sqnr_db");
    CHECK_THROWS_AS(ColumnChoice(all, "tensor,,scale"), Error);
}

TEST_CASE("an aligned table fits a screen: columns without content go, then those at the end")
{
    const std::vector<Column> wide{{.id = "tensor", .title = "Tensor"},
                                   {.id = "preset", .title = "Preset"},
                                   {.id = "scale", .title = "Scale", .isNumeric = true},
                                   {.id = "sqnr", .title = "SQNR", .isNumeric = true},
                                   {.id = "notes", .title = "Notes"}};
    const auto fitted = [&wide](std::size_t width, std::size_t leftOut) {
        std::string text;
        TableWriter table([&](std::string_view piece) { text += piece; }, TableFormat::Aligned,
                          wide);
        table.fitTo(width);
        table.row(std::vector<Cell>{std::string("conv.w"), Cell{}, 0.25, 40.5,
                                    std::string("seldom écrit, at length")});
        table.row(std::vector<Cell>{std::string("x"), std::string(), 2.0, 9.0, Cell{}});
        table.finish();
        CHECK(table.leftOut() == leftOut);
        return text;
    };
    const std::string whole = "Tensor  Scale  SQNR  Notes\n"
                              "conv.w   0.25  40.5  seldom écrit, at length\n"
                              "x           2     9  -\n";
    CHECK(fitted(200, 0) == whole);
    CHECK(fitted(44, 0) == whole);
    // 43: one short, the text is cut; 32: what is left of it would say nothing.
    CHECK(fitted(43, 0) == "Tensor  Scale  SQNR  Notes\n"
                           "conv.w   0.25  40.5  seldom écrit, at leng…\n"
                           "x           2     9  -\n");
    CHECK(fitted(32, 1) == "Tensor  Scale  SQNR\nconv.w   0.25  40.5\nx           2     9\n");
    CHECK(fitted(18, 2) == "Tensor  Scale\nconv.w   0.25\nx           2\n");
    // A name alone is never left out, and numbers are never cut.
    CHECK(fitted(3, 3) == "Tensor\nconv.w\nx\n");
}

}  // namespace table_test
