// SPDX-License-Identifier: GPL-3.0-or-later
// Two dumps in the window, with the real engine.
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/two_dumps.h"
#include "ui/document/compare_edits.h"
#include "ui/models/match_model.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/match_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/compare_controller.h"
#include "ui/window/main_window.h"

#include <QDialog>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>

#include <limits>

namespace compare_controller_test {

using namespace calibscope;
using namespace calibscope::test;

struct ComparingWindow
{
    MainWindow window{{.keeping = Preferences::Keeping::Forget, .theme = Theme::Light}};

    ComparingWindow()
    {
        window.resize(1160, 720);
        window.show();
    }
    void settle()
    {
        REQUIRE(becomesQuiet(
            window, [this] { return window.document().isIdle() && window.comparison().isIdle(); }));
    }
    void compare(const std::string& a, const std::string& b)
    {
        window.open(QString::fromStdString(a));
        window.comparing().open(QString::fromStdString(b));
        settle();
        window.showWorkspace(Workspace::Compare);
        settle();
    }
    void drop(const QStringList& files, Qt::KeyboardModifiers modifiers)
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& file : files)
            urls += QUrl::fromLocalFile(file);
        data.setUrls(urls);
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(&window, &enter);
        CHECK(enter.isAccepted());
        QDropEvent event(QPointF(5.0, 5.0), Qt::CopyAction, &data, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(&window, &event);
    }
    const DriftRow& rowOf(const char* tensor)
    {
        const std::vector<TensorInfo>& tensors = window.document().tensors();
        for (int place = 0; place < std::ssize(tensors); ++place)
            if (tensors[static_cast<std::size_t>(place)].name == tensor)
                return window.comparison().drift().row(window.comparison().pairOfA(place));
        FAIL("no tensor " << tensor);
        return window.comparison().drift().row(0);
    }
    /// Names in the order of the list, with the groups.
    QStringList listed() const
    {
        const MatchModel& model = window.comparing().pairs().model();
        QStringList names;
        for (int group = 0; group < model.rowCount(); ++group) {
            const QModelIndex parent = model.index(group, 0);
            names += parent.data(Qt::DisplayRole).toString();
            for (int row = 0; row < model.rowCount(parent); ++row)
                names += model.index(row, 0, parent).data(Qt::DisplayRole).toString();
        }
        return names;
    }
};

TEST_CASE("a dump compared with itself has no drift anywhere")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.a.path());
    const Comparison& comparison = test.window.comparison();
    REQUIRE(comparison.drift().pairs() == 5);
    CHECK(comparison.matches().onlyA.empty());
    CHECK(comparison.matches().onlyB.empty());
    for (int pair = 0; pair < 5; ++pair) {
        const DriftRow& row = comparison.drift().row(pair);
        CHECK(hasNoDrift(row));
        REQUIRE(row.standingCell());
        for (const auto& [id, cell] : row.cells) {
            INFO(id);
            CHECK(cell.scaleRatio == 1.0);
            CHECK(cell.sqnrLossDb == 0.0);
        }
    }
    CHECK(test.window.comparing().pairs().stateText() == "no drift: all 5 pairs are equal");
    const QString drift = test.window.comparing().page().driftText();
    CAPTURE(drift.toStdString());
    CHECK(drift.contains("A's scale (percentile 99.999) costs B nothing"));
    CHECK(drift.contains("No drift: both recordings have the same distribution."));
}

TEST_CASE("what is missing and what was scaled is found, and stands first")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.b.path());
    const auto listed = [&] { return test.listed(); };
    CHECK(QTest::qWaitFor([&] { return listed().value(3) == "conv2"; }, 2000));
    CHECK(listed() ==
          QStringList{"Only in A (1)", "gone", "In both (4)", "conv2", "conv1", "conv3", "out"});
    CHECK(test.rowOf("conv2").drift->maxRatio == 2.0);
    CHECK(test.rowOf("conv2").standingCell()->scaleRatio == Approx(2.0));
    CHECK(test.rowOf("conv2").standingCell()->sqnrLossDb.value() > 1.0);
    for (const char* tensor : {"conv1", "conv3", "out"})
        CHECK(hasNoDrift(test.rowOf(tensor)));
    CHECK(test.window.comparing().pairs().stateText() ==
          "drift in 1 of 4 pairs; most steps of A's scale first");
}

TEST_CASE("the page shows the pair that is chosen in the list, in each mode")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.b.path());
    const ComparePage& page = test.window.comparing().page();
    CHECK_FALSE(page.showsNotice());
    test.window.document().select(1);
    test.settle();
    CHECK_FALSE(page.plots().overlay().shown().isEmpty());
    CHECK_FALSE(page.plots().lower().shown().isEmpty());
    CHECK(page.tables().statistics().rowCount() > 10);
    CHECK(page.tables().transfer().rowCount() > 0);
    CHECK(page.driftText().contains("Largest magnitude ×2."));
    test.window.actions()["compare.mode"].trigger();
    CHECK(test.window.document().workbench().compared.mode == CompareMode::SideBySide);
    CHECK(page.plots().sideOfA().isVisible());
    CHECK(page.plots().sideOfB().isVisible());
    CHECK(page.plots().overlay().shown().isEmpty());
    test.window.actions()["compare.mode"].trigger();
    CHECK_FALSE(page.plots().difference().shown().isEmpty());
    CHECK(page.plots().difference().isVisible());
    test.window.document().undo();
    CHECK(test.window.document().workbench().compared.mode == CompareMode::SideBySide);
}

