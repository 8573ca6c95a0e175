// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does when something fails or is stopped, with the real engine.
#include "tests/support/child_processes.h"
#include "tests/support/shown_window.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/start/start_page.h"
#include "ui/queries/engine_watch.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/message_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

#include <csignal>

namespace main_window_failures_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a file that is not a dump says what it is, and another one can be opened")
{
    ShownWindow shown;
    QTemporaryDir folder;
    QFile file(folder.filePath("text.h5"));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("this is no HDF5 file");
    file.close();
    shown.window->open(file.fileName());
    REQUIRE(QTest::qWaitFor(
        [&] { return shown.document().dumpState() == Document::DumpState::Failed; }, patienceMs));
    const auto* page = qobject_cast<const StateNotice*>(&shown.window->shownPage());
    REQUIRE(page);
    CHECK(page->sentence().contains("HDF5"));
    CHECK_FALSE(shown.isWorkspaceShown());
    shown.openSample();
    CHECK(shown.isWorkspaceShown());
    shown.trigger("file.close");
    CHECK(qobject_cast<const StartPage*>(&shown.window->shownPage()));
}

TEST_CASE("the window outlives a stopped engine, says so, and the next click works")
{
    ShownWindow shown;
    shown.openSample();
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    for (const pid_t engine : childProcesses()) {
        ::kill(engine, SIGSTOP);
        REQUIRE(QTest::qWaitFor([&] { return isHeldBySignal(engine); }, 2000));
    }
    const int unread = shown.window->tensorList().model().tensorCount() - 1;
    shown.document().select(unread);
    REQUIRE(QTest::qWaitFor(
        [&] { return shown.document().questions().reader().state() == QueryState::State::Failed; },
        patienceMs));
    CHECK(shown.window->messages().bar().isVisible());
    const std::string name = shown.document().selectedTensor()->name;
    CHECK(shown.window->messages().bar().sentence().contains(QString::fromStdString(name)));
    CHECK(shown.window->browsePage().showsNotice());

    shown.trigger("tensor.previous");
    REQUIRE(shown.waitForView());
    CHECK_FALSE(shown.window->browsePage().showsNotice());
    CHECK_FALSE(shown.window->messages().bar().isVisible());
}

TEST_CASE("the window outlives a killed engine")
{
    ShownWindow shown;
    shown.openSample();
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    for (const pid_t engine : childProcesses())
        ::kill(engine, SIGKILL);
    shown.document().select(shown.window->tensorList().model().tensorCount() - 1);
    const auto hasEnded = [&] {
        return shown.document().questions().reader().state() == QueryState::State::Ready ||
               shown.document().questions().reader().state() == QueryState::State::Failed;
    };
    REQUIRE(QTest::qWaitFor(hasEnded, patienceMs));
    shown.document().questions().readAgain();
    CHECK(shown.waitForView());
}

TEST_CASE("reading that is stopped can be continued")
{
    ShownWindow shown;
    shown.openSample();
    shown.document().select(shown.window->tensorList().model().tensorCount() - 1);
    shown.trigger("tensor.stop");
    CHECK(shown.document().questions().reader().state() == QueryState::State::Stopped);
    CHECK(shown.window->browsePage().showsNotice());
    auto* button = shown.window->browsePage().notice().findChild<QPushButton*>();
    CHECK(button->text() == "Continue");
    button->click();
    CHECK(shown.waitForView());
}

}  // namespace main_window_failures_test
