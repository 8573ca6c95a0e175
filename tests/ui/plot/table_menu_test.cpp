// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/table_menu.h"

#include "core/report/tables/table.h"
#include "tests/support/catch.h"
#include "ui/plot/plot_table.h"

#include <QApplication>
#include <QFileDialog>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>

namespace table_menu_test {

using namespace calibscope;

const QStringList kinds = {"CSV (*.csv)", "JSON (*.json)"};

/// What is answered where the user does that in the dialog.
QString answered(const QString& proposed, const std::function<void(QFileDialog&)>& doThat)
{
    QTimer::singleShot(0, [&doThat] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        REQUIRE(dialog);
        doThat(*dialog);
    });
    return askWhereToSave(nullptr, "Save", proposed, kinds);
}

void accept(QFileDialog& dialog)
{
    static_cast<QDialog&>(dialog).accept();
}

/// Two groups; the second column has numbers, one of them missing.
std::unique_ptr<QStandardItemModel> groups()
{
    auto model = std::make_unique<QStandardItemModel>(0, 2);
    model->setHorizontalHeaderLabels({"name", "SQNR"});
    for (const char* title : {"activations", "weights"}) {
        auto* group = new QStandardItem(title);
        for (int row = 0; row < 2; ++row) {
            auto* number = new QStandardItem(row == 0 ? "31.3" : "–");
            if (row == 0)
                number->setData(31.25, Qt::UserRole);
            group->appendRow({new QStandardItem(QString("%1 %2").arg(title).arg(row)), number});
        }
        model->appendRow(group);
    }
    return model;
}

QAction* find(const QList<QAction*>& actions, const QString& text)
{
    for (QAction* action : actions)
        if (action->text().remove(u'&') == text)
            return action;
    return nullptr;
}

TEST_CASE("who accepts what is proposed gets that file")
{
    const QTemporaryDir folder;
    CHECK(answered(folder.filePath("table.csv"), accept) == folder.filePath("table.csv"));
}

TEST_CASE("the name takes the suffix of another kind that is chosen")
{
    const QTemporaryDir folder;
    CHECK(answered(folder.filePath("my.table.csv"), [](QFileDialog& dialog) {
              Q_EMIT dialog.filterSelected(kinds[1]);
              accept(dialog);
          }) == folder.filePath("my.table.json"));
}

TEST_CASE("who leaves the dialog writes nothing")
{
    const QTemporaryDir folder;
    CHECK(answered(folder.filePath("table.csv"), [](QFileDialog& dialog) {
              dialog.reject();
          }).isEmpty());
}

TEST_CASE("the table of a model has the rows of all groups, and numbers with all digits")
{
    const auto model = groups();
    CHECK(tableAs(modelTable(*model, Qt::UserRole), TableFormat::Csv) ==
          "name,SQNR\nactivations 0,31.25\nactivations 1,\nweights 0,31.25\nweights 1,\n");
}

TEST_CASE("a view's context menu copies its table in each format")
{
    const auto model = groups();
    QTreeView view;
    view.setModel(model.get());
    addTableMenu(view, Qt::UserRole);
    CHECK(view.contextMenuPolicy() == Qt::ActionsContextMenu);
    CHECK(find(view.actions(), "Save table as..."));
    QAction* copy = find(view.actions(), "Copy table as");
    REQUIRE(copy);
    for (const auto& [word, format] :
         {std::pair("CSV", TableFormat::Csv), std::pair("TSV", TableFormat::Tsv),
          std::pair("JSON", TableFormat::Json)}) {
        QAction* action = find(copy->menu()->actions(), word);
        REQUIRE(action);
        action->trigger();
        CHECK(QGuiApplication::clipboard()->text() ==
              tableAs(modelTable(*model, Qt::UserRole), format));
    }
}

TEST_CASE("what is copied of a view are the columns that it shows, in its order")
{
    QStandardItemModel model(1, 3);
    model.setHorizontalHeaderLabels({"name", "MSE", "SQNR"});
    for (int column = 0; column < 3; ++column)
        model.setItem(0, column, new QStandardItem(QString("c%1").arg(column)));
    QTableView view;
    view.setModel(&model);
    view.horizontalHeader()->moveSection(2, 0);
    view.setColumnHidden(1, true);
    CHECK(tableAs(shownTable(view, Qt::UserRole), TableFormat::Csv) == "SQNR,name\nc2,c0\n");
}

}  // namespace table_menu_test
