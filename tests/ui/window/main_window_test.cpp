// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "tests/support/shown_window.h"
#include "ui/charts/histogram_content.h"
#include "ui/document/edits.h"
#include "ui/models/candidate_style.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/panels/tensor_panel.h"
#include "ui/window/calibrator_controller.h"
#include "ui/window/file_controller.h"
#include "ui/window/session_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <set>

namespace main_window_test {

using namespace calibscope;
using namespace calibscope::test;

/// All colours of a picture: an empty plot has few.
std::set<QRgb> coloursOf(const QImage& image)
{
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, y));
    return colours;
}

TEST_CASE("without a file the window shows the start page and nothing empty")
{
    ShownWindow shown;
    CHECK(qobject_cast<const StartPage*>(&shown.window->shownPage()));
    CHECK_FALSE(shown.isWorkspaceShown());
    CHECK(shown.window->findChild<QPushButton*>("openDump")->isVisible());
    CHECK(shown.window->findChild<QPushButton*>("openSample")->isEnabled());
    CHECK(shown.window->findChild<QLabel*>("recordingLines")->text().startsWith("import h5py"));
}

TEST_CASE("opening the sample shows what it holds, and one more click a histogram")
{
    ShownWindow shown;
    shown.window->findChild<QPushButton*>("openSample")->click();
    REQUIRE(shown.waitForDump());
    CHECK(qobject_cast<const SummaryPage*>(&shown.window->shownPage()));
    CHECK(shown.isWorkspaceShown());
    CHECK(shown.window->windowTitle() == "sample.h5");
    shown.window->findChild<QPushButton*>("browseFirst")->click();
    REQUIRE(shown.waitForView());
    CHECK(&shown.window->shownPage() == &shown.window->browsePage());
    CHECK_FALSE(shown.window->browsePage().showsNotice());
    CHECK(coloursOf(shown.window->browsePage().histogram().picture()).size() > 20);
    CHECK(shown.window->browsePage().histogram().textSummary().contains("19"));  // 19 200 values
    CHECK(shown.window->findChild<QTreeView*>("tensorTree")->currentIndex().data().toString() ==
          "batch_norm_3.tmp_2");
}

TEST_CASE("the summary can be reached again, and the list lets go of its row")
{
    ShownWindow shown;
    shown.openSample();
    shown.trigger("view.summary");
    CHECK(qobject_cast<const SummaryPage*>(&shown.window->shownPage()));
    CHECK(shown.document().selected() == -1);
    const auto* list = shown.window->findChild<QTreeView*>("tensorTree");
    CHECK(list->selectionModel()->selectedRows().isEmpty());
    CHECK((list->currentIndex() == list->model()->index(0, 0)));  // a heading
    shown.trigger("tensor.first");
    CHECK(&shown.window->shownPage() == &shown.window->browsePage());
}

TEST_CASE("tabs lead to the summary and back to the tensor that was shown")
{
    ShownWindow shown;
    shown.openSample();
    shown.trigger("tensor.next");
    const int tensor = shown.document().selected();
    auto* tabs = shown.window->findChild<QTabBar*>("workspaceTabs");
    REQUIRE(tabs->tabText(0) == "Summary");
    REQUIRE(tabs->tabText(3) == "Browse");
    for (int index = 0; index < tabs->count(); ++index)  // in the order of the work
        CHECK(tabs->tabText(index) ==
              workspaceTitle(allWorkspaces[static_cast<std::size_t>(index)]));
    tabs->setCurrentIndex(0);
    CHECK(qobject_cast<const SummaryPage*>(&shown.window->shownPage()));
    CHECK(shown.document().selected() == -1);
    tabs->setCurrentIndex(3);
    CHECK(&shown.window->shownPage() == &shown.window->browsePage());
    CHECK(shown.document().selected() == tensor);
}

TEST_CASE("the table of values is offered where it is")
{
    ShownWindow shown;
    shown.openSample();
    shown.trigger("view.browse");
    CHECK(shown.window->actions()["view.table"].isEnabled());
    for (const char* page : {"view.calibrators", "view.layers", "view.summary"}) {
        CAPTURE(page);
        shown.trigger(page);
        CHECK_FALSE(shown.window->actions()["view.table"].isEnabled());
    }
}

TEST_CASE("the view of Calibrators is part of a session's layout")
{
    ShownWindow shown;
    shown.openSample();
    auto& page = *shown.window->findChild<CalibratorsPage*>();
    page.showView(CalibratorsPage::View::AllTensors);
    SessionLayout layout = shown.window->sessions().keeper().session().layout;
    CHECK(layout.view == "all-tensors");
    layout.view = "explain";
    Q_EMIT shown.window->sessions().layoutTaken(layout);
    CHECK(page.shownView() == CalibratorsPage::View::Explain);
    layout.view = {};  // of an older program
    Q_EMIT shown.window->sessions().layoutTaken(layout);
    CHECK(page.shownView() == CalibratorsPage::View::Explain);
}

TEST_CASE("Browse without an earlier tensor shows the first one")
{
    ShownWindow shown;
    shown.window->open(sampleDumpPath());
    REQUIRE(shown.waitForDump());
    shown.trigger("view.browse");
    CHECK(shown.document().selectedTensor()->name == "batch_norm_3.tmp_2");
    CHECK(&shown.window->shownPage() == &shown.window->browsePage());
}

