// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history_dialog.h"

#include "tests/support/catch.h"
#include "ui/document/edits.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"

#include <QListWidget>
#include <QPointer>
#include <QTest>

#include <memory>

namespace history_dialog_test {

using namespace calibscope;

struct Window
{
    Window()
    {
        window->show();
        window->open(sampleDumpPath());
        REQUIRE(QTest::qWaitFor([&] { return document().dumpState() == Document::DumpState::Open; },
                                20000));
        // Three steps.
        setLogX(true);
        edits::chooseRecipe(document(), "moffett-cnn");
        setLogX(false);
        window->actions()["edit.history"].trigger();
        dialog = window->findChild<HistoryDialog*>();
        REQUIRE(dialog);
    }
    Document& document() { return window->document(); }
    void setLogX(bool isLogX)
    {
        PlotDisplay display = document().workbench().display;
        display.isLogX = isLogX;
        edits::setDisplay(document(), display);
    }
    QListWidget& list() { return *dialog->findChild<QListWidget*>(); }
    QStringList texts()
    {
        QStringList texts;
        for (int row = 0; row < list().count(); ++row)
            texts += list().item(row)->text();
        return texts;
    }

    std::unique_ptr<MainWindow> window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
    QPointer<HistoryDialog> dialog;
};

TEST_CASE("the history lists all steps, and the one that is the last done is chosen")
{
    Window test;
    CHECK(test.texts().mid(1) == test.document().history().steps());
    CHECK(test.list().count() == 4);
    CHECK(test.list().currentRow() == 3);
    CHECK(test.list().item(3)->font().bold());
    test.document().undo();
    CHECK(test.list().count() == 4);  // what was undone can be redone
    CHECK(test.list().currentRow() == 2);
    CHECK_FALSE(test.list().item(3)->font().bold());
}

TEST_CASE("a click goes several steps back and forward at once")
{
    Window test;
    const Workbench last = test.document().workbench();
    const auto click = [&](int row) {
        QTest::mouseClick(test.list().viewport(), Qt::LeftButton, {},
                          test.list().visualItemRect(test.list().item(row)).center());
    };
    click(0);
    CHECK_FALSE(test.document().workbench().display.isLogX);
    CHECK(test.document().workbench().recipe != "moffett-cnn");
    CHECK_FALSE(test.document().history().canUndo());
    click(1);
    CHECK(test.document().workbench().display.isLogX);
    CHECK(test.document().workbench().recipe != "moffett-cnn");
    click(3);
    CHECK(test.document().workbench() == last);
    CHECK_FALSE(test.document().history().canRedo());
}

TEST_CASE("the history is walked by the keyboard, and Enter goes there")
{
    Window test;
    QTest::keyClick(&test.list(), Qt::Key_Up);
    QTest::keyClick(&test.list(), Qt::Key_Up);
    CHECK(test.document().history().doneCount() == 3);  // looking is not going
    QTest::keyClick(&test.list(), Qt::Key_Return);
    CHECK(test.document().history().doneCount() == 1);
}

}  // namespace history_dialog_test
