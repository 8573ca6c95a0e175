// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of files and tensors that can't be shown as they should.
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/plot_view.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/tensor_list_controller.h"

#include <QFile>
#include <QLabel>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <memory>

namespace window_states_test {

using namespace calibscope;
using test::H5File;

constexpr int patienceMs = 20000;

struct ShownWindow
{
    explicit ShownWindow(const QString& path)
    {
        window->show();
        window->open(path);
        REQUIRE(QTest::qWaitFor(
            [&] {
                return document().dumpState() == Document::DumpState::Open ||
                       document().dumpState() == Document::DumpState::Failed;
            },
            patienceMs));
    }
    explicit ShownWindow(const H5File& file) : ShownWindow(QString::fromStdString(file.path())) {}

    Document& document() { return window->document(); }
    int placeOf(const std::string& path)
    {
        for (int tensor = 0; tensor < window->tensorList().model().tensorCount(); ++tensor)
            if (window->tensorList().model().tensor(tensor).path == path)
                return tensor;
        FAIL("there is no tensor " << path);
        return -1;
    }
    void select(const std::string& path)
    {
        document().select(placeOf(path));
        REQUIRE(QTest::qWaitFor([&] { return !document().questions().reader().isReading(); },
                                patienceMs));
    }
    bool isGrey(const std::string& path)
    {
        return window->tensorList()
            .model()
            .index(placeOf(path), 0)
            .data(Qt::ForegroundRole)
            .isValid();
    }
    QString toolTip(const std::string& path)
    {
        return window->tensorList()
            .model()
            .index(placeOf(path), 0)
            .data(Qt::ToolTipRole)
            .toString();
    }
    QString failure() const
    {
        const auto* page = qobject_cast<const StateNotice*>(&window->shownPage());
        REQUIRE(page);
        return page->sentence();
    }

