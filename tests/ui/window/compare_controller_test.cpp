// SPDX-License-Identifier: GPL-3.0-or-later
// Two dumps in the window, with the real engine.
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/two_dumps.h"
#include "ui/document/compare_edits.h"
#include "ui/models/match_model.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/match_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/compare_controller.h"
#include "ui/window/deploy_controller.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/message_controller.h"

#include <QDialog>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

#include <filesystem>
#include <limits>

namespace compare_controller_test {

using namespace calibscope;
using namespace calibscope::test;

/// Where the lists of this test's dumps are written.
struct OwnDataFolder
{
    OwnDataFolder() { qputenv("XDG_DATA_HOME", QByteArray(folder.path().c_str())); }
    ~OwnDataFolder() { qunsetenv("XDG_DATA_HOME"); }
    TemporaryFolder folder;
};

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
    MessageBar& bar() { return window.messages().bar(); }
    void press(const QString& text)
    {
        for (QPushButton* button : bar().findChildren<QPushButton*>())
            if (button->text().remove(u'&') == text)
                return button->click();
        FAIL("no button " << text.toStdString());
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
    CHECK(test.window.windowTitle().contains(" and "));
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
    const auto comes = [](auto holds) { return QTest::qWaitFor(holds, 20000); };
    for (const HistogramPlot* plot : {&page.plots().sideOfA(), &page.plots().sideOfB()})
        CHECK(comes([&] { return thresholds(*plot).startsWith("percentile 99.999, A and B"); }));
    CHECK(comes([&] { return page.driftText().contains("costs the finite values of B nothing"); }));
    CHECK(page.driftText().contains("B has 1 NaN, A none."));
    CHECK(comes([&] {
        const auto loss = page.tables().transfer().index(0, TransferColumn::LossDb);
        return loss.data().toString() == "0.00 !";
    }));
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

TEST_CASE("a list and a dump that are dropped together are compared")
{
    const TwoDumps dumps;
    const TemporaryFolder folder;
    const std::string list = folder.file("a.dumplist");
    std::filesystem::copy_file(dumps.a.path(), folder.file("a.h5"));
    writeBytes(list, "a.h5\n");
    ComparingWindow test;
    test.drop({QString::fromStdString(list), QString::fromStdString(dumps.b.path())},
              Qt::NoModifier);
    CHECK(test.window.document().path() == QString::fromStdString(list));
    CHECK(test.window.comparison().path() == QString::fromStdString(dumps.b.path()));
    test.settle();
    CHECK(test.window.document().dumpState() == Document::DumpState::Open);
}

TEST_CASE("two dropped files of one kind are compared, or one dump if the bar's button is pressed")
{
    const TwoDumps dumps;
    const OwnDataFolder data;
    const QString a = QString::fromStdString(dumps.a.path());
    const QString b = QString::fromStdString(dumps.b.path());
    ComparingWindow test;
    test.drop({a, b}, Qt::NoModifier);
    CHECK(test.window.comparison().path() == b);
    test.settle();
    test.press("As one dump");
    CHECK(test.window.comparison().path().isEmpty());
    test.settle();
    CHECK(test.window.document().path().endsWith(".dumplist"));
    CHECK(test.window.windowTitle().contains("+1-"));
    REQUIRE(test.window.document().tensors().size() == 5);
    // Their order is that of the files' names, which are random.
    for (const std::uint64_t samples : {16U, 8U})
        CHECK(std::ranges::count(test.window.document().tensors(),
                                 std::vector<std::uint64_t>{samples, 256}, &TensorInfo::shape) > 0);
    CHECK(test.bar().sentence() == "2 files are shown as one dump.");
    test.press("Compare them");
    test.settle();
    CHECK(test.window.document().path() == a);
    CHECK(test.window.comparison().path() == b);
}

TEST_CASE("files of several kinds are one dump, and a model among them is that of Deploy")
{
    const TwoDumps dumps;
    const OwnDataFolder data;
    const QString a = QString::fromStdString(dumps.a.path());
    const TemporaryFolder folder;
    std::filesystem::copy_file(dumps.b.path(), folder.file("b.hdf5"));
    const QString model = QString::fromStdString(folder.file("net.onnx"));
    ComparingWindow test;
    test.window.files().openTogether({QString::fromStdString(folder.file("b.hdf5")), model, a});
    test.settle();
    CHECK(test.window.comparison().path().isEmpty());
    CHECK(test.window.document().tensors()[0].shape == std::vector<std::uint64_t>{16, 256});
    CHECK(test.window.deploying().deployment().options().model == model);
    // The same files are the same list, which is open already.
    const QString list = test.window.document().path();
    test.window.files().openTogether({a, QString::fromStdString(folder.file("b.hdf5"))});
    test.settle();
    CHECK(test.window.document().path() == list);
    CHECK(test.window.dumps().count() == 1);
    test.window.files().openTogether({model, a});
    test.settle();
    CHECK(test.window.document().path() == a);
}

TEST_CASE("a dump that can't be one of several is named with the reason")
{
    const TwoDumps dumps;
    const OwnDataFolder data;
    ComparingWindow test;
    test.window.files().openTogether({QString::fromStdString(dumps.a.path()),
                                      QString::fromStdString(dumps.b.path()),
                                      QString::fromStdString(dumps.a.folder().file("gone.npz"))});
    REQUIRE(becomesQuiet(test.window, [&] {
        return test.window.document().dumpState() == Document::DumpState::Failed;
    }));
    CHECK(test.window.document().dumpProblem().contains("gone.npz: No such file"));
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
