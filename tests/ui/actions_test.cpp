#include "ui/actions.h"

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

TEST_CASE("every action but themes, layout and about has a key, and no two the same")
{
    const std::set<ActionId> without = {ActionId::ThemeSystem, ActionId::ThemeLight,
                                        ActionId::ThemeDark, ActionId::ResetLayout,
                                        ActionId::About};
    const Shown shown;
    std::set<QString> keys;
    for (const ActionSpec& spec : actionTable()) {
        const QString key = shown.actions[spec.id].shortcut().toString(QKeySequence::PortableText);
        CAPTURE(spec.text);
        CHECK(key.isEmpty() == without.contains(spec.id));
        CHECK(key == QString::fromLatin1(spec.shortcut));
        if (!key.isEmpty())
            CHECK(keys.insert(key).second);
    }
}

TEST_CASE("mnemonics of one menu differ")
{
    for (const Menu menu : {Menu::File, Menu::View, Menu::Tensor, Menu::Help}) {
        std::set<QChar> letters;
        for (const ActionSpec& spec : actionTable()) {
            const QString text = QString::fromUtf8(spec.text);
            const auto mark = text.indexOf('&');
            if (spec.menu != menu)
                continue;
            CAPTURE(spec.text);
            REQUIRE(mark >= 0);
            CHECK(letters.insert(text[mark + 1].toLower()).second);
        }
    }
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
