#include "ui/plot/plot_table.h"

#include "tests/support/catch.h"
#include "ui/plot/plot_table_model.h"

#include <QAbstractItemModelTester>

#include <limits>

using namespace calibscope;

namespace {

PlotTable sample()
{
    constexpr double blank = std::numeric_limits<double>::quiet_NaN();
    return {{{"from", std::vector<double>{0.1, -2e-7}},
             {"count", std::vector<std::uint64_t>{12345678901234567U, 0}},
             {"KL", std::vector<double>{blank, 1.0 / 3.0}},
             {"name", QStringList{"a", "b"}}}};
}

}  // namespace

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
