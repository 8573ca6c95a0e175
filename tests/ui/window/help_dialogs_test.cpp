#include "ui/window/help_dialogs.h"

#include "tests/support/catch.h"
#include "ui/window/shortcut_choice.h"

#include <QMessageBox>
#include <QProcess>
#include <QTest>
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

TEST_CASE("the help is tour and sessions without pictures and links that lead nowhere")
{
    const QString text = helpText();
    CHECK(text.startsWith("# "));
    CHECK(text.contains("## The list on the left"));
    CHECK(text.contains("\n# Sessions\n"));
    CHECK_FALSE(text.contains("!["));
    CHECK_FALSE(text.contains("]("));
}

TEST_CASE("the help opens in a window of its own and shows all sections")
{
    QWidget parent;
    showHelp(parent);
    const auto* shown = parent.findChild<QTextBrowser*>("help");
    REQUIRE(shown);
    CHECK(shown->window() != &parent);
    CHECK(shown->isVisible());
    for (const QString& line : helpText().split('\n'))
        if (line.startsWith("## ")) {
            CAPTURE(line.toStdString());
            CHECK(shown->toPlainText().contains(line.mid(3)));
        }
}

TEST_CASE("the sheet shows the keys that hold, not those of the table")
{
    ShortcutChoice shortcuts;
    (void)shortcuts.assign("file.open", QKeySequence("Ctrl+0"));
    CHECK(sheet(ShortcutChoice()).contains("Ctrl+O"));
    CHECK_FALSE(sheet(shortcuts).contains("Ctrl+O\n"));
    CHECK(sheet(shortcuts).contains("Ctrl+0"));
}

TEST_CASE("an action without a key is listed with the letters of its menus")
{
    CHECK(sheet(ShortcutChoice()).contains("Alt+V, H, L"));  // View, Theme, Light
    ShortcutChoice shortcuts;
    (void)shortcuts.assign("file.open", {});
    CHECK(sheet(shortcuts).contains("Alt+F, O"));
}

TEST_CASE("gestures in a plot are listed too")
{
    CHECK(sheet(ShortcutChoice()).contains("Zooms into a box."));
}

TEST_CASE("the About box tells the guards around the engine")
{
    QWidget parent;
    showAbout(parent);
    const auto* box = parent.findChild<QMessageBox*>();
    REQUIRE(box);
    REQUIRE(QTest::qWaitFor([box] { return !box->detailedText().isEmpty(); }, 10000));
    for (const char* guard : {"files", "system calls", "memory", "privileges"})
        CHECK(box->detailedText().contains(guard));
}

TEST_CASE("About may be closed before the engine has told of its guards")
{
    QWidget parent;
    showAbout(parent);
    auto* shown = parent.findChild<QMessageBox*>();
    REQUIRE(shown);
    REQUIRE(shown->findChild<QProcess*>());
    delete shown;
    CHECK_FALSE(parent.findChild<QMessageBox*>());
}
