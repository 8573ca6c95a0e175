// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/calibrators_page.h"

#include "core/metrics/sketched_ratio.h"
#include "core/recipes/scale_rows.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/profiles.h"
#include "tests/support/tested_document.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/rate_content.h"
#include "ui/charts/sqnr_content.h"
#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/explain_view.h"
#include "ui/pages/calibrators/formats_view.h"
#include "ui/pages/calibrators/matrix_view.h"
#include "ui/panels/curves_view.h"
#include "ui/panels/result_table.h"
#include "ui/panels/small_multiples.h"
#include "ui/panels/tensor_header.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/state_notice.h"

#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <random>

namespace calibrators_page_test {

using namespace calibscope;
using namespace calibscope::test;

std::vector<float> laplace()
{
    std::mt19937 engine(3);
    std::exponential_distribution<float> exponential(1.0F);
    std::vector<float> values(20000);
    for (float& value : values)
        value = exponential(engine);
    return values;
}

/// What the engine would answer for these values; calibrators that need more than histograms give
/// no result.
protocol::TensorView viewOf(const std::vector<float>& values, const protocol::ViewRequest& request)
{
    protocol::TensorView view;
    view.profile.moments.add(values);
    SketchCounter counter;
    counter.add(values);
    view.profile.sketch = counter.sketch();
    for (const HistogramSpec& spec : request.histograms)
        view.profile.histograms.push_back(grownHistogram(values, spec));
    for (const Choice& choice : request.choices) {
        Outcome outcome{.choice = choice};
        const Calibrator& algorithm = calibrator(choice.calibrator);
        const CalibratorNeeds needs =
            algorithm.needs
                ? algorithm.needs({choice.settings, choice.scheme}, view.profile.extents())
                : CalibratorNeeds();
        if (needs.values || !needs.orders.empty()) {
            outcome.problem = "not in this test";
            view.outcomes.push_back(outcome);
            continue;
        }
        for (const HistogramSpec& spec : needs.histograms)
            if (!view.profile.histogram(spec))
                view.profile.histograms.push_back(grownHistogram(values, spec));
        Calibrated found = calibrateProfile(choice, view.profile);
        outcome.whole = found.row;
        outcome.whole.metrics = {
            {"sqnr_db",
             SketchedRatio(view.profile.sketch).sqnrDb(found.row.quantizer).value_or(0.0)}};
        outcome.curve = found.curve;
        view.outcomes.push_back(outcome);
    }
    return view;
}

struct Page
{
    Page()
    {
        page.resize(900, 800);
        page.show();
        document.open("/a.h5");
        FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = {{.name = "a",
                                                                           .path = "/a",
                                                                           .role = Role::Activation,
                                                                           .shape = {8, 2500}}}});
        document.select(0);
    }
    void answer(const std::vector<float>& values)
    {
        FakeEngine::answer(waited.views, viewOf(values, waited.views.front().request));
    }
    /// The line of SQNR is computed on another thread.
    void waitForLine()
    {
        REQUIRE(QTest::qWaitFor([this] { return !page.curves().sqnr().isEmpty(); }, 20000));
    }
    OutcomeRow row(const std::string& id) const { return rowOf(document, id); }
    std::string idOf(const std::string& label) const { return idIn(document, label); }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    CalibratorsPage page{document};
};

TEST_CASE("the page shows thresholds, curves and the table of results")
{
    Page test;
    test.answer(laplace());
    CurvesView& curves = test.page.curves();
    CHECK(curves.isVisible());
    CHECK(curves.histogram().textSummary().contains("entropy"));
    CHECK(curves.curve().textSummary().contains("KL divergence of entropy"));
    CHECK(curves.results().results().rowCount() ==
          static_cast<int>(test.document.questions().rows().size()));
    CHECK(test.page.currentPlot() == &curves.histogram());
}

