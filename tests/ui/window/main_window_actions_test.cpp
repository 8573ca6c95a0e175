#include "tests/support/catch.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/panels/tensor_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/sample_dump.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <memory>
#include <set>

using namespace calibscope;

namespace {

constexpr int patienceMs = 20000;

struct OpenWindow
{
    OpenWindow()
    {
        window->show();
        window->open(sampleDumpPath());
        REQUIRE(QTest::qWaitFor([&] { return session().dumpState() == Document::DumpState::Open; },
                                patienceMs));
        trigger(ActionId::FirstTensor);
        REQUIRE(QTest::qWaitFor(
            [&] { return session().questions().reader().state() == ViewReader::State::Ready; },
            patienceMs));
    }
    Document& session() { return window->session(); }
    QAction& action(ActionId id) { return window->actions()[id]; }
    void trigger(ActionId id) { action(id).trigger(); }

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

QString cheatSheet(const OpenWindow& opened)
{
    opened.window->actions()[ActionId::Shortcuts].trigger();
    auto* text = opened.window->findChild<QTextBrowser*>("cheatSheet");
    REQUIRE(text);
    const QString shown = text->toPlainText();
    text->window()->close();
    return shown;
}

}  // namespace

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
    const QString sheet = cheatSheet(opened);
    for (const ActionSpec& spec : actionTable()) {
        CAPTURE(spec.key);
        QAction& action = opened.action(spec.id);
        CHECK(all.contains(&action));
        CHECK(sheet.contains(actionHelp(spec)));
        for (const QKeySequence& key : action.shortcuts())
            CHECK(sheet.contains(key.toString(QKeySequence::NativeText)));
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
    CHECK_FALSE(opened.action(ActionId::Undo).isEnabled());
    opened.trigger(ActionId::LogCount);
    CHECK_FALSE(opened.session().workbench().display.isLogCount);
    CHECK(opened.action(ActionId::Undo).text() ==
          "&Undo: " + opened.session().history().undoText());
    CHECK_FALSE(opened.session().history().undoText().isEmpty());
    opened.trigger(ActionId::Undo);
    CHECK(opened.session().workbench().display.isLogCount);
    CHECK(opened.action(ActionId::LogCount).isChecked());
    opened.trigger(ActionId::Redo);
    CHECK_FALSE(opened.action(ActionId::LogCount).isChecked());
}

TEST_CASE("back and forward go through the tensors that were shown")
{
    OpenWindow opened;
    const int first = opened.session().selected();
    opened.trigger(ActionId::NextTensor);
    const int second = opened.session().selected();
    REQUIRE(first != second);
    opened.trigger(ActionId::Back);
    CHECK(opened.session().selected() == first);
    REQUIRE(opened.action(ActionId::Forward).isEnabled());
    opened.trigger(ActionId::Forward);
    CHECK(opened.session().selected() == second);
    CHECK_FALSE(opened.action(ActionId::Forward).isEnabled());
}

TEST_CASE("the quantized histogram is switched by its action, whoever switched it before")
{
    OpenWindow opened;
    opened.trigger(ActionId::Quantized);
    CHECK(opened.session().workbench().display.isQuantizedShown);
    edits::setQuantizedShown(opened.session(), false);
    CHECK_FALSE(opened.action(ActionId::Quantized).isChecked());
}

TEST_CASE("axes are linked at first, their action parts them")
{
    OpenWindow opened;
    CHECK(opened.action(ActionId::LinkAxes).isChecked());
    opened.trigger(ActionId::LinkAxes);
    CHECK_FALSE(opened.session().workbench().display.areAxesLinked);
}

TEST_CASE("quantities follow each other, and one is checked at a time")
{
    OpenWindow opened;
    opened.trigger(ActionId::NextQuantity);
    CHECK(opened.session().workbench().display.quantity == Quantity::Density);
    CHECK(opened.action(ActionId::QuantityDensity).isChecked());
    CHECK_FALSE(opened.action(ActionId::QuantityCount).isChecked());
    opened.trigger(ActionId::NextQuantity);
    opened.trigger(ActionId::NextQuantity);
    CHECK(opened.session().workbench().display.quantity == Quantity::Count);
}

TEST_CASE("Space pins the row of the list, Del excludes it, and both can be undone")
{
    OpenWindow opened;
    auto* tree = opened.window->findChild<QTreeView*>("tensorTree");
    const int tensor = opened.session().selected();
    QTest::keyClick(tree, Qt::Key_Space);
    CHECK(opened.window->tensors().isPinned(tensor));
    CHECK(opened.action(ActionId::Pin).isChecked());
    QTest::keyClick(tree, Qt::Key_Delete);
    CHECK(opened.window->tensors().isExcluded(tensor));
    opened.trigger(ActionId::Undo);
    opened.trigger(ActionId::Undo);
    CHECK_FALSE(opened.window->tensors().isExcluded(tensor));
    CHECK_FALSE(opened.window->tensors().isPinned(tensor));
}

TEST_CASE("digits draw the calibrators of the list, and their menu names them")
{
    OpenWindow opened;
    const OutcomeRow before = opened.session().questions().rows().front();
    CHECK(opened.action(ActionId::Tick1).text() ==
          "&1 " + QString::fromStdString(before.candidate.label));
    QTest::keyClick(opened.window->findChild<QTreeView*>("tensorTree"), Qt::Key_1);
    CHECK(opened.session().questions().rows().front().isTicked != before.isTicked);
    CHECK(opened.action(ActionId::Tick1).isChecked() != before.isTicked);
}

TEST_CASE("T goes to the field of the threshold, where letters are text")
{
    OpenWindow opened;
    opened.trigger(ActionId::SetThreshold);
    auto* field = qobject_cast<QLineEdit*>(opened.window->focusWidget());
    REQUIRE(field);
    QTest::keyClicks(field, "1");
    CHECK(opened.session().questions().rows().front().isTicked);
}

TEST_CASE("worst first sorts the list by SQNR, and back as in the file")
{
    OpenWindow opened;
    REQUIRE(QTest::qWaitFor([&] { return opened.session().isIdle(); }, patienceMs));
    const auto* panel = opened.window->findChild<TensorPanel*>();
    const std::vector<int> inFile = panel->shown().shownTensors();
    opened.trigger(ActionId::WorstFirst);
    const std::vector<int> worstFirst = panel->shown().shownTensors();
    CHECK(worstFirst != inFile);
    const auto sqnr = [&](int tensor) { return *opened.window->tensors().preview(tensor)->sqnrDb; };
    CHECK(sqnr(worstFirst[0]) <= sqnr(worstFirst[1]));
    opened.trigger(ActionId::WorstFirst);
    CHECK(panel->shown().shownTensors() == inFile);
}

TEST_CASE("the path of a tensor and lines of Python are copied")
{
    OpenWindow opened;
    const QString path = QString::fromStdString(opened.session().selectedTensor()->path);
    opened.trigger(ActionId::CopyPath);
    CHECK(QApplication::clipboard()->text() == path);
    opened.trigger(ActionId::CopyPython);
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
    opened.trigger(ActionId::GoTo);
    auto* dialog = opened.window->findChild<QDialog*>("goTo");
    REQUIRE(dialog);
    auto* query = dialog->findChild<QLineEdit*>();
    QTest::keyClicks(query, "swish 13");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK(opened.session().selectedTensor()->name == "swish_13.tmp_0");
}

TEST_CASE("an action is done by a few letters")
{
    OpenWindow opened;
    opened.trigger(ActionId::GoTo);
    auto* query = opened.window->findChild<QDialog*>("goTo")->findChild<QLineEdit*>();
    QTest::keyClicks(query, "log count");
    QTest::keyClick(query, Qt::Key_Return);
    CHECK_FALSE(opened.session().workbench().display.isLogCount);
}
