// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/result_table.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "ui/widgets/tensor_delegates.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace result_table_test {

using namespace calibscope;

OutcomeRow rowOf(const std::string& label, double sqnrDb)
{
    OutcomeRow row;
    row.candidate = {
        label,
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor),
        label,
        {}};
    Outcome outcome{.choice = row.candidate.choice};
    outcome.whole.metrics = {{"sqnr_db", sqnrDb}, {"mse", 1.0 / sqnrDb}};
    outcome.whole.hasExactMetrics = true;
    row.outcome = outcome;
    return row;
}

struct Table
{
    Table()
    {
        table.resize(560, 300);
        table.refresh();
        table.show();
    }
    QString cell(int row, std::string_view id) const
    {
        return table.view().model()->index(row, ResultModel::columnOf(id)).data().toString();
    }
    QString label(int row) const { return table.view().model()->index(row, 0).data().toString(); }

    std::vector<OutcomeRow> rows = {rowOf("b", 20.0), rowOf("a", 30.0), rowOf("c", 25.0)};
    ResultTable table{[this]() -> const std::vector<OutcomeRow>& { return rows; }};
};

TEST_CASE("rows stand in the cards' order, the best first, until a column is chosen to sort by")
{
    const Table test;
    CHECK(test.label(0) == "a");
    CHECK(test.label(1) == "b");
    CHECK(test.label(2) == "c");
    test.table.view().sortByColumn(ResultModel::columnOf("sqnr_db"), Qt::DescendingOrder);
    CHECK(test.label(0) == "a");
    CHECK(test.label(2) == "b");
    test.table.view().sortByColumn(0, Qt::AscendingOrder);
    CHECK(test.label(0) == "a");
}

TEST_CASE("no shown column is cut, what has no room is left out until all are asked for")
{
    Table test;
    const QTableView& view = test.table.view();
    const auto checkWidths = [&] {
        for (int column = 1; column < view.model()->columnCount(); ++column)
            if (!view.isColumnHidden(column))
                CHECK(view.columnWidth(column) >= view.horizontalHeader()->sectionSizeHint(column));
    };
    checkWidths();
    CHECK_FALSE(view.isColumnHidden(ResultModel::columnOf("sqnr_db")));
    CHECK(view.isColumnHidden(ResultModel::columnOf("mse_clipping")));
    for (QCheckBox* box : test.table.findChildren<QCheckBox*>())
        if (box->text().contains("columns"))
            box->setChecked(true);
    CHECK_FALSE(view.isColumnHidden(ResultModel::columnOf("mse_clipping")));
    checkWidths();
}

TEST_CASE("calibrators that begin and end alike are told apart by what differs")
{
    const Table test;
    CHECK(qobject_cast<const ColumnNamesDelegate*>(test.table.view().itemDelegateForColumn(0)));
}

TEST_CASE("differences are to the baseline that the user picks")
{
    Table test;
    auto& baselines = *test.table.findChild<QComboBox*>();
    for (QCheckBox* box : test.table.findChildren<QCheckBox*>())
        if (box->text().contains("ifference"))
            box->setChecked(true);
    CHECK(test.cell(0, "sqnr_db") == "30.00");
    CHECK(test.cell(1, "sqnr_db") == "−10.00");  // the first row is the baseline at first
    QSignalSpy asked(&test.table, &ResultTable::baselineRequested);
    baselines.setCurrentText("b");
    Q_EMIT baselines.activated(baselines.currentIndex());
    CHECK(test.cell(0, "sqnr_db") == "+10.00");
    REQUIRE(asked.count() == 1);
    CHECK(asked.front().front().value<std::string>() == "b");
}

TEST_CASE("the table is copied as lines of cells")
{
    Table test;
    QTest::keyClick(&test.table.view(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].split(u'\t').size() == test.table.results().columnCount());
    CHECK(lines[2].contains("0.05"));
}

TEST_CASE("the current row is the user's only if the user moved there")
{
    Table test;
    QSignalSpy moved(&test.table, &ResultTable::currentChanged);
    test.table.setCurrent("c");
    CHECK(moved.count() == 0);
    CHECK(test.table.view().currentIndex().row() == 2);
    QTest::keyClick(&test.table.view(), Qt::Key_Up);
    REQUIRE(moved.count() == 1);
    CHECK(moved.front().front().value<std::string>() == "b");
}

TEST_CASE("the row under the pointer is reported, and that it is on none")
{
    Table test;
    QSignalSpy hovered(&test.table, &ResultTable::hovered);
    QWidget* viewport = test.table.view().viewport();
    const auto centreOf = [&](int row) {
        return test.table.view().visualRect(test.table.view().model()->index(row, 0)).center();
    };
    QTest::mouseMove(viewport, centreOf(1));
    REQUIRE_FALSE(hovered.isEmpty());
    CHECK(QString::fromStdString(hovered.back().front().value<std::string>()) == test.label(1));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(viewport, &leave);
    CHECK(hovered.back().front().value<std::string>().empty());
}

}  // namespace result_table_test