TEST_CASE("below the histogram is one plot, or all, and the lowest has the labels of x")
{
    Page test;
    test.answer(laplace());
    CurvesView& curves = test.page.curves();
    CHECK(curves.sqnr().isVisible());
    CHECK_FALSE(curves.curve().isVisible());
    const auto buttons = curves.findChildren<QToolButton*>();
    const auto press = [&](const char* text) {
        const auto found = std::ranges::find(buttons, QString(text), &QToolButton::text);
        REQUIRE(found != buttons.end());
        (*found)->click();
    };
    press("Objective");
    CHECK_FALSE(curves.sqnr().isVisible());
    CHECK(curves.curve().isVisible());
    press("All");
    CHECK(curves.sqnr().isVisible());
    CHECK(curves.curve().isVisible());
    curves.chooseLower(CurvesView::Lower::Error);
    CHECK_FALSE(curves.sqnr().isVisible());
    CHECK_FALSE(curves.curve().isVisible());
}

TEST_CASE("all tensors have no title of one, and show the selected one's row")
{
    Page test;
    test.answer(laplace());
    const auto* name = test.page.findChild<TensorHeader*>()->findChild<ElidedLabel*>();
    REQUIRE(name);
    CHECK(name->text() == "a");
    test.page.showView(CalibratorsPage::View::AllTensors);
    CHECK(test.page.matrix().isVisible());
    CHECK(name->text().isEmpty());
    const auto* table = test.page.matrix().findChild<QTableView*>();
    CHECK(table->currentIndex().isValid());
    test.page.showView(CalibratorsPage::View::Curves);
    CHECK(name->text() == "a");
}