    std::unique_ptr<MainWindow> window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
};

/// A file of these bytes.
struct RawFile
{
    explicit RawFile(const QString& name, const QByteArray& bytes) : path(folder.filePath(name))
    {
        QFile file(path);
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    QTemporaryDir folder;
    QString path;
};

TEST_CASE("a zip file, an archive of PyTorch and a text are called what they are")
{
    const RawFile zip("model.keras", QByteArray("PK\x03\x04") + QByteArray(200, 'x'));
    CHECK(ShownWindow(zip.path).failure().contains("zip"));
    const RawFile pickle("values.pt", QByteArray("PK\x03\x04") + QByteArray(200, 'x'));
    CHECK(ShownWindow(pickle.path).failure().contains("PyTorch"));
    const RawFile text("notes.h5", QByteArray(300, 'a'));
    CHECK(ShownWindow(text.path).failure().contains("HDF5"));
}

TEST_CASE("a file that breaks off says so")
{
    QFile sample(sampleDumpPath());
    REQUIRE(sample.open(QIODevice::ReadOnly));
    const RawFile half("half.h5", sample.read(sample.size() / 2));
    CHECK(ShownWindow(half.path).failure().contains("is truncated"));
}

TEST_CASE("a tensor whose filter is missing is grey with the filter's name, others can be read")
{
    H5File file;
    file.write("activations/packed", {4}, std::vector<float>{1, 2, 3, 4},
               {.chunk = {2}, .unknownFilter = 32015});
    file.write("activations/plain", {4}, std::vector<float>{1, 2, 3, 4});
    ShownWindow shown(file);
    CHECK(shown.isGrey("/activations/packed"));
    CHECK(shown.toolTip("/activations/packed").contains("zstd"));
    shown.select("/activations/packed");
    CHECK(shown.window->browsePage().showsNotice());
    CHECK(shown.window->browsePage().notice().sentence().contains("32015"));
    shown.select("/activations/plain");
    CHECK_FALSE(shown.window->browsePage().showsNotice());
    CHECK_FALSE(shown.isGrey("/activations/plain"));
}

TEST_CASE("what holds no numbers is grey, and the page says why")
{
    H5File file;
    file.writeTexts("activations/words", {"one", "two"});
    file.writeCompound("activations/pairs");
    file.writeNothing("activations/empty", {0, 3});
    file.write("activations/plain", {4}, std::vector<float>{1, 2, 3, 4});
    ShownWindow shown(file);
    for (const char* path : {"/activations/words", "/activations/pairs", "/activations/empty"}) {
        CAPTURE(path);
        CHECK(shown.isGrey(path));
        shown.select(path);
        CHECK(shown.window->browsePage().showsNotice());
        const QString reason = shown.window->browsePage().notice().sentence();
        CHECK_FALSE(reason.isEmpty());
        CHECK(shown.toolTip(path).contains(reason));
    }
}

TEST_CASE("a dump without a graph does not open on the page of layers")
{
    ShownWindow shown(sampleDumpPath());
    shown.window->showWorkspace(Workspace::Layers);
    REQUIRE(shown.window->workspaces().current() == Workspace::Layers);
    H5File file;
    file.write("activations/plain", {4}, std::vector<float>{1, 2, 3, 4});
    const QString path = QString::fromStdString(file.path());
    shown.window->open(path);
    REQUIRE(QTest::qWaitFor(
        [&] { return shown.document().path() == path && shown.document().isIdle(); }, patienceMs));
    CHECK(shown.window->workspaces().current() == Workspace::Summary);
    shown.select("/activations/plain");
    CHECK(shown.window->workspaces().current() == Workspace::Browse);
}

TEST_CASE("NaN alone, zeros alone and one value alone are badges with words")
{
    H5File file;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    file.write("activations/nan", {3}, std::vector<float>{nan, nan, nan});
    file.write("activations/zero", {3}, std::vector<float>{0, 0, 0});
    file.write("activations/same", {3}, std::vector<float>{2, 2, 2});
    ShownWindow shown(file);
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    const auto letters = [&](const std::string& path) {
        return shown.window->tensorList().model().flagsOf(shown.placeOf(path)).letters;
    };
    CHECK(letters("/activations/nan").contains("!0"));
    CHECK(letters("/activations/zero").contains("0"));
    CHECK(shown.toolTip("/activations/same").contains("All finite values are 2."));
    shown.select("/activations/nan");
    CHECK(shown.window->workspaces().currentPlot()->textSummary().contains(
        "None of the 3 values is finite"));
}

TEST_CASE("values beyond float32 are not called infinite")
{
    H5File file;
    file.write("activations/huge", {3}, {1e300, -1e300, 1e301}, test::Stored::Float64);
    ShownWindow shown(file);
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    shown.select("/activations/huge");
    const QString text = shown.window->workspaces().currentPlot()->textSummary();
    CHECK(text.contains("None of the 3 values can be used"));
    CHECK(text.contains("3 finite in the file but beyond float32"));
    CHECK(shown.toolTip("/activations/huge").contains("0 NaN and 0 infinite values") == false);
}

TEST_CASE("tensors whose values cannot be read are counted on the summary and in the status bar")
{
    H5File file;
    for (const char* name : {"activations/one", "activations/two"}) {
        file.writeNothing(name, {4}, {.chunk = {4}, .gzip = 4});
        file.writeChunk(name, {0}, "no gzip stream");
    }
    file.write("activations/plain", {4}, std::vector<float>{1, 2, 3, 4});
    ShownWindow shown(file);
    const auto& summary = *shown.window->findChild<SummaryPage*>();
    const auto texts = [&] {
        QStringList all;
        for (const QLabel* label : shown.window->statusBar()->findChildren<QLabel*>())
            all += label->text();
        return all.join(u'\n');
    };
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    CHECK(QTest::qWaitFor([&] { return summary.textSummary().contains("Can't be read"); }, 5000));
    CHECK(summary.textSummary().contains("2 of 3 tensors"));
    CHECK(summary.textSummary().contains("gzip"));
    CHECK(QTest::qWaitFor([&] { return texts().contains("3 tensors, 2 can't be read"); }, 5000));
}

}  // namespace window_states_test
