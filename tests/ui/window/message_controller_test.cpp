// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "ui/plot/table_menu.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/message_controller.h"

#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <memory>

namespace message_controller_test {

using namespace calibscope;

constexpr int patienceMs = 20000;

/// The sample as a file of the test's own, open in a window.
struct OpenCopy
{
    OpenCopy()
    {
        REQUIRE(QFile::copy(sampleDumpPath(), path));
        REQUIRE(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        window->show();
        window->open(path);
        REQUIRE(waitFor(Document::DumpState::Open));
    }
    bool waitFor(Document::DumpState state)
    {
        return QTest::qWaitFor([&] { return window->document().dumpState() == state; }, patienceMs);
    }
    bool waitForSentence(const QString& part)
    {
        return QTest::qWaitFor([&] { return window->messages().bar().sentence().contains(part); },
                               patienceMs);
    }
    void press(const QString& text)
    {
        for (QPushButton* button : window->messages().bar().findChildren<QPushButton*>())
            if (button->text().remove(u'&') == text)
                button->click();
    }

    QTemporaryDir folder;
    QString path = folder.filePath("copy.h5");
    std::unique_ptr<MainWindow> window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
};

bool has(const MessageLog& log, const QString& part)
{
    return log.text().contains(part);
}

TEST_CASE("a picture of a view without a plot is refused in a sentence")
{
    OpenCopy opened;
    opened.window->showAllTensors();
    opened.window->actions()["file.export-plot"].trigger();
    CHECK(opened.window->messages().bar().isVisible());
    CHECK(opened.window->messages().bar().sentence().contains("no plot"));
}

TEST_CASE("the log tells what was opened, and what could not be")
{
    OpenCopy opened;
    CHECK(has(opened.window->messages().log(), "copy.h5 opened: 30 tensors."));
    opened.window->open("/nowhere/b.h5");
    REQUIRE(opened.waitFor(Document::DumpState::Failed));
    CHECK(has(opened.window->messages().log(), "/nowhere/b.h5"));
}

TEST_CASE("a table is proposed to be saved beside the dump")
{
    const OpenCopy opened;
    QString folder;
    QTimer::singleShot(0, [&folder] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        REQUIRE(dialog);
        folder = dialog->directory().absolutePath();
        dialog->reject();
    });
    CHECK(askWhereToSave(nullptr, "Save", "table.csv", {"CSV (*.csv)"}).isEmpty());
    CHECK(folder == opened.folder.path());
}

TEST_CASE("what went well is in the log when its message is gone")
{
    OpenCopy opened;
    MessageController& messages = opened.window->messages();
    messages.say("Picture written.", {}, MessageBar::Kind::Success);
    messages.say("Something is odd.");
    CHECK(messages.bar().sentence() == "Something is odd.");
    CHECK(has(messages.log(), "Picture written."));
}

TEST_CASE("a file that changes on disk is told of, can be kept, and is called old from then on")
{
    OpenCopy opened;
    {
        QFile file(opened.path);
        REQUIRE(file.open(QIODevice::Append));
        file.write("x");
    }
    REQUIRE(opened.waitForSentence("has changed on disk"));
    CHECK(has(opened.window->messages().log(), "has changed on disk"));
    opened.press("Keep");
    CHECK_FALSE(opened.window->messages().bar().isVisible());
    CHECK(opened.window->windowTitle().contains("changed on disk"));
    CHECK(opened.window->document().dumpState() == Document::DumpState::Open);
}

TEST_CASE("a file that changed is read anew when the user wants it")
{
    OpenCopy opened;
    {
        QFile file(opened.path);
        REQUIRE(file.open(QIODevice::Append));
        file.write("x");
    }
    REQUIRE(opened.waitForSentence("has changed on disk"));
    opened.press("Reload");
    REQUIRE(opened.waitFor(Document::DumpState::Open));
    CHECK(opened.window->windowTitle() == "copy.h5");
}

TEST_CASE("a file that goes leaves what was read of it")
{
    OpenCopy opened;
    REQUIRE(QFile::remove(opened.path));
    REQUIRE(opened.waitForSentence("no longer exists"));
    CHECK(opened.window->document().tensors().size() == 30);
    CHECK(opened.window->windowTitle().contains("no longer exists"));
}

TEST_CASE("an internal error is shown with the log, and the window goes on")
{
    OpenCopy opened;
    opened.window->reportInternalError("bin 7");
    const auto* dialog = opened.window->findChild<QDialog*>("internalError");
    REQUIRE(dialog);
    const QString text = dialog->findChild<QPlainTextEdit*>()->toPlainText();
    CHECK(text.contains("bin 7"));
    CHECK(text.contains("copy.h5 opened"));
    CHECK(has(opened.window->messages().log(), "Internal error: bin 7"));
}

}  // namespace message_controller_test
