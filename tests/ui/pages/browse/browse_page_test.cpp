// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/browse/browse_page.h"

#include "tests/support/layer_samples.h"
#include "tests/support/view_samples.h"
#include "ui/charts/error_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/learning_content.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/document/workbench.h"
#include "ui/plot/picture.h"
#include "ui/plot/plot_table_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/state_notice.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

namespace browse_page_test {

using namespace calibscope;
using namespace calibscope::test;

namespace {

struct ShownPage : TestedDocument
{
    explicit ShownPage(std::vector<float> shown = bellValues()) : values(std::move(shown))
    {
        edits::chooseRecipe(document, "rebellions-vision");
        openDump();
        answerView();
        page.resize(900, 700);
        page.show();
    }
    void answerView()
    {
        FakeEngine::answer(waited.views, answerTo(waited.views.front().request, values));
    }
    template <typename Widget>
    Widget& find(const char* name)
    {
        auto* found = page.findChild<Widget*>(name);
        REQUIRE(found);
        return *found;
    }
    HistogramPlot& histogram() { return const_cast<HistogramPlot&>(page.histogram()); }

    std::vector<float> values;
    BrowsePage page{document};
};

}  // namespace

TEST_CASE("a typed threshold is one step, undone it is gone")
{
    ShownPage test;
    auto& field = test.find<QLineEdit>("manualHigh");
    field.setText("0.75");
    QTest::keyClick(&field, Qt::Key_Return);
    CHECK(edits::manualRange(test.document) == Range{-0.75, 0.75});
    CHECK(test.page.histogram().textSummary().contains("manual range"));
    test.document.undo();
    CHECK_FALSE(edits::manualRange(test.document));
    CHECK(field.text().isEmpty());
}

TEST_CASE("a threshold that is dragged sets the manual range, the whole drag is one step")
{
    ShownPage test;
    const QString handle = "percentile/high";
    Q_EMIT test.histogram().handleMoved(handle, 0.9, false);
    Q_EMIT test.histogram().handleMoved(handle, 0.8, false);
    Q_EMIT test.histogram().handleMoved(handle, 0.7, true);
    CHECK(edits::manualRange(test.document) == Range{-0.7, 0.7});
    CHECK(edits::manualScheme(test.document) == "percentile");
    test.document.undo();
    CHECK_FALSE(edits::manualRange(test.document));
}

TEST_CASE("two drags are two steps")
{
    ShownPage test;
    for (const double end : {0.9, 0.6}) {
        Q_EMIT test.histogram().handleMoved("percentile/high", end - 0.1, false);
        Q_EMIT test.histogram().handleMoved("percentile/high", end, true);
    }
    test.document.undo();
    CHECK(edits::manualRange(test.document) == Range{-0.9, 0.9});
}

TEST_CASE("keys move the threshold on and on, wherever it came from")
{
    ShownPage test;
    HistogramPlot& plot = test.histogram();
    const Histogram* bins = test.document.questions().reader().result()->profile.histogram({});
    REQUIRE(bins);
    plot.chooseHandle("percentile/high");
    QTest::keyClick(&plot, Qt::Key_Right);
    REQUIRE(edits::manualRange(test.document));
    const double first = edits::manualRange(test.document)->high;
    for (int press = 1; press < 10; ++press)
        QTest::keyClick(&plot, Qt::Key_Left);
    CHECK(edits::manualRange(test.document)->high == Approx(first - 9 * bins->width()));
    test.document.undo();
    CHECK_FALSE(edits::manualRange(test.document));  // all of it was one step
}

TEST_CASE("a zoom is a step that can be undone and made again")
{
    ShownPage test;
    HistogramPlot& plot = test.histogram();
    const Range all = plot.shownRange();
    plot.showRange({0.5, 1.5});
    plot.showRange({0.75, 1.0});
    CHECK(edits::zoom(test.document, "browse").x == Range{0.75, 1.0});
    test.document.undo();
    CHECK(plot.shownRange() == Range{0.5, 1.5});
    test.document.undo();
    CHECK(plot.shownRange() == all);
    REQUIRE(test.document.history().canRedo());
    test.document.redo();
    CHECK(plot.shownRange() == Range{0.5, 1.5});
}

TEST_CASE("another tensor is shown as a whole without a step, the former one keeps its zoom")
{
    ShownPage test;
    HistogramPlot& plot = test.histogram();
    const Range all = plot.shownRange();
    plot.showRange({0.5, 1.5});
    test.document.select(b);
    test.answerView();
    CHECK(plot.shownRange() == all);
    test.document.select(a);
    CHECK(plot.shownRange() == Range{0.5, 1.5});
    test.document.undo();
    CHECK(plot.shownRange() == all);
    CHECK_FALSE(test.document.history().canUndo());
}

TEST_CASE("signed values are shown as a whole, undo comes back to the place among magnitudes")
{
    ShownPage test;
    HistogramPlot& plot = test.histogram();
    plot.showRange({0.5, 1.5});
    PlotDisplay display = test.document.workbench().display;
    display.domain = Domain::Signed;
    edits::setDisplay(test.document, display);
    CHECK(plot.shownRange().low < 0.0);
    test.document.undo();
    CHECK(plot.shownRange() == Range{0.5, 1.5});
}

TEST_CASE("the slider of the batches is gone to, its plot shown")
{
    ShownPage test;
    test.openLargeDump();
    test.document.select(1);
    test.answerView();
    test.page.focusBatches();
    CHECK(test.document.workbench().secondary == Secondary::Batches);
    CHECK(test.page.focusWidget() == &test.find<QSlider>("batches"));
}

TEST_CASE("a plot that would be empty is not offered, with the reason, and another is shown")
{
    ShownPage test;  // of one batch
    const auto button = [&](const QString& text) -> QToolButton& {
        for (QToolButton* one : test.page.findChildren<QToolButton*>())
            if (one->text() == text)
                return *one;
        throw std::invalid_argument("no such button");
    };
    CHECK_FALSE(button("Batches").isEnabled());
    CHECK(button("Batches").toolTip() == "This tensor was recorded in one batch.");
    CHECK(test.page.reasonAgainst(Secondary::Batches) == button("Batches").toolTip());
    CHECK(button("Error by bin").isEnabled());
    CHECK(button("Samples").isEnabled());
    test.page.focusBatches();
    CHECK(test.document.workbench().secondary == Secondary::Curve);

    // What was chosen on another tensor is not lost.
    edits::setSecondary(test.document, Secondary::Batches);
    CHECK(button("Error by bin").isChecked());
    CHECK(test.page.findChild<ErrorPlot*>()->isVisible());
    CHECK(test.document.workbench().secondary == Secondary::Batches);

    // Without a calibrator that searches there is no curve.
    edits::setSecondary(test.document, Secondary::Curve);
    CHECK(button("Curve").isEnabled());
    const std::vector<OutcomeRow> rows = test.document.questions().rows();
    for (const OutcomeRow& row : rows)
        edits::setTicked(test.document, row.candidate.id, row.candidate.id == "min-max");
    CHECK_FALSE(button("Curve").isEnabled());
    CHECK(button("Curve").toolTip().startsWith("No ticked calibrator searches"));
    CHECK(button("Error by bin").isChecked());
    edits::setTicked(test.document, "entropy", true);
    CHECK(button("Curve").isChecked());
}

TEST_CASE("linked plots zoom as one, parted ones each for itself, and both is undone")
{
    ShownPage test;
    edits::setSecondary(test.document, Secondary::ErrorPerBin);
    HistogramPlot& upper = test.histogram();
    auto* lower = test.page.findChild<ErrorPlot*>();
    REQUIRE(lower);
    REQUIRE_FALSE(lower->isEmpty());
    upper.showRange({0.5, 1.5});
    CHECK(lower->shownRange() == Range{0.5, 1.5});
    PlotDisplay parted = test.document.workbench().display;
    parted.areAxesLinked = false;
    edits::setDisplay(test.document, parted);
    upper.showRange({0.75, 1.0});
    CHECK_FALSE(lower->shownRange() == upper.shownRange());
    test.document.undo();
    test.document.undo();
    CHECK(lower->shownRange() == Range{0.5, 1.5});
}

TEST_CASE("a channel and a number of batches are asked of the engine")
{
    ShownPage test;
    test.document.select(weight);
    test.answerView();
    test.find<QSpinBox>("channel").setValue(2);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2U);
}

