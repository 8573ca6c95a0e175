// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_table.h"

#include "core/base/error.h"
#include "core/report/tables/table.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "ui/plot/plot_table_view.h"

#include <QAbstractItemModelTester>
#include <QMimeData>

#include <limits>

namespace plot_table_test {

using namespace calibscope::test;
using namespace calibscope;

PlotTable sample()
{
    constexpr double blank = std::numeric_limits<double>::quiet_NaN();
    return {{{"from", std::vector<double>{0.1, -2e-7}},
             {"count", std::vector<std::uint64_t>{12345678901234567U, 0}},
             {"KL", std::vector<double>{blank, 1.0 / 3.0}},
             {"name", QStringList{"a", "b"}}}};
}

/// Two columns of one title.
PlotTable doubledTitles()
{
    constexpr double blank = std::numeric_limits<double>::quiet_NaN();
    return {{{"from", std::vector<double>{0.1, blank}},
             {"count", std::vector<std::uint64_t>{12345678901234567U, 0}},
             {"name, \"x\"", QStringList{"a,b", ""}},
             {"from", std::vector<double>{1.0 / 3.0, 2.0}}}};
}

TEST_CASE("a table's text has all digits, blanks for missing numbers, tabs between")
{
    CHECK(tableText(sample()).toStdString() == "from\tcount\tKL\tname\n"
                                               "0.1\t12345678901234567\t\ta\n"
                                               "-2e-07\t0\t0.3333333333333333\tb\n");
    CHECK(PlotTable().rowCount() == 0);
}

TEST_CASE("the model of a table has its rows, titles and aligned numbers")
{
    PlotTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    CHECK(model.rowCount() == 0);
    model.setTable(sample());
    REQUIRE(model.rowCount() == 2);
    CHECK(model.columnCount() == 4);
    CHECK(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString() == "count");
    CHECK(model.index(1, 2).data().toString() == "0.3333333333333333");
    CHECK(model.index(0, 2).data().toString().isEmpty());
    const auto alignmentOf = [&](int column) {
        return model.index(0, column).data(Qt::TextAlignmentRole).toInt();
    };
    CHECK((alignmentOf(0) & Qt::AlignRight) != 0);
    CHECK((alignmentOf(3) & Qt::AlignRight) == 0);
}

TEST_CASE("a table is copied with all digits, and titles that are the same are told apart")
{
    CHECK(tableAs(doubledTitles(), TableFormat::Csv) ==
          "from,count,\"name, \"\"x\"\"\",from 4\n"
          "0.1,12345678901234567,\"a,b\",0.3333333333333333\n"
          ",0,,2\n");
    CHECK(tableAs(doubledTitles(), TableFormat::Tsv)
              .startsWith("from\tcount\tname, \"x\"\tfrom 4\n"));
    const QJsonArray rows =
        QJsonDocument::fromJson(tableAs(doubledTitles(), TableFormat::Json).toUtf8()).array();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].toObject()["from 4"].toDouble() == 1.0 / 3.0);
    CHECK_FALSE(rows[1].toObject().contains("from"));
}

TEST_CASE("the clipboard gets a table as text and under its own type")
{
    const auto mime = tableMimeAs(doubledTitles(), TableFormat::Json);
    CHECK(mime->text() == tableAs(doubledTitles(), TableFormat::Json));
    CHECK(mime->data("application/json") == mime->text().toUtf8());
    CHECK(tableMimeAs(doubledTitles(), TableFormat::Csv)->hasFormat("text/csv"));
}

TEST_CASE("a table is saved in the format that the file's name says")
{
    const TemporaryFolder folder;
    for (const char* name : {"t.csv", "t.tsv", "t.JSON"})
        saveTable(doubledTitles(), QString::fromStdString(folder.file(name)));
    CHECK(readBytes(folder.file("t.csv")) ==
          tableAs(doubledTitles(), TableFormat::Csv).toStdString());
    CHECK(readBytes(folder.file("t.JSON")) ==
          tableAs(doubledTitles(), TableFormat::Json).toStdString());
    CHECK_THROWS_WITH(saveTable(doubledTitles(), "/tmp/t.xlsx"),
                      containsText(".csv, .tsv or .json"));
    CHECK_THROWS_WITH(saveTable(doubledTitles(), "/nowhere/t.csv"), containsText("/nowhere/t.csv"));
}

}  // namespace plot_table_test
