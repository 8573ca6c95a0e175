// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions.h"

#include "tests/support/catch.h"
#include "tests/support/shown_window.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QTableView>
#include <QTextEdit>
#include <QToolBar>
#include <QTreeView>

#include <set>

namespace actions_test {

using namespace calibscope::test;
using namespace calibscope;

const QKeySequence ctrl0("Ctrl+0");

TEST_CASE("keys are those of the table until others are chosen")
{
    ShortcutChoice choice;
    CHECK(choice.keys("file.open") == QList{QKeySequence("Ctrl+O")});
    CHECK(choice.chosen().empty());
    CHECK_FALSE(choice.assign("file.open", ctrl0));
    CHECK(choice.keys("file.open") == QList{ctrl0});
    CHECK_FALSE(choice.isStandard("file.open"));
    REQUIRE(choice.chosen().size() == 1);
    CHECK(choice.chosen().at("file.open") == QList{ctrl0});
}

TEST_CASE("a key that another action has is refused, and that one is named")
{
    ShortcutChoice choice;
    CHECK(choice.assign("file.open", QKeySequence("Ctrl+Q")) == "file.quit");
    CHECK(choice.isStandard("file.open"));
    CHECK(choice.assign("file.open", QKeySequence("Ctrl+Q, Ctrl+X")) == "file.quit");
}

TEST_CASE("two actions can swap keys, and settings bring that back")
{
    ShortcutChoice choice;
    CHECK_FALSE(choice.assign("file.open", {}));
    CHECK(choice.keys("file.open").isEmpty());
    CHECK_FALSE(choice.assign("file.quit", QKeySequence("Ctrl+O")));
    CHECK_FALSE(choice.assign("file.open", QKeySequence("Ctrl+Q")));
    const ShortcutChoice again(choice.chosen());
    CHECK(again.keys("file.open") == QList{QKeySequence("Ctrl+Q")});
    CHECK(again.keys("file.quit") == QList{QKeySequence("Ctrl+O")});
}

TEST_CASE("the standard key is refused while another action has it")
{
    ShortcutChoice choice;
    (void)choice.assign("file.open", ctrl0);
    (void)choice.assign("file.quit", QKeySequence("Ctrl+O"));
    CHECK(choice.assignStandard("file.open") == "file.quit");
    (void)choice.assignStandard("file.quit");
    CHECK_FALSE(choice.assignStandard("file.open"));
    CHECK(choice.chosen().empty());
}

TEST_CASE("settings that give a key twice, or to what is not an action, are left aside")
{
    const ShortcutChoice choice({{"file.open", {QKeySequence("Ctrl+Q")}}, {"no.such", {ctrl0}}});
    CHECK(choice.isStandard("file.open"));
    CHECK(choice.isStandard("file.quit"));
}

struct Made
{
    MainWindow window{{.keeping = Preferences::Keeping::Forget}};
    Actions& actions = window.actions();
    const QToolBar& toolBar = *window.findChild<QToolBar*>("toolBar");
};

QKeyEvent letter(QChar typed, Qt::KeyboardModifiers modifiers = {})
{
    return {QEvent::ShortcutOverride, typed.toUpper().unicode(), modifiers, typed};
}

const QKeyEvent space{QEvent::ShortcutOverride, Qt::Key_Space, {}, QStringLiteral(" ")};

TEST_CASE("every action has a text, a sentence of help and a place in its menu")
{
    const Made shown;
    for (const ActionSpec& spec : actionTable()) {
        const QAction& action = shown.actions[spec.id];
        CAPTURE(spec.text.toStdString());
        CHECK_FALSE(action.text().isEmpty());
        CHECK(spec.help.endsWith('.'));
        CHECK(shown.actions.menu(spec.menu).actions().contains(&action));
    }
}

TEST_CASE("every action but themes, quantities, layout and about has a key, and no two the same")
{
    const std::set<QString> without = {
        "theme.system",     "theme.light",         "theme.dark",        "quantity.count",
        "quantity.density", "quantity.cumulative", "view.reset-layout", "help.about"};
    const Made shown;
    std::set<QString> keys;
    for (const ActionSpec& spec : actionTable()) {
        CAPTURE(spec.text.toStdString());
        CHECK(shown.actions[spec.id].shortcuts() == standardShortcuts(spec));
        CHECK(standardShortcuts(spec).isEmpty() == without.contains(spec.id));
        for (const QKeySequence& key : standardShortcuts(spec))
            CHECK(keys.insert(key.toString(QKeySequence::PortableText)).second);
    }
}

TEST_CASE("no two actions have the same name in settings")
{
    std::set<QString> keys;
    for (const ActionSpec& spec : actionTable())
        CHECK(keys.insert(spec.id).second);
    CHECK(keys.size() == actionTable().size());
}

TEST_CASE("mnemonics of one menu differ, and so do those of the menus in it")
{
    for (const MenuSpec& menu : menuTable()) {
        std::set<QChar> letters;
        const auto addMnemonic = [&](const QString& text) {
            CAPTURE(text.toStdString());
            const auto mark = text.indexOf('&');
            REQUIRE(mark >= 0);
            CHECK(letters.insert(text[mark + 1].toLower()).second);
        };
        for (const ActionSpec& spec : actionTable())
            if (spec.menu == menu.id)
                addMnemonic(spec.text);
        for (const MenuSpec& inner : menuTable())
            if (inner.parent == menu.id)
                addMnemonic(inner.title);
    }
}

TEST_CASE("a menu inside another one stands in it")
{
    const Made shown;
    CHECK(shown.actions.menu(Menu::View)
              .actions()
              .contains(shown.actions.menu(Menu::Theme).menuAction()));
    CHECK_FALSE(
        shown.window.menuBar()->actions().contains(shown.actions.menu(Menu::Theme).menuAction()));
}

TEST_CASE("keys that are given anew stand in the tool tip")
{
    Made shown;
    shown.actions.setShortcuts("view.fit", {QKeySequence("Ctrl+0")});
    CHECK(shown.actions["view.fit"].shortcut() == QKeySequence("Ctrl+0"));
    CHECK(shown.actions["view.fit"].toolTip() == "Shows all of the histogram. (Ctrl+0)");
}

TEST_CASE("what needs a dump is out of reach without one")
{
    ShownWindow shown;
    const Actions& actions = shown.window->actions();
    CHECK_FALSE(actions["view.log-count"].isEnabled());
    CHECK(actions["file.open"].isEnabled());
    shown.openSample();
    CHECK(actions["view.log-count"].isEnabled());
}

TEST_CASE("one theme is checked at a time")
{
    const Made shown;
    shown.actions["theme.dark"].setChecked(true);
    shown.actions["theme.light"].setChecked(true);
    CHECK_FALSE(shown.actions["theme.dark"].isChecked());
}

TEST_CASE("the tool bar holds the actions that have a text for it")
{
    const Made shown;
    for (const ActionSpec& spec : actionTable())
        CHECK(shown.toolBar.actions().contains(&shown.actions[spec.id]) ==
              !spec.toolBarText.isEmpty());
}

TEST_CASE("letters belong to fields in which they are typed")
{
    CHECK(takesPlainKey(QLineEdit(), letter('l')));
    CHECK(takesPlainKey(QSpinBox(), letter('5')));
    CHECK(takesPlainKey(QTextEdit(), letter('l')));
}

TEST_CASE("letters belong to the window where nothing is typed")
{
    CHECK_FALSE(takesPlainKey(QWidget(), letter('l')));
    CHECK_FALSE(takesPlainKey(QTreeView(), letter('l')));
    CHECK_FALSE(takesPlainKey(QCheckBox(), letter('l')));
    CHECK_FALSE(takesPlainKey(QComboBox(), letter('l')));
    QTextEdit shownText;
    shownText.setReadOnly(true);
    CHECK_FALSE(takesPlainKey(shownText, letter('l')));
}

TEST_CASE("Ctrl and Alt are never a field's")
{
    CHECK_FALSE(takesPlainKey(QLineEdit(), letter('k', Qt::ControlModifier)));
    CHECK_FALSE(takesPlainKey(QLineEdit(), letter('k', Qt::AltModifier)));
}

TEST_CASE("the space bar presses buttons and ticks rows of tables, but not rows of the list")
{
    CHECK(takesPlainKey(QCheckBox(), space));
    CHECK(takesPlainKey(QComboBox(), space));
    CHECK(takesPlainKey(QTableView(), space));
    QTreeView list;
    list.setObjectName("tensorTree");
    CHECK_FALSE(takesPlainKey(list, space));
}

TEST_CASE("Home and Backspace edit a field, Esc leaves it")
{
    const QKeyEvent home{QEvent::ShortcutOverride, Qt::Key_Home, {}};
    const QKeyEvent escape{QEvent::ShortcutOverride, Qt::Key_Escape, {}, QStringLiteral("\x1b")};
    CHECK(takesPlainKey(QLineEdit(), home));
    CHECK_FALSE(takesPlainKey(QTreeView(), home));
    CHECK_FALSE(takesPlainKey(QLineEdit(), escape));
}

}  // namespace actions_test