TEST_CASE("side by side each plot has its own threshold on top, and one where both read alike")
{
    TwoDumps dumps;
    dumps.a.write("/activations/unusual", {8, 256}, recordedValues(1.0F));
    std::vector<float> values = recordedValues(1.0F);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    dumps.b.write("/activations/unusual", {8, 256}, values);
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.b.path());
    const ComparePage& page = test.window.comparing().page();
    setCompareMode(test.window.document(), CompareMode::SideBySide);
    const auto thresholds = [](const HistogramPlot& plot) {
        return plot.shown().sentences().section("Thresholds: ", 1);
    };
    test.window.document().select(1);  // "conv2"
    test.settle();
    CHECK(thresholds(page.plots().sideOfA()) ==
          "percentile 99.999, A 8.295, percentile 99.999, B 16.59.");
    CHECK(thresholds(page.plots().sideOfB()) ==
          "percentile 99.999, B 16.59, percentile 99.999, A 8.295.");
    test.window.document().select(5);  // "unusual": almost the same threshold
    test.settle();
    for (const HistogramPlot* plot : {&page.plots().sideOfA(), &page.plots().sideOfB()})
        CHECK(thresholds(*plot).startsWith("percentile 99.999, A and B"));
    CHECK(page.driftText().contains("costs the finite values of B nothing"));
    CHECK(page.driftText().contains("B has 1 NaN, A none."));
    CHECK(page.tables().transfer().index(0, TransferColumn::LossDb).data().toString() == "0.00 !");
}

TEST_CASE("a tensor without a counterpart is shown alone")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.b.path());
    const ComparePage& page = test.window.comparing().page();
    test.window.document().select(3);  // "gone"
    test.settle();
    CHECK(page.plots().sideOfA().isVisible());
    CHECK_FALSE(page.plots().sideOfB().isVisible());
    CHECK_FALSE(page.tables().isVisible());
    swapDumps(test.window.comparison(), test.window.dumps());
    test.settle();
    test.window.comparison().lookAtB(3);
    test.settle();
    CHECK(page.plots().sideOfB().isVisible());
    CHECK_FALSE(page.plots().sideOfA().isVisible());
}

TEST_CASE("without a second dump the page says so, and the list is that of the open one")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.window.open(QString::fromStdString(dumps.a.path()));
    test.settle();
    test.window.showWorkspace(Workspace::Compare);
    CHECK(test.window.comparing().page().showsNotice());
    CHECK_FALSE(test.window.comparing().pairs().isVisible());
    CHECK_FALSE(test.window.actions()["compare.swap"].isEnabled());
    test.window.comparing().open(QString::fromStdString(dumps.b.path()));
    test.settle();
    CHECK_FALSE(test.window.comparing().page().showsNotice());
    CHECK(test.window.comparing().pairs().isVisible());
    CHECK(test.window.actions()["compare.swap"].isEnabled());
    test.window.actions()["compare.close"].trigger();
    CHECK_FALSE(test.window.comparing().pairs().isVisible());
}

TEST_CASE("who matches by hand is asked for a tensor, not for an action")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.b.path());
    test.window.document().select(3);  // "gone"
    test.window.actions()["compare.match"].trigger();
    const auto* dialog = test.window.findChild<QDialog*>("goTo");
    REQUIRE(dialog);
    CHECK(dialog->windowTitle() == "Counterpart of gone in B");
    CHECK(dialog->findChild<QLineEdit*>()->placeholderText() == "Search tensors");
}

TEST_CASE("a second dump that is none is told in place of the plots")
{
    const TwoDumps dumps;
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.a.folder().file("not there.h5"));
    CHECK(test.window.comparing().page().showsNotice());
    CHECK(test.window.comparing().page().notice().sentence().contains("not there.h5"));
}

TEST_CASE("a file dropped with Shift held is the second one, two files are both")
{
    const TwoDumps dumps;
    const QString a = QString::fromStdString(dumps.a.path());
    const QString b = QString::fromStdString(dumps.b.path());
    ComparingWindow test;
    test.window.open(a);
    test.settle();
    test.drop({b}, Qt::ShiftModifier);
    CHECK(test.window.document().path() == a);
    CHECK(test.window.comparison().path() == b);
    test.settle();
    test.drop({b, a}, Qt::NoModifier);
    CHECK(test.window.document().path() == b);
    CHECK(test.window.comparison().path() == a);
    test.settle();
    CHECK(test.window.workspaces().current() == Workspace::Compare);
}

TEST_CASE("a pair that cannot be read has not drifted")
{
    TwoDumps dumps;
    dumps.b.writeNothing("/activations/packed", {4}, {.chunk = {4}, .gzip = 4});
    dumps.b.writeChunk("/activations/packed", {0}, "no gzip stream");
    dumps.a.write("/activations/packed", {4}, std::vector<float>{1, 2, 3, 4});
    ComparingWindow test;
    test.compare(dumps.a.path(), dumps.b.path());
    CHECK(test.window.comparing().pairs().stateText() ==
          "drift in 1 of 4 pairs, 1 could not be read; most steps of A's scale first");
    const QStringList listed = test.listed();
    CHECK(listed.indexOf("conv2") < listed.indexOf("packed"));
    CHECK(listed.indexOf("packed") < listed.indexOf("conv1"));
}

}  // namespace compare_controller_test