TEST_CASE("the buttons choose the lower plot and the quantized histogram, and can be undone")
{
    ShownPage test;
    edits::setSecondary(test.document, Secondary::ErrorPerBin);
    test.find<QToolButton>("quantized").click();
    CHECK(test.document.workbench().display.isQuantizedShown);
    test.document.undo();
    CHECK_FALSE(test.document.workbench().display.isQuantizedShown);
    CHECK_FALSE(test.find<QToolButton>("quantized").isChecked());
}

TEST_CASE("the table below the plots holds what the histogram shows, and goes by undo")
{
    ShownPage test;
    auto* table = test.page.findChild<PlotTableView*>();
    REQUIRE(table);
    CHECK_FALSE(table->isVisible());
    test.find<QToolButton>("table").click();
    CHECK(table->isVisible());
    const int all = table->model()->rowCount();
    test.histogram().showRange({0.5, 1.5});
    CHECK(table->model()->rowCount() < all);
    CHECK(table->model()->rowCount() == static_cast<int>(test.histogram().table().rowCount()));
    test.document.undo();
    test.document.undo();
    CHECK_FALSE(table->isVisible());
    CHECK_FALSE(test.find<QToolButton>("table").isChecked());
}

TEST_CASE("without a finite value there is a sentence with the counts")
{
    ShownPage test({std::nanf(""), std::nanf(""), std::numeric_limits<float>::infinity()});
    CHECK(test.page.histogram().textSummary().toStdString() ==
          "None of the 3 values is finite: 2 NaN, 1 infinite. Calibrators have nothing to work "
          "with; the scale is 1.");
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.find<ElidedLabel>("signs").text().isEmpty());
}

