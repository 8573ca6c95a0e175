#include "ui/window/actions/actions.h"

#include "tests/support/catch.h"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include <set>

using namespace calibscope;

namespace {

struct Shown
{
    Shown()
    {
        actions.addMenus();
        actions.addTo(toolBar);
    }

    QMainWindow window;
    Actions actions{window};
    QToolBar toolBar;
};

}  // namespace

TEST_CASE("every action has a text, a sentence of help and a place in its menu")
{
    const Shown shown;
    for (const ActionSpec& spec : actionTable()) {
        const QAction& action = shown.actions[spec.id];
        CAPTURE(spec.text);
        CHECK_FALSE(action.text().isEmpty());
        CHECK(QString::fromUtf8(spec.help).endsWith('.'));
        CHECK(shown.actions.menu(spec.menu).actions().contains(&action));
    }
}

TEST_CASE("every action but themes, quantities, layout and about has a key, and no two the same")
{
    const std::set<ActionId> without = {ActionId::ThemeSystem,     ActionId::ThemeLight,
                                        ActionId::ThemeDark,       ActionId::QuantityCount,
                                        ActionId::QuantityDensity, ActionId::QuantityCumulative,
                                        ActionId::ResetLayout,     ActionId::About};
    const Shown shown;
    std::set<QString> keys;
    for (const ActionSpec& spec : actionTable()) {
        CAPTURE(spec.text);
        CHECK(shown.actions[spec.id].shortcuts() == standardShortcuts(spec));
        CHECK(standardShortcuts(spec).isEmpty() == without.contains(spec.id));
        for (const QKeySequence& key : standardShortcuts(spec))
            CHECK(keys.insert(key.toString(QKeySequence::PortableText)).second);
    }
}

TEST_CASE("no two actions have the same name in settings")
{
    std::set<std::string> keys;
    for (const ActionSpec& spec : actionTable())
        CHECK(keys.insert(spec.key).second);
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
                addMnemonic(actionText(spec));
        for (const MenuSpec& inner : menuTable())
            if (inner.parent == menu.id)
                addMnemonic(menuTitle(inner.id));
    }
}

TEST_CASE("a menu inside another one stands in it")
{
    const Shown shown;
    CHECK(shown.actions.menu(Menu::View)
              .actions()
              .contains(shown.actions.menu(Menu::Theme).menuAction()));
    CHECK_FALSE(
        shown.window.menuBar()->actions().contains(shown.actions.menu(Menu::Theme).menuAction()));
}

TEST_CASE("keys that are given anew stand in the tool tip")
{
    Shown shown;
    shown.actions.setShortcuts(ActionId::Fit, {QKeySequence("Ctrl+0")});
    CHECK(shown.actions[ActionId::Fit].shortcut() == QKeySequence("Ctrl+0"));
    CHECK(shown.actions[ActionId::Fit].toolTip() == "Shows all of the histogram. (Ctrl+0)");
}

TEST_CASE("what needs a dump is out of reach without one")
{
    Shown shown;
    shown.actions.setDumpOpen(false);
    CHECK_FALSE(shown.actions[ActionId::LogCount].isEnabled());
    CHECK(shown.actions[ActionId::Open].isEnabled());
    shown.actions.setDumpOpen(true);
    CHECK(shown.actions[ActionId::LogCount].isEnabled());
}

TEST_CASE("one theme is checked at a time")
{
    const Shown shown;
    shown.actions[ActionId::ThemeDark].setChecked(true);
    shown.actions[ActionId::ThemeLight].setChecked(true);
    CHECK_FALSE(shown.actions[ActionId::ThemeDark].isChecked());
}

TEST_CASE("the tool bar holds the actions that have a text for it")
{
    const Shown shown;
    for (const ActionSpec& spec : actionTable())
        CHECK(shown.toolBar.actions().contains(&shown.actions[spec.id]) ==
              (*spec.toolBarText != '\0'));
}
