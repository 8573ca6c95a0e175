#include "ui/plot/table_text.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QMimeData>

#include <limits>

using namespace calibscope;
using namespace calibscope::test;

namespace {

PlotTable sample()
{
    constexpr double blank = std::numeric_limits<double>::quiet_NaN();
    return {{{"from", std::vector<double>{0.1, blank}},
             {"count", std::vector<std::uint64_t>{12345678901234567U, 0}},
             {"name, \"x\"", QStringList{"a,b", ""}},
             {"from", std::vector<double>{1.0 / 3.0, 2.0}}}};
}

}  // namespace

TEST_CASE("a table is copied with all digits, and titles that are the same are told apart")
{
    CHECK(tableAs(sample(), TableFormat::Csv) ==
          "from,count,\"name, \"\"x\"\"\",from 4\n"
          "0.1,12345678901234567,\"a,b\",0.3333333333333333\n"
          ",0,,2\n");
    CHECK(tableAs(sample(), TableFormat::Tsv).startsWith("from\tcount\tname, \"x\"\tfrom 4\n"));
    const QJsonArray rows =
        QJsonDocument::fromJson(tableAs(sample(), TableFormat::Json).toUtf8()).array();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].toObject()["from 4"].toDouble() == 1.0 / 3.0);
    CHECK_FALSE(rows[1].toObject().contains("from"));
}

TEST_CASE("the clipboard gets a table as text and under its own type")
{
    const auto mime = tableMimeAs(sample(), TableFormat::Json);
    CHECK(mime->text() == tableAs(sample(), TableFormat::Json));
    CHECK(mime->data("application/json") == mime->text().toUtf8());
    CHECK(tableMimeAs(sample(), TableFormat::Csv)->hasFormat("text/csv"));
}

TEST_CASE("a table is saved in the format that the file's name says")
{
    const TemporaryFolder folder;
    for (const char* name : {"t.csv", "t.tsv", "t.JSON"})
        saveTable(sample(), QString::fromStdString(folder.file(name)));
    CHECK(readBytes(folder.file("t.csv")) == tableAs(sample(), TableFormat::Csv).toStdString());
    CHECK(readBytes(folder.file("t.JSON")) == tableAs(sample(), TableFormat::Json).toStdString());
    CHECK_THROWS_WITH(saveTable(sample(), "/tmp/t.xlsx"), containsText(".csv, .tsv or .json"));
    CHECK_THROWS_WITH(saveTable(sample(), "/nowhere/t.csv"), containsText("/nowhere/t.csv"));
}
