// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"
#include "ui/document/questions.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QTest>
#include <QToolBar>

#include <memory>

namespace calibscope::test {

inline constexpr int patienceMs = 20000;

/// The window with the real engine, remembering nothing.
struct ShownWindow
{
    ShownWindow() { window->show(); }

    Document& document() { return window->document(); }
    bool waitForDump()
    {
        return QTest::qWaitFor(
            [this] { return document().dumpState() == Document::DumpState::Open; }, patienceMs);
    }
    /// And shows its first tensor.
    void openSample()
    {
        window->open(sampleDumpPath());
        REQUIRE(waitForDump());
        trigger("tensor.first");
        REQUIRE(waitForView());
    }
    bool waitForView()
    {
        return QTest::qWaitFor(
            [this] { return document().questions().reader().state() == QueryState::State::Ready; },
            patienceMs);
    }
    void trigger(const QString& id) { window->actions()[id].trigger(); }
    bool isWorkspaceShown() const
    {
        return window->findChild<QDockWidget*>("tensors")->isVisible() &&
               window->findChild<QToolBar*>("toolBar")->isVisible();
    }

    std::unique_ptr<MainWindow> window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
};

}  // namespace calibscope::test
