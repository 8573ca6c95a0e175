// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row_table.h"

#include "tests/support/catch.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
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

}  // namespace row_table_test
