// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the window that compute or compare.
#include "tests/support/catch.h"
#include "ui/document/card_choice.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/calibrators/matrix_view.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"

#include <QTableView>
#include <QTest>
#include <QTextBrowser>

namespace main_window_computing_test {

using namespace calibscope;

constexpr int patienceMs = 60000;

struct OpenSample
{
    OpenSample()
    {
        window.show();
        window.open(sampleDumpPath());
        REQUIRE(QTest::qWaitFor([&] { return document().dumpState() == Document::DumpState::Open; },
                                patienceMs));
        trigger("tensor.first");
        settle();
    }
    Document& document() { return window.document(); }
    QAction& action(const QString& id) { return window.actions()[id]; }
    void trigger(const QString& id) { action(id).trigger(); }
    void settle()
    {
        REQUIRE(QTest::qWaitFor([&] { return document().isIdle(); }, patienceMs));
    }

    MainWindow window{MainWindowOptions{.keeping = Preferences::Keeping::Forget}};
};

TEST_CASE("all tensors are computed and shown as a heat map by one key")
{
    OpenSample opened;
    opened.trigger("calibrator.all-tensors");
    CHECK(opened.window.workspaces().current() == Workspace::Calibrators);
    const auto* page = opened.window.findChild<CalibratorsPage*>();
    REQUIRE(page);
    CHECK(page->matrix().isVisible());
    CHECK(opened.document().questions().matrix().isRunning());
    opened.settle();
    // One row more for each role.
    CHECK(page->matrix().table().model()->rowCount() ==
          2 + static_cast<int>(opened.document().tensors().size()));
}

TEST_CASE("the open card becomes the baseline, once more it is none, and without one it can't be")
{
    OpenSample opened;
    QAction& baseline = opened.action("calibrator.baseline");
    cardsOf(opened.document()).choose({});
    CHECK_FALSE(baseline.isEnabled());
    const std::string label = opened.document().questions().rows().front().candidate.id;
    cardsOf(opened.document()).choose(label);
    REQUIRE(baseline.isEnabled());
    CHECK_FALSE(baseline.isChecked());
    baseline.trigger();
    CHECK(opened.document().workbench().baseline == label);
    CHECK(baseline.isChecked());
    opened.document().undo();
    CHECK_FALSE(baseline.isChecked());
    baseline.trigger();
    baseline.trigger();
    CHECK(opened.document().workbench().baseline.empty());
}

TEST_CASE("the numbers of the histogram are shown as a table by a key")
{
    OpenSample opened;
    opened.trigger("edit.plot-table");
    const QTableView* table = nullptr;
    for (const QDialog* dialog : opened.window.findChildren<QDialog*>())
        if (dialog->isVisible())
            table = dialog->findChild<QTableView*>();
    REQUIRE(table);
    CHECK(table->model()->rowCount() > 100);
}

TEST_CASE("F1 opens the help")
{
    OpenSample opened;
    CHECK(opened.action("help.contents").shortcut() == QKeySequence(Qt::Key_F1));
    opened.trigger("help.contents");
    const auto* text = opened.window.findChild<QTextBrowser*>("help");
    REQUIRE(text);
    CHECK(text->isVisible());
}

TEST_CASE("pages go before the document that they ask, with answers on their way")
{
    std::vector<QString> gone;
    {
        OpenSample opened;
        const auto note = [&](const QObject& object, const QString& name) {
            QObject::connect(&object, &QObject::destroyed, &opened.window,
                             [&gone, name] { gone.push_back(name); });
        };
        for (const Workspace workspace : allWorkspaces) {
            opened.window.showWorkspace(workspace);
            note(opened.window.shownPage(), workspaceId(workspace));
        }
        note(opened.document(), QStringLiteral("document"));
    }
    REQUIRE(gone.size() == allWorkspaces.size() + 1);
    CHECK(gone.back() == QStringLiteral("document"));
}

}  // namespace main_window_computing_test