TEST_CASE("all rows of the list get their distribution and SQNR")
{
    ShownWindow shown;
    shown.openSample();
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    for (int tensor = 0; tensor < shown.window->tensorList().model().tensorCount(); ++tensor) {
        const protocol::Preview* preview = shown.window->tensorList().model().preview(tensor);
        REQUIRE(preview);
        CHECK(preview->sqnrDb);
        CHECK_FALSE(preview->sparkline.empty());
    }
}

TEST_CASE("a row that is clicked is shown")
{
    ShownWindow shown;
    shown.openSample();
    auto* tree = shown.window->findChild<QTreeView*>("tensorTree");
    const QModelIndex row = tree->model()->index(3, 0, tree->model()->index(0, 0));
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(row).center());
    REQUIRE(shown.waitForView());
    CHECK(shown.document().selectedTensor()->name == row.data().toString().toStdString());
}

TEST_CASE("actions step through the list, in the order in which it is shown")
{
    ShownWindow shown;
    shown.openSample();
    shown.trigger("tensor.next");
    CHECK(shown.document().selectedTensor()->name == "conv2d_204.tmp_0");
    shown.trigger("tensor.previous");
    shown.trigger("tensor.previous");  // there is none above
    CHECK(shown.document().selectedTensor()->name == "batch_norm_3.tmp_2");
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    shown.trigger("tensor.next-worst");
    const double first =
        *shown.window->tensorList().model().preview(shown.document().selected())->sqnrDb;
    shown.trigger("tensor.next-worst");
    CHECK(*shown.window->tensorList().model().preview(shown.document().selected())->sqnrDb >=
          first);
}

TEST_CASE("log count and magnitude are shared by menu, tool bar and document")
{
    ShownWindow shown;
    shown.openSample();
    CHECK(shown.document().workbench().display == PlotDisplay{});
    shown.trigger("view.log-count");
    CHECK_FALSE(shown.document().workbench().display.isLogCount);
    CHECK(shown.window->browsePage().histogram().countAxis() == CountAxis::Linear);
    shown.trigger("view.magnitude");
    CHECK(shown.document().workbench().display.domain == Domain::Signed);
    CHECK(shown.window->browsePage().histogram().shownRange().low < 0.0);
}

TEST_CASE("another theme recolours what is shown")
{
    ShownWindow shown;
    shown.openSample();
    const auto holds = [&](const ChartColors& colors) {
        return coloursOf(shown.window->browsePage().histogram().picture())
            .contains(candidateStyle("entropy", colors).color.rgb());
    };
    shown.trigger("theme.light");
    CHECK(holds(lightChartColors()));
    shown.trigger("theme.dark");
    CHECK(QTest::qWaitFor([&] { return holds(darkChartColors()); }, 2000));
    CHECK_FALSE(holds(lightChartColors()));
    shown.trigger("theme.light");
}

TEST_CASE("the recipe is chosen in the tool bar, and shown there whoever chose it")
{
    ShownWindow shown;
    auto* choice = shown.window->findChild<RecipeChoice*>();
    choice->setCurrentIndex(choice->findData("moffett-cnn"));
    Q_EMIT choice->activated(choice->currentIndex());
    CHECK(shown.document().chosenRecipe().id == "moffett-cnn");
    edits::chooseRecipe(shown.document(), "nvidia-entropy");
    CHECK(choice->currentData().toString() == "nvidia-entropy");
}

TEST_CASE("keys work at once: the list has the focus when a dump was opened")
{
    ShownWindow shown;
    shown.openSample();
    auto* tree = shown.window->findChild<QTreeView*>("tensorTree");
    CHECK(shown.window->focusWidget() == tree);
    QTest::keyClick(tree, Qt::Key_Down);
    CHECK(shown.document().selectedTensor()->name == "conv2d_204.tmp_0");
    QTest::keyClick(tree, Qt::Key_P, Qt::ShiftModifier);  // no key: it looks for no name
    CHECK(shown.document().selectedTensor()->name == "conv2d_204.tmp_0");
}

TEST_CASE("letters typed into the filter are text, not shortcuts")
{
    ShownWindow shown;
    shown.openSample();
    auto* filter = shown.window->findChild<TensorPanel*>()->findChild<QLineEdit*>();
    shown.trigger("edit.find");
    CHECK(shown.window->focusWidget() == filter);
    QTest::keyClicks(filter, "al");
    CHECK(filter->text() == "al");
    CHECK(shown.document().workbench().display == PlotDisplay{});
}

TEST_CASE("a file that is dropped on the window is opened")
{
    ShownWindow shown;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(sampleDumpPath())});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(shown.window.get(), &enter);
    CHECK(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(shown.window.get(), &drop);
    CHECK(shown.waitForDump());
}

TEST_CASE("each dump has a filter of its own")
{
    ShownWindow shown;
    TensorPanel& panel = shown.window->tensorList().panel();
    const QTemporaryDir folder;
    const QString other = folder.filePath("other.h5");
    REQUIRE(QFile::copy(sampleDumpPath(), other));
    shown.openSample();
    panel.setQuery("role:weight");
    shown.window->open(other);
    REQUIRE(shown.waitForDump());
    CHECK(panel.query().isEmpty());
    shown.document().reload();
    panel.setQuery("conv");
    shown.window->open(sampleDumpPath());
    REQUIRE(shown.waitForDump());
    CHECK(panel.query() == "role:weight");
}

}  // namespace main_window_test
