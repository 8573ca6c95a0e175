// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row_table.h"

#include "tests/support/catch.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyleOption>
#include <QTableView>
#include <QTest>

namespace row_table_test {

using namespace calibscope;

TEST_CASE("the first column stays in sight once the tree is scrolled to the side")
{
    QStandardItemModel model(0, 6);
    for (int group = 0; group < 3; ++group) {
        auto* item = new QStandardItem("group");
        for (int row = 0; row < 20; ++row)
            item->appendRow(new QStandardItem(QString::number(row)));
        model.appendRow(item);
    }
    QTreeView tree;
    tree.setModel(&model);
    tree.setUniformRowHeights(true);
    FrozenColumn frozen(tree);
    tree.resize(300, 200);
    tree.show();
    REQUIRE(tree.horizontalScrollBar()->maximum() > 0);
    CHECK_FALSE(frozen.isVisible());
    tree.horizontalScrollBar()->setValue(tree.horizontalScrollBar()->maximum());
    CHECK(frozen.isVisible());
    CHECK(frozen.width() == tree.columnWidth(0));
    for (int column = 1; column < 6; ++column)
        CHECK(frozen.isColumnHidden(column));

    tree.expand(model.index(1, 0));
    CHECK(frozen.isExpanded(model.index(1, 0)));
    frozen.expand(model.index(0, 0));
    CHECK(tree.isExpanded(model.index(0, 0)));
    tree.verticalScrollBar()->setValue(7);
    CHECK(frozen.verticalScrollBar()->value() == 7);
    const QModelIndex row = model.index(3, 0, model.index(0, 0));
    CHECK(frozen.visualRect(row).top() == tree.visualRect(row).top());
    tree.setCurrentIndex(row);
    CHECK(frozen.currentIndex() == row);
    tree.horizontalScrollBar()->setValue(0);
    CHECK_FALSE(frozen.isVisible());
}

TEST_CASE("a text beside a column of numbers has room before it, in its heading, too")
{
    TableDescriptor<int> columns;
    const auto text = [](int) { return QStringLiteral("text"); };
    columns.add("text", {}, text);
    columns.addRight("number", {}, text);
    columns.add("text", {}, text);
    TableModel<int> model(columns);
    model.setRows({1});
    PlainStyle style;
    KnownFirst sorted;
    QWidget parent;
    QTableView& table = *makeRowTable(sorted, model, "Rows", &parent);
    table.setStyle(&style);
    table.horizontalHeader()->setStyle(&style);
    const auto leftOf = [&](int column) {
        QStyleOptionViewItem cell;
        cell.rect = {0, 0, 100, 20};
        cell.features = QStyleOptionViewItem::HasDisplay;
        cell.text = "text";
        cell.index = table.model()->index(0, column);
        QStyleOptionHeader heading;
        heading.rect = cell.rect;
        heading.orientation = Qt::Horizontal;
        heading.section = column;
        return std::pair(
            style.subElementRect(QStyle::SE_ItemViewItemText, &cell, &table).left(),
            style.subElementRect(QStyle::SE_HeaderLabel, &heading, table.horizontalHeader())
                .left());
    };
    CHECK(leftOf(1) == leftOf(0));
    CHECK(leftOf(2) == std::pair(leftOf(0).first + 10, leftOf(0).second + 10));
    table.resizeColumnsToContents();
    CHECK(table.columnWidth(2) == table.columnWidth(0) + 10);
    table.hideColumn(1);
    CHECK(leftOf(2) == leftOf(0));
}

}  // namespace row_table_test
