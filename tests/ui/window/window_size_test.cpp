// SPDX-License-Identifier: GPL-3.0-or-later
// How much room the window takes and gives, whichever page it shows.
#include "tests/support/catch.h"
#include "ui/document/questions.h"
#include "ui/document/workspace.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/window/file_controller.h"
#include "ui/window/layout_controller.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QMainWindow>
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

TEST_CASE("the first window takes most of a large screen, and not all of a huge one")
{
    CHECK(firstWindowSize({1280, 800}) == QSize(1280, 800));
    CHECK(firstWindowSize({1920, 1040}) == QSize(1632, 884));
    CHECK(firstWindowSize({3840, 2100}) == QSize(2240, 1400));
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

/// A window of that width with docks as they were in another one.
struct Docks
{
    Docks(int width, const QByteArray& remembered)
    {
        window.setCentralWidget(new QWidget);
        layout.begin(remembered);
        window.resize(width, 800);
        window.show();
        layout.setShown(true);
    }
    [[nodiscard]] int tensorsWidth() const { return layout.tensorDock().width(); }

    QMainWindow window;
    LayoutController layout{window,
                            {.tensors = new QWidget, .inspector = new QWidget, .log = new QWidget}};
};

TEST_CASE("docks that nobody dragged are wider in a larger window of another day")
{
    const Docks small(1280, {});
    REQUIRE(QTest::qWaitFor([&] { return small.tensorsWidth() == 340; }, patienceMs));
    const Docks large(1920, small.layout.state());
    CHECK(QTest::qWaitFor([&] { return large.tensorsWidth() == 1920 * 23 / 100; }, patienceMs));
    // As an older version kept it: it is not known that they are the usual ones.
    const QByteArray older = small.window.saveState(2);
    const Docks same(1920, older);
    QTest::qWait(300);  // longer than the docks are fitted
    CHECK(same.tensorsWidth() == 340);
}

}  // namespace window_size_test
