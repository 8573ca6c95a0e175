#include "ui/window/shortcuts_dialog.h"

#include "tests/support/catch.h"
#include "ui/window/actions/shortcut_choice.h"

#include <QTextBrowser>
#include <QWidget>

using namespace calibscope;

namespace {

QString sheet(const ShortcutChoice& shortcuts)
{
    QWidget window;
    showShortcuts(window, shortcuts);
    return window.findChild<QTextBrowser*>("cheatSheet")->toPlainText();
}

}  // namespace

TEST_CASE("the sheet shows the keys that hold, not those of the table")
{
    ShortcutChoice shortcuts;
    (void)shortcuts.assign(ActionId::Open, QKeySequence("Ctrl+0"));
    CHECK(sheet(ShortcutChoice()).contains("Ctrl+O"));
    CHECK_FALSE(sheet(shortcuts).contains("Ctrl+O\n"));
    CHECK(sheet(shortcuts).contains("Ctrl+0"));
}

TEST_CASE("an action without a key is listed with the letters of its menus")
{
    CHECK(sheet(ShortcutChoice()).contains("Alt+V, H, L"));  // View, Theme, Light
    ShortcutChoice shortcuts;
    (void)shortcuts.assign(ActionId::Open, {});
    CHECK(sheet(shortcuts).contains("Alt+F, O"));
}

TEST_CASE("gestures in a plot are listed too")
{
    CHECK(sheet(ShortcutChoice()).contains("Zooms into a box."));
}