TEST_CASE("a zoom of the stacked plots is undone and made again")
{
    Page test;
    test.answer(laplace());
    HistogramPlot& plot = test.page.curves().histogram();
    const Range all = plot.shownRange();
    test.page.curves().curve().showRange({1.0, 2.0});
    CHECK(edits::zoom(test.document, "calibrators").x == Range{1.0, 2.0});
    test.document.undo();
    CHECK(plot.shownRange() == all);
    test.document.redo();
    CHECK(plot.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("pointing at a candidate explains it, with the divergence that the curve has there")
{
    Page test;
    test.answer(laplace());
    CurvesView& curves = test.page.curves();
    const Curve curve = test.row("entropy").outcome->curve;
    const std::size_t point = curve.value.size() / 2;
    const QImage before = curves.histogram().grab().toImage();
    Q_EMIT curves.curve().hovered(curve.threshold[point]);
    CHECK(curves.explanation().startsWith("Cut at "));
    CHECK(curves.explanation().contains("127 levels"));
    CHECK(curves.histogram().grab().toImage() != before);
    Q_EMIT curves.curve().hovered(std::nullopt);
    CHECK(curves.explanation().isEmpty());
    CHECK(curves.histogram().grab().toImage() == before);
}

TEST_CASE("a window's candidate is explained by its two ends")
{
    Page test;
    test.answer(laplace());
    for (const OutcomeRow& row : std::vector(test.document.questions().rows()))
        edits::setTicked(test.document, row.candidate.id,
                         row.candidate.choice.calibrator == "kl-window");
    CurvesView& curves = test.page.curves();
    const Curve curve = test.row(test.idOf("KL window")).outcome->curve;
    const std::size_t point = curve.value.size() / 2;
    const QImage before = curves.histogram().grab().toImage();
    Q_EMIT curves.curve().hovered(curve.threshold[point]);
    CHECK(curves.explanation().startsWith("Cut at 0 to "));
    CHECK(curves.explanation().contains("255 levels"));
    CHECK(curves.explanation().contains("in the end bins of P, not in Q"));
    CHECK(curves.histogram().grab().toImage() != before);
}

TEST_CASE("without a search by divergence there is nothing to explain")
{
    Page test;
    test.answer(laplace());
    for (const OutcomeRow& row : std::vector(test.document.questions().rows())) {
        const std::string& id = row.candidate.choice.calibrator;
        edits::setTicked(test.document, row.candidate.id, id != "entropy" && id != "kl-window");
    }
    Q_EMIT test.page.curves().curve().hovered(1.0);
    CHECK(test.page.curves().explanation().isEmpty());
}

TEST_CASE("the card that is chosen elsewhere is the current row, and the other way round")
{
    Page test;
    test.answer(laplace());
    QTableView& table = test.page.curves().results().view();
    cardsOf(test.document).choose("entropy");
    CHECK(table.currentIndex().data().toString() == "entropy");
    table.setCurrentIndex(table.model()->index(0, 0));
    CHECK(cardsOf(test.document).chosen() == "percentile");  // the recipe's
}

TEST_CASE("tensors without finite values, without anything but zeros, and with one value say so")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto values = GENERATE_COPY(std::vector<float>{nan, nan}, std::vector<float>(64, 0.0F),
                                      std::vector<float>{3.0F});
    Page test;
    test.answer(values);
    CHECK(test.page.curves().isVisible());
    CHECK_FALSE(test.page.curves().histogram().textSummary().isEmpty());
    CHECK_FALSE(test.page.curves().curve().textSummary().isEmpty());
    Q_EMIT test.page.curves().curve().hovered(1.0);
    CHECK(test.page.grab().toImage().width() > 0);
}

TEST_CASE("ticked calibrators stand side by side, each with its own threshold, over one x")
{
    Page test;
    test.answer(laplace());
    test.page.showView(CalibratorsPage::View::SideBySide);
    const SmallMultiples& shown = test.page.sideBySide();
    const std::vector<OutcomeRow> rows = test.document.questions().rows();
    CHECK(std::ranges::count_if(rows, [](const OutcomeRow& row) {
              return row.isTicked && row.hasResult();
          }) == std::ssize(shown.panels()));
    REQUIRE(shown.panels().size() > 2);
    CHECK(shown.panels()[0]->accessibleName() == "min-max");
    CHECK(shown.panels()[1]->accessibleName() != "min-max");
    CHECK(test.page.currentPlot() == shown.panels()[0]);
    shown.panels()[1]->showRange({1.0, 2.0});
    CHECK(shown.panels()[0]->shownRange() == Range{1.0, 2.0});
    test.document.undo();
    CHECK(shown.panels()[1]->shownRange() == shown.panels()[0]->shownRange());
    CHECK_FALSE(shown.panels()[0]->shownRange() == Range{1.0, 2.0});
}

TEST_CASE("a calibrator that is not ticked has no panel, a click on one opens its card")
{
    Page test;
    test.answer(laplace());
    test.page.showView(CalibratorsPage::View::SideBySide);
    const SmallMultiples& shown = test.page.sideBySide();
    const std::size_t before = shown.panels().size();
    edits::setTicked(test.document, "min-max", false);
    CHECK(shown.panels().size() == before - 1);
    CHECK_FALSE(shown.panels()[0]->accessibleName() == "min-max");
    Q_EMIT shown.panels()[0]->clicked({1.0, 1.0});
    CHECK(cardsOf(test.document).chosen() == shown.panels()[0]->accessibleName().toStdString());
    for (const OutcomeRow& row : std::vector(test.document.questions().rows()))
        edits::setTicked(test.document, row.candidate.id, false);
    CHECK(shown.panels().size() == 1);  // what accepting would take is always there
    cardsOf(test.document).choose({});
    CHECK(shown.panels().empty());
    CHECK(test.page.currentPlot() == nullptr);
}

TEST_CASE("what can't be shown is said, with something to do about it")
{
    Page test;
    FakeEngine::fail(test.waited.views, "a.h5: /a: chunk 3 is broken");
    CHECK(test.page.notice().isVisible());
    CHECK(test.page.notice().sentence().contains("chunk 3"));
    CHECK(test.page.currentPlot() == nullptr);
}

TEST_CASE("a click on a candidate sets the threshold by hand there")
{
    Page test;
    test.answer(laplace());
    const Curve curve = test.row("entropy").outcome->curve;
    const double threshold = curve.threshold[curve.value.size() / 2];
    Q_EMIT test.page.curves().curve().clicked(QPointF(threshold * 1.0001, 0.1));
    REQUIRE(edits::manualRange(test.document));
    CHECK(edits::manualRange(test.document)->high == threshold);
}

TEST_CASE("the views of the page are tabs, all tensors without a selection too")
{
    Page test;
    test.answer(laplace());
    test.page.showView(CalibratorsPage::View::AllTensors);
    CHECK(test.page.matrix().isVisible());
    CHECK(test.page.currentPlot() == nullptr);
    Q_EMIT test.page.matrix().cellChosen(0, "entropy");
    CHECK(test.page.curves().isVisible());
    CHECK(cardsOf(test.document).chosen() == "entropy");
    test.page.showView(CalibratorsPage::View::Explain);
    CHECK(test.page.explanation().isVisible());
    test.page.showView(CalibratorsPage::View::Formats);
    CHECK(test.page.formats().isVisible());
    CHECK(test.page.currentPlot() == &test.page.formats().plot());
}

TEST_CASE("the line of SQNR is there whatever is ticked, with a dot for each ticked calibrator")
{
    Page test;
    test.answer(laplace());
    test.waitForLine();
    const SqnrContent& shown = test.page.curves().sqnr().shown();
    const auto ticked = [&] {
        return std::ranges::count_if(test.document.questions().rows(), [](const OutcomeRow& row) {
            return row.isTicked && row.hasResult();
        });
    };
    REQUIRE(ticked() > 1);
    CHECK(std::ssize(shown.mark().dots) == ticked());
    CHECK(std::ranges::any_of(shown.mark().dots,
                              [](const SqnrDot& dot) { return dot.label == "min-max"; }));
    // On the line, where the scheme is the same and the result the sketch's or exact.
    for (const SqnrDot& dot : shown.mark().dots)
        if (const std::optional<double> line = shown.lineAt(dot.place);
            line && !dot.isPerChannel && dot.label == "min-max")
            CHECK(dot.sqnrDb == Approx(*line).margin(0.3));  // the line is straight between points
    for (const OutcomeRow& row : std::vector(test.document.questions().rows()))
        edits::setTicked(test.document, row.candidate.id, false);
    CHECK_FALSE(shown.isEmpty());
    CHECK(test.page.curves().sqnr().isVisible());
}

TEST_CASE("the line of SQNR is never computed while a tensor is being shown")
{
    Page test;
    test.answer(laplace());
    CHECK(test.page.curves().sqnr().isEmpty());
    CHECK_FALSE(test.document.questions().isIdle());
    test.waitForLine();
    CHECK(QTest::qWaitFor([&] { return test.document.questions().isIdle(); }, 20000));
    // Under another scheme the former line stays until there is another.
    const auto affine =
        std::ranges::find_if(test.document.questions().rows(), [](const OutcomeRow& row) {
            return row.candidate.choice.scheme.isAffine();
        });
    REQUIRE(affine != test.document.questions().rows().end());
    const QString former = test.page.curves().sqnr().shown().mark().scheme;
    cardsOf(test.document).choose(std::string(affine->candidate.id));
    CHECK(test.page.curves().sqnr().shown().mark().scheme == former);
    CHECK(QTest::qWaitFor(
        [&] { return test.page.curves().sqnr().shown().mark().scheme.contains("affine"); }, 20000));
}

TEST_CASE("pointing at the line of SQNR veils what is clipped, a click sets the threshold")
{
    Page test;
    test.answer(laplace());
    test.waitForLine();
    CurvesView& curves = test.page.curves();
    const QImage before = curves.histogram().grab().toImage();
    Q_EMIT curves.sqnr().hovered(2.5);
    CHECK(curves.explanation().startsWith("Threshold 2.5 ("));
    CHECK(curves.explanation().contains("SQNR ≈"));
    CHECK(curves.histogram().grab().toImage() != before);
    Q_EMIT curves.sqnr().hovered(std::nullopt);
    CHECK(curves.explanation().isEmpty());
    CHECK(curves.histogram().grab().toImage() == before);
    Q_EMIT curves.sqnr().clicked(QPointF(2.5, 20.0));
    REQUIRE(edits::manualRange(test.document));
    CHECK(edits::manualRange(test.document)->high == 2.5);
}

TEST_CASE("panels are alike: equal counts are equally high, and each has its x axis")
{
    Page test;
    test.answer(laplace());
    test.page.showView(CalibratorsPage::View::SideBySide);
    QCoreApplication::processEvents();
    const std::vector<HistogramPlot*>& panels = test.page.sideBySide().panels();
    REQUIRE(panels.size() > 2);
    for (const HistogramPlot* panel : panels) {
        CHECK(panel->height() == panels.front()->height());
        CHECK(std::abs(panel->width() - panels.front()->width()) <= 1);  // of pixels left over
    }
}

TEST_CASE("four plots and a table fit on a small screen")
{
    const Page test;
    CHECK(test.page.minimumSizeHint().height() < 460);  // with the line of the diagnosis
    CHECK(test.page.minimumSizeHint().width() < 520);
}

}  // namespace calibrators_page_test