TEST_CASE("the marks at the histogram's axis have a legend above it")
{
    ShownPage test;
    CHECK(test.find<ElidedLabel>("signs").text().startsWith("▲ least, greatest value"));
}

TEST_CASE("the legend gives way to what comes of a manual threshold")
{
    ShownPage test;
    edits::setManualRange(test.document, 1.0, true);
    auto& result = test.find<ElidedLabel>("manualResult");
    REQUIRE(QTest::qWaitFor([&result] { return result.text().contains("MSE"); }, 5000));
    test.page.resize(560, 700);
    CHECK(QTest::qWaitFor([&] { return result.width() >= result.sizeHint().width(); }, 5000));
    const auto& signs = test.find<ElidedLabel>("signs");
    CHECK(signs.width() < signs.sizeHint().width());
}

TEST_CASE("without a pointer over the histogram its numbers are copied")
{
    ShownPage test;
    test.page.copyFacts();
    CHECK(QGuiApplication::clipboard()->text().startsWith("from\tto\tcount\t"));
}

TEST_CASE("a tensor that can't be read is said so")
{
    ShownPage test;
    test.document.select(odd);
    CHECK(test.page.showsNotice());
    CHECK(test.page.notice().sentence() == "no plugin");
}

namespace {

/// A page whose tensor takes long to read; its first batch is read.
struct SlowPage : TestedDocument
{
    SlowPage()
    {
        page.resize(900, 700);
        page.show();
        openLargeDump();
        REQUIRE(waited.views.size() == 2);
        answerView();
    }
    void answerView()
    {
        FakeEngine::answer(waited.views, answerTo(waited.views.front().request, bellValues()));
    }
    void progress(quint64 done) { Q_EMIT waited.progressed(waited.lastId, done, 100, "values"); }
    HistogramPlot& histogram() { return const_cast<HistogramPlot&>(page.histogram()); }

    BrowsePage page{document};
};

}  // namespace

TEST_CASE("while a tensor is read its first batch is shown, and said to be that, then all of it")
{
    SlowPage test;
    test.progress(19);
    REQUIRE(QTest::qWaitFor([&] { return test.histogram().hasTable(); }));
    CHECK(test.histogram().accessibleName() == "First batch only");
    CHECK(test.histogram().pictureSettings().subtitle.startsWith("Reading batch 4 of 16: 19 %"));
    const QImage pale = test.histogram().picture();
    test.answerView();
    CHECK(test.histogram().accessibleName().isEmpty());
    CHECK(test.histogram().picture() != pale);
}

TEST_CASE("what is still shown while another tensor is read is drawn in a new theme")
{
    ShownPage test;
    const std::weak_ptr<const protocol::TensorView> shown =
        test.document.questions().reader().shared();
    test.document.select(b);
    // Nobody else holds it: a long visit elsewhere drops it from memory.
    const_cast<ViewQuery&>(test.document.questions().reader()).forget();
    REQUIRE_FALSE(test.page.showsNotice());
    QPalette dark = test.page.palette();
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::Base, Qt::black);
    test.page.setPalette(dark);
    CHECK_FALSE(shown.expired());
    CHECK(test.histogram().hasTable());
}

TEST_CASE("stopped reading leaves the first batch, says so and can go on")
{
    SlowPage test;
    test.progress(19);
    test.document.questions().stopReading();
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.histogram().hasTable());
    CHECK(test.page.stoppedBar().sentence() ==
          "Stopped after batch 3 of 16. Numbers are from the first batch, ≈ 6.25 % of the values.");
    test.page.stoppedBar().findChild<QPushButton*>()->click();
    CHECK(test.document.questions().reader().isReading());
    CHECK(test.page.stoppedBar().sentence().isEmpty());
}

TEST_CASE("whether samples are enough is asked for when it is looked at, of what is ticked")
{
    ShownPage test;
    CHECK(test.background.studies.empty());
    edits::setSecondary(test.document, Secondary::Samples);
    REQUIRE(test.background.studies.size() == 1);
    const protocol::StudyRequest request = test.background.studies.front().request;
    CHECK(request.tensor.index == a);
    CHECK_FALSE(request.choices.empty());
    auto* plot = test.page.findChild<LearningPlot*>();
    REQUIRE(plot);
    CHECK(plot->isVisible());
    CHECK(plot->isEmpty());
    protocol::Studied studied;
    for (const Choice& choice : request.choices)
        studied.studies.push_back(unconvergedStudy(choice));
    FakeEngine::answer(test.background.studies, studied);
    CHECK_FALSE(plot->isEmpty());
    CHECK(plot->wholeTable().rowCount() == 4);
    CHECK(test.background.studies.empty());
    const quint64 last = test.background.lastId;
    test.document.select(b);
    test.answerView();
    REQUIRE(test.background.studies.size() == 1);
    test.document.select(a);
    CHECK(test.background.cancelled.upper_bound(last) != test.background.cancelled.end());
}

}  // namespace browse_page_test
