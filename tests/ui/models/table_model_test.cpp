// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/table_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>

namespace table_model_test {

using namespace calibscope;

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

struct Fruit
{
    QString name;
    std::optional<double> grams;
};

TableDescriptor<Fruit> fruitTable()
{
    TableDescriptor<Fruit> table{
        .columns = {},
        .toolTip = [](const Fruit& fruit) { return fruit.name + " is a fruit"; },
        .grade = [](const Fruit& fruit) { return fruit.grams ? Grade::Plain : Grade::Faint; },
        .roles =
            [](const Fruit& fruit, int role) {
                return role == tableUserRole ? QVariant(fruit.name.size()) : QVariant();
            }};
    table.add("fruit", {}, &Fruit::name).graded([](const Fruit&) { return Grade::Bold; });
    table
        .addNumber(
            "weight g", "Of one piece",
            [](const Fruit& fruit) {
                return fruit.grams ? QString::number(*fruit.grams) : QString("?");
            },
            [](const Fruit& fruit) { return fruit.grams; })
        .withToolTip([](const Fruit&) { return QString("weighed"); });
    return table;
}

TEST_CASE("a table model has the cells of its columns")
{
    TableModel<Fruit> model(fruitTable());
    const QAbstractItemModelTester tester(&model, fatal);
    CHECK(model.rowCount() == 0);
    CHECK(model.columnCount() == 2);
    model.setRows({{"apple", 150.0}, {"plum", {}}});
    REQUIRE(model.rowCount() == 2);
    CHECK(model.index(0, 0).data().toString() == "apple");
    CHECK(model.index(0, 1).data().toString() == "150");
    CHECK(model.index(0, 0).data(tableSortRole).toString() == "apple");
    CHECK(model.index(0, 1).data(tableSortRole).toDouble() == 150.0);
    CHECK_FALSE(model.index(1, 1).data(tableSortRole).isValid());
    CHECK(model.index(1, 1).data(Qt::TextAlignmentRole).toInt() ==
          int(Qt::AlignRight | Qt::AlignVCenter));
    CHECK(model.index(1, 0).data(tableUserRole).toInt() == 4);
    CHECK(model.row(1).name == "plum");
}

TEST_CASE("columns have a title and help, and the title stands in for missing help")
{
    const TableModel<Fruit> model(fruitTable());
    const auto header = [&model](int column, int role) {
        return model.headerData(column, Qt::Horizontal, role).toString();
    };
    CHECK(header(1, Qt::DisplayRole) == "weight g");
    CHECK(header(1, Qt::ToolTipRole) == "Of one piece");
    CHECK(header(0, Qt::ToolTipRole) == "fruit");
    CHECK_FALSE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).isValid());
    CHECK_FALSE(model.headerData(7, Qt::Horizontal, Qt::DisplayRole).isValid());
}

TEST_CASE("grade and tool tip are the column's, else the row's")
{
    TableModel<Fruit> model(fruitTable());
    model.setRows({{"apple", 150.0}, {"plum", {}}});
    CHECK(model.index(1, 0).data(Qt::FontRole).value<QFont>().bold());
    CHECK_FALSE(model.index(1, 0).data(Qt::ForegroundRole).isValid());
    CHECK(model.index(1, 1).data(Qt::ForegroundRole).isValid());
    CHECK_FALSE(model.index(0, 1).data(Qt::ForegroundRole).isValid());
    CHECK(model.index(0, 0).data(Qt::ToolTipRole).toString() == "apple is a fruit");
    CHECK(model.index(0, 1).data(Qt::ToolTipRole).toString() == "weighed");
}

TEST_CASE("rows that belong to somebody else are shown as they are at each look")
{
    std::vector<Fruit> fruits{{"apple", 150.0}, {"plum", 50.0}};
    TableModel<Fruit> model(fruitTable(), [&fruits] { return std::span<const Fruit>(fruits); });
    const QAbstractItemModelTester tester(&model, fatal);
    const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    CHECK(model.rowCount() == 2);
    fruits[1].name = "pear";
    model.refresh(1);
    model.refresh(2);  // not listed yet
    CHECK(changes.count() == 1);
    CHECK(model.index(1, 0).data().toString() == "pear");
    fruits.pop_back();
    CHECK_FALSE(model.index(1, 0).data().isValid());  // refresh() is to follow
    model.refresh();
    CHECK(model.rowCount() == 1);
}

}  // namespace table_model_test
