// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/models/card_order.h"
#include "ui/pages/calibrators/explain_view.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/theme/icons.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/tensor_list_controller.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QTest>
#include <QToolBar>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>
#include <memory>
#include <set>

namespace action_table_test {

using namespace calibscope;

constexpr int patienceMs = 20000;

struct OpenWindow
{
    OpenWindow()
    {
        window->show();
        window->open(sampleDumpPath());
        REQUIRE(QTest::qWaitFor([&] { return document().dumpState() == Document::DumpState::Open; },
                                patienceMs));
        trigger("tensor.first");
        REQUIRE(QTest::qWaitFor(
            [&] { return document().questions().reader().state() == QueryState::State::Ready; },
            patienceMs));
    }
    Document& document() { return window->document(); }
    QAction& action(const QString& id) { return window->actions()[id]; }
    void trigger(const QString& id) { action(id).trigger(); }

    std::unique_ptr<MainWindow> window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
};

/// Those of a menu and of the menus in it, without separators; with the menus' own.
void collect(const QList<QAction*>& actions, QList<QAction*>& all)
{
    for (QAction* action : actions) {
        if (action->isSeparator())
            continue;
        all += action;
        if (action->menu())
            collect(action->menu()->actions(), all);
    }
}

QList<QAction*> menuActions(const QMainWindow& window)
{
    QList<QAction*> all;
    collect(window.menuBar()->actions(), all);
    return all;
}

/// Texts of all rows, also of those that are hidden.
QStringList cheatSheet(const OpenWindow& opened)
{
    opened.window->actions()["help.keys"].trigger();
    auto* sheet = opened.window->findChild<QDialog*>("cheatSheet");
    REQUIRE(sheet);
    QStringList texts;
    for (QTreeWidgetItemIterator item(sheet->findChild<QTreeWidget*>()); *item; ++item)
        texts += {(*item)->toolTip(0), (*item)->text(1)};
    sheet->close();
    return texts;
}

TEST_CASE("every action of the menus has a text and a status tip, and can be reached by keyboard")
{
    OpenWindow opened;
    const QList<QAction*> all = menuActions(*opened.window);
    CHECK(all.size() > static_cast<qsizetype>(actionTable().size()));
    for (const QAction* action : all) {
        CAPTURE(action->text().toStdString());
        CHECK_FALSE(action->text().isEmpty());
        CHECK_FALSE(action->statusTip().isEmpty());
        CHECK((action->text().contains('&') || !action->shortcut().isEmpty()));
    }
}

TEST_CASE("every action of the table is in a menu and in the cheat sheet, with its keys")
{
    OpenWindow opened;
    const QList<QAction*> all = menuActions(*opened.window);
    const QStringList sheet = cheatSheet(opened);
    const QString keys = sheet.join(u'\n');
    for (const ActionSpec& spec : actionTable()) {
        CAPTURE(spec.id.toStdString());
        QAction& action = opened.action(spec.id);
        CHECK(all.contains(&action));
        CHECK(sheet.contains(spec.help));
        for (const QKeySequence& key : action.shortcuts())
            CHECK(keys.contains(key.toString(QKeySequence::NativeText)));
    }
}

TEST_CASE("no action of the window is outside the table but menus, recent files and what Qt makes")
{
    OpenWindow opened;
    std::set<const QAction*> known;
    for (const ActionSpec& spec : actionTable())
        known.insert(&opened.action(spec.id));
    for (const QAction* action : menuActions(*opened.window)) {
        CAPTURE(action->text().toStdString());
        const bool isRecent = qobject_cast<const QMenu*>(action->parent()) != nullptr;
        CHECK((known.contains(action) || action->menu() || isRecent));
    }
}

TEST_CASE("a change of the display is undone and made again, and the menu names it")
{
    OpenWindow opened;
    CHECK_FALSE(opened.action("edit.undo").isEnabled());
    opened.trigger("view.log-count");
    CHECK_FALSE(opened.document().workbench().display.isLogCount);
    CHECK(opened.action("edit.undo").text() == "&Undo: " + opened.document().history().undoText());
    CHECK_FALSE(opened.document().history().undoText().isEmpty());
    opened.trigger("edit.undo");
    CHECK(opened.document().workbench().display.isLogCount);
    CHECK(opened.action("view.log-count").isChecked());
    opened.trigger("edit.redo");
    CHECK_FALSE(opened.action("view.log-count").isChecked());
}

TEST_CASE("back and forward go through the tensors that were shown")
{
    OpenWindow opened;
    const int first = opened.document().selected();
    opened.trigger("tensor.next");
    const int second = opened.document().selected();
    REQUIRE(first != second);
    opened.trigger("tensor.back");
    CHECK(opened.document().selected() == first);
    REQUIRE(opened.action("tensor.forward").isEnabled());
    opened.trigger("tensor.forward");
    CHECK(opened.document().selected() == second);
    CHECK_FALSE(opened.action("tensor.forward").isEnabled());
}

TEST_CASE("the quantized histogram is switched by its action, whoever switched it before")
{
    OpenWindow opened;
    opened.trigger("view.quantized");
    CHECK(opened.document().workbench().display.isQuantizedShown);
    edits::setQuantizedShown(opened.document(), false);
    CHECK_FALSE(opened.action("view.quantized").isChecked());
}

TEST_CASE("axes are linked at first, their action parts them")
{
    OpenWindow opened;
    CHECK(opened.action("view.link-axes").isChecked());
    opened.trigger("view.link-axes");
    CHECK_FALSE(opened.document().workbench().display.areAxesLinked);
}

TEST_CASE("quantities follow each other, and one is checked at a time")
{
    OpenWindow opened;
    opened.trigger("quantity.next");
    CHECK(opened.document().workbench().display.quantity == Quantity::Density);
    CHECK(opened.action("quantity.density").isChecked());
    CHECK_FALSE(opened.action("quantity.count").isChecked());
    opened.trigger("quantity.next");
    opened.trigger("quantity.next");
    CHECK(opened.document().workbench().display.quantity == Quantity::Count);
}

TEST_CASE("Space pins the row of the list, Del excludes it, and both can be undone")
{
    OpenWindow opened;
    auto* tree = opened.window->findChild<QTreeView*>("tensorTree");
    const int tensor = opened.document().selected();
    QTest::keyClick(tree, Qt::Key_Space);
    CHECK(opened.window->tensorList().model().isPinned(tensor));
    CHECK(opened.action("tensor.pin").isChecked());
    QTest::keyClick(tree, Qt::Key_Delete);
    CHECK(opened.window->tensorList().model().isExcluded(tensor));
    opened.trigger("edit.undo");
    opened.trigger("edit.undo");
    CHECK_FALSE(opened.window->tensorList().model().isExcluded(tensor));
    CHECK_FALSE(opened.window->tensorList().model().isPinned(tensor));
}

TEST_CASE("digits draw the calibrators in the order of the cards, and their menu names them")
{
    OpenWindow opened;
    REQUIRE(QTest::qWaitFor([&] { return opened.document().isIdle(); }, patienceMs));
    const auto rowAt = [&](std::size_t card) -> const OutcomeRow& {
        const std::vector<OutcomeRow>& rows = opened.document().questions().rows();
        return rows[cardOrder(rows)[card]];
    };
    REQUIRE(cardOrder(opened.document().questions().rows()).front() != 0);
    auto* tree = opened.window->findChild<QTreeView*>("tensorTree");
    for (std::size_t card = 0; card < 3; ++card) {
        const OutcomeRow before = rowAt(card);
        const QString number = QString::number(card + 1);
        CAPTURE(before.candidate.label);
        CHECK(opened.action("calibrator.tick-" + number).text() ==
              u'&' + number + u' ' + QString::fromStdString(before.candidate.label));
        QTest::keyClick(tree, number[0].toLatin1());
        CHECK(rowAt(card).isTicked != before.isTicked);
        CHECK(opened.action("calibrator.tick-" + number).isChecked() != before.isTicked);
    }
    QTest::keyClick(tree, Qt::Key_2, Qt::AltModifier);
    CHECK(cardsOf(opened.document()).chosen() == rowAt(1).candidate.id);
    CHECK(opened.action("calibrator.open-2").isChecked());
}

TEST_CASE("a manual range is among the first cards, and the digits follow")
{
    OpenWindow opened;
    REQUIRE(QTest::qWaitFor([&] { return opened.document().isIdle(); }, patienceMs));
    edits::setManualRange(opened.document(), 1.0, false);
    REQUIRE(QTest::qWaitFor([&] { return opened.document().isIdle(); }, patienceMs));
    const std::vector<OutcomeRow>& rows = opened.document().questions().rows();
    const std::vector<std::size_t> order = cardOrder(rows);
    const auto manual = std::ranges::find_if(
        order, [&](std::size_t place) { return rows[place].origin == OutcomeRow::Origin::Manual; });
    REQUIRE(manual - order.begin() < 3);
    CHECK(opened.action("calibrator.tick-" + QString::number(manual - order.begin() + 1)).text() ==
          QStringLiteral("&%1 %2").arg(manual - order.begin() + 1).arg(manualLabel));
}

TEST_CASE("T goes to the field of the threshold, where letters are text")
{
    OpenWindow opened;
    opened.trigger("calibrator.threshold");
    auto* field = qobject_cast<QLineEdit*>(opened.window->focusWidget());
    REQUIRE(field);
    QTest::keyClicks(field, "1");
    CHECK(opened.document().questions().rows().front().isTicked);
}

TEST_CASE("worst first sorts the list by SQNR, and back as in the file")
{
    OpenWindow opened;
    REQUIRE(QTest::qWaitFor([&] { return opened.document().isIdle(); }, patienceMs));
    const auto* panel = opened.window->findChild<TensorPanel*>();
    const std::vector<int> inFile = panel->shown().shownTensors();
    opened.trigger("tensor.worst-first");
    const std::vector<int> worstFirst = panel->shown().shownTensors();
    CHECK(worstFirst != inFile);
    const auto sqnr = [&](int tensor) {
        return *opened.window->tensorList().model().preview(tensor)->sqnrDb;
    };
    CHECK(sqnr(worstFirst[0]) <= sqnr(worstFirst[1]));
    opened.trigger("tensor.worst-first");
    CHECK(panel->shown().shownTensors() == inFile);
}

TEST_CASE("the list becomes a tree and back, and a branch is pinned as a whole")
{
    OpenWindow opened;
    auto* panel = opened.window->findChild<TensorPanel*>();
    opened.trigger("tensor.tree");
    CHECK(panel->isTree());
    CHECK(opened.window->actions()["tensor.tree"].isChecked());
    auto* tree = panel->findChild<QTreeView*>(QStringLiteral("tensorTree"));
    const auto branchIn = [tree](const QModelIndex& group) {
        for (int row = 0; row < tree->model()->rowCount(group); ++row)
            if (const QModelIndex index = tree->model()->index(row, 0, group);
                tree->model()->hasChildren(index))
                return index;
        return QModelIndex();
    };
    const QModelIndex branch = branchIn(tree->model()->index(0, 0));
    REQUIRE(branch.isValid());
    const std::vector<int> inBranch = panel->shown().tensorsIn(branch);
    REQUIRE(inBranch.size() > 1);
    tree->setCurrentIndex(branch);
    opened.trigger("tensor.pin");
    CHECK(opened.document().workbench().pins.size() == inBranch.size());
    CHECK(opened.window->tensorList().listed().size() == inBranch.size());
    opened.trigger("tensor.tree");
    CHECK_FALSE(panel->isTree());
}

TEST_CASE("the path of a tensor and lines of Python are copied")
{
    OpenWindow opened;
    const QString path = QString::fromStdString(opened.document().selectedTensor()->path);
    opened.trigger("edit.copy-path");
    CHECK(QApplication::clipboard()->text() == path);
    opened.trigger("edit.copy-python");
    auto* menu = opened.window->findChild<QMenu*>("copy-python");
    REQUIRE(menu);
    QStringList titles;
    for (QAction* action : menu->actions())
        titles += action->text();
    CHECK(titles.contains("Statistics"));
    CHECK(titles.contains("Curve of entropy"));
    menu->actions().at(1)->trigger();  // the first is the heading
    CHECK(QApplication::clipboard()->text().contains("dump[\"" + path + "\"][()]"));
}

TEST_CASE("a tensor is gone to by a few letters")
{
    OpenWindow opened;
    opened.trigger("edit.go-to");
    auto* dialog = opened.window->findChild<QDialog*>("goTo");
    REQUIRE(dialog);
    auto* query = dialog->findChild<QLineEdit*>();
    QTest::keyClicks(query, "swish 13");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK(opened.document().selectedTensor()->name == "swish_13.tmp_0");
}

TEST_CASE("an action is done by a few letters")
{
    OpenWindow opened;
    opened.trigger("edit.go-to");
    auto* query = opened.window->findChild<QDialog*>("goTo")->findChild<QLineEdit*>();
    QTest::keyClicks(query, "log count");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK_FALSE(opened.document().workbench().display.isLogCount);
}

TEST_CASE("a recipe is chosen by a few letters")
{
    OpenWindow opened;
    opened.trigger("edit.go-to");
    auto* query = opened.window->findChild<QDialog*>("goTo")->findChild<QLineEdit*>();
    QTest::keyClicks(query, "recipe moffett");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK(opened.document().chosenRecipe().id == "moffett-cnn");
}

TEST_CASE("a view within a page is gone to by a few letters")
{
    OpenWindow opened;
    opened.trigger("view.browse");
    opened.trigger("edit.go-to");
    auto* query = opened.window->findChild<QDialog*>("goTo")->findChild<QLineEdit*>();
    QTest::keyClicks(query, "explain");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK(opened.window->workspaces().current() == Workspace::Calibrators);
    auto* view = opened.window->findChild<ExplainView*>();
    REQUIRE(view != nullptr);
    CHECK(view->isVisible());
}

TEST_CASE("what the tool bar shows without words has a picture of ours, and a tip")
{
    OpenWindow opened;
    int pictures = 0;
    for (QAction* action : opened.window->findChild<QToolBar*>("toolBar")->actions()) {
        if (action->isSeparator() || action->objectName().isEmpty())
            continue;
        CAPTURE(action->objectName().toStdString());
        CHECK((!action->icon().isNull() || !action->iconText().isEmpty()));
        CHECK_FALSE(action->toolTip().isEmpty());
        pictures += action->icon().isNull() ? 0 : 1;
    }
    CHECK(pictures >= 8);
}

TEST_CASE("every picture of an action belongs to one, and all of the file menu have one")
{
    for (const QString& file : QDir(":/icons/actions").entryList()) {
        CAPTURE(file.toStdString());
        const QString id = file.chopped(4);  // ".svg"
        CHECK(std::ranges::count(actionTable(), id, &ActionSpec::id) == 1);
    }
    for (const ActionSpec& spec : actionTable())
        if (spec.menu == Menu::File) {
            CAPTURE(spec.id.toStdString());
            CHECK_FALSE(actionGlyph(spec.id).isNull());
        }
}

TEST_CASE("no menu names a calibrator that is not there")
{
    OpenWindow opened;
    const auto named = [&opened](Menu menu) {
        qsizetype count = 0;
        for (const QAction* action : opened.window->actions().menu(menu).actions())
            count += action->isVisible() ? 1 : 0;
        return count;
    };
    const auto rows = static_cast<qsizetype>(opened.document().questions().rows().size());
    CHECK(named(Menu::Ticks) == std::min<qsizetype>(rows, 9));
    opened.trigger("view.summary");
    for (const Menu menu : {Menu::Ticks, Menu::Cards}) {
        CHECK(named(menu) == 0);
        CHECK_FALSE(opened.window->actions().menu(menu).menuAction()->isEnabled());
    }
}

}  // namespace action_table_test
