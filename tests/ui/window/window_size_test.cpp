// SPDX-License-Identifier: GPL-3.0-or-later
// How much room the window takes and gives, whichever page it shows.
#include "tests/support/catch.h"
#include "ui/document/questions.h"
#include "ui/document/workspace.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QTest>

#include <memory>

namespace window_size_test {

using namespace calibscope;

constexpr int patienceMs = 20000;

std::unique_ptr<MainWindow> windowOnSample(const QSize& size)
{
    auto window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
    window->resize(size);
    window->show();
    window->open(sampleDumpPath());
    Document& document = window->document();
    REQUIRE(QTest::qWaitFor([&] { return document.dumpState() == Document::DumpState::Open; },
                            patienceMs));
    window->actions()["tensor.first"].trigger();
    REQUIRE(QTest::qWaitFor(
        [&] { return document.questions().reader().state() == QueryState::State::Ready; },
        patienceMs));
    return window;
}

std::vector<int> dockWidths(const MainWindow& window)
{
    std::vector<int> widths;
    for (const char* name : {"tensors", "inspector"}) {
        const auto* dock = window.findChild<QDockWidget*>(name);
        REQUIRE(dock);
        widths.push_back(dock->width());
    }
    return widths;
}

TEST_CASE("the window fits a small screen, whichever page it shows")
{
    const auto window = windowOnSample({1280, 800});
    for (const Workspace workspace : allWorkspaces) {
        window->showWorkspace(workspace);
        QCoreApplication::processEvents();
        const QSize least = window->minimumSizeHint();
        CAPTURE(workspaceId(workspace), least.width(), least.height());
        CHECK(least.width() <= 900);
        CHECK(least.height() <= 600);
    }
}

TEST_CASE("another page leaves the panels as wide as they were")
{
    const auto window = windowOnSample({1280, 800});
    const std::vector<int> widths = dockWidths(*window);
    for (const Workspace workspace : allWorkspaces) {
        window->showWorkspace(workspace);
        REQUIRE(QTest::qWaitFor([&] { return window->document().isIdle(); }, patienceMs));
        CAPTURE(workspaceId(workspace));
        CHECK(window->size() == QSize(1280, 800));
        CHECK(dockWidths(*window) == widths);
    }
}

TEST_CASE("in a larger window the panels have more room, in a smaller one what they had")
{
    const auto window = windowOnSample({1280, 800});
    const std::vector<int> small = dockWidths(*window);
    window->resize(1920, 1080);
    REQUIRE(QTest::qWaitFor([&] { return dockWidths(*window)[0] >= 1920 * 22 / 100; }, patienceMs));
    CHECK(dockWidths(*window)[1] >= 1920 * 25 / 100);
    window->resize(1280, 800);
    CHECK(QTest::qWaitFor([&] { return dockWidths(*window) == small; }, patienceMs));
}

}  // namespace window_size_test
