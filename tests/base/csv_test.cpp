// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace csv_test {

using namespace calibscope;

/// Fields with | between them, and the line before each row: "1:a|b 3:c".
std::string rowsOf(const std::string& text)
{
    std::string rows;
    forEachCsvRow(text, "x.csv", [&](std::span<const std::string> fields, std::size_t line) {
        rows += (rows.empty() ? "" : " ") + std::to_string(line) + ":";
        for (std::size_t i = 0; i < fields.size(); ++i)
            rows += (i == 0 ? "" : "|") + fields[i];
    });
    return rows;
}

std::string complaintOf(const std::string& text)
{
    try {
        static_cast<void>(rowsOf(text));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST_CASE("fields are parted by commas, rows by line ends of either kind")
{
    CHECK(rowsOf("a,b\nc,,d\n") == "1:a|b 2:c||d");
    CHECK(rowsOf("a,b\r\nc,\r\nd") == "1:a|b 2:c| 3:d");
    CHECK(rowsOf("\xEF\xBB\xBF"
                 "a\n\n\nb") == "1:a 4:b");
    CHECK(rowsOf("").empty());
    CHECK(rowsOf(",") == "1:|");
}

TEST_CASE("a quoted field holds commas, quotes and line ends, and lines are counted through it")
{
    CHECK(rowsOf("\"a,\"\"b\"\"\nc\",d\ne") == "1:a,\"b\"\nc|d 3:e");
    CHECK(rowsOf("\"\",\"\"\"\"\n") == "1:|\"");
    CHECK(rowsOf("\"x\"\r\ny") == "1:x 2:y");
    CHECK(rowsOf("a\"b,c") == "1:a\"b|c");  // a quote within a plain field is only a character
}

TEST_CASE("a quote that is wrong is refused with its line")
{
    CHECK(complaintOf("a\n\"b\nc") == "x.csv: line 2: a quote is not closed");
    CHECK(complaintOf("a\n\"b\"c\n") == "x.csv: line 2: text follows a closing quote");
    CHECK(complaintOf("\"").find("not closed") != std::string::npos);
}

}  // namespace csv_test
