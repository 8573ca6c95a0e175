// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/improve/improve_page.h"

#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"
#include "tests/support/deployed_document.h"
#include "ui/document/edits.h"
#include "ui/document/measured_gains.h"
#include "ui/document/workbench_json.h"
#include "ui/pages/improve/budget_view.h"
#include "ui/panels/steps_bar.h"
#include "ui/widgets/state_notice.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <fstream>

namespace improve_page_test {

using namespace calibscope;
using namespace calibscope::test;
using Step = Deployment::Step;

constexpr int patienceMs = 20000;

struct ShownImprovements : DeployedDocument
{
    ShownImprovements()
    {
        page.resize(900, 600);
        page.show();
        page.layers().sortByColumn(-1, Qt::AscendingOrder);  // in the order of the file
    }
    void compute()
    {
        decide();
        deployment.showImprovements(parseImprovementRows(improvedJson(), "improved"));
    }
    [[nodiscard]] QModelIndex cell(int row, int column) const
    {
        return page.layers().model()->index(row, column);
    }
    [[nodiscard]] QString text(int row, int column) const
    {
        return cell(row, column).data().toString();
    }
    [[nodiscard]] QVariant box(int row, int column) const
    {
        return cell(row, column).data(Qt::CheckStateRole);
    }
    void click(int row, int column)
    {
        const QRect area = page.layers().visualRect(cell(row, column));
        QTest::mouseClick(page.layers().viewport(), Qt::LeftButton, {},
                          QPoint(area.left() + 12, area.center().y()));
    }

    QString session;
    ImprovePage page{deployment, [this] { return session; }};
};

TEST_CASE("the page says what it needs, and offers it")
{
    ShownImprovements test;
    REQUIRE(test.page.showsNotice());
    const QSignalSpy recipe(&test.page, &ImprovePage::recipeRequested);
    const QSignalSpy model(&test.page, &ImprovePage::modelRequested);
    const auto buttons = test.page.notice().findChildren<QPushButton*>();
    REQUIRE(buttons.size() == 2);
    buttons[0]->click();
    CHECK(recipe.count() == 1);
    test.decide();
    REQUIRE(test.page.showsNotice());
    CHECK_THAT(test.page.notice().sentence().toStdString(), containsText("Choose the ONNX model"));
    buttons[1]->click();
    CHECK(model.count() == 1);
    test.setTool("exec sleep 1000");
    buttons[0]->click();
    CHECK(test.deployment.running() == Step::Improve);
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.page.state() == "computing remedies");
    CHECK_FALSE(test.page.steps().button(Step::Improve).isEnabled());
    REQUIRE(test.page.steps().cancelButton().isVisible());
    test.page.steps().cancelButton().click();
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, patienceMs));
    CHECK(test.page.showsNotice());
}

TEST_CASE("progress and errors of calib are shown")
{
    ShownImprovements test;
    test.decide();
    test.setTool("echo 'progress: 3 of 24 layers' >&2; exec sleep 1000");
    test.deployment.start(Step::Improve);
    CHECK(QTest::qWaitFor([&] { return test.page.state() == "3 of 24 layers"; }, patienceMs));
    test.deployment.cancel();
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, patienceMs));
    test.setTool("echo 'calib: a.h5: is damaged' >&2; exit 3");
    test.deployment.start(Step::Improve);
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, patienceMs));
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.page.sentence() == "a.h5: is damaged");
}

TEST_CASE("decisions that change while remedies are computed are reported, then and at the end")
{
    ShownImprovements test;
    test.decide();
    test.setTool("sleep 0.3; " + test.printing(improvedJson()));
    test.deployment.start(Step::Improve);
    (void)acceptRecipe(test.document, {b}, "");
    CHECK(test.page.sentence().startsWith("Decisions have changed since this was started"));
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, patienceMs));
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.page.sentence().startsWith("Decisions changed while it ran"));
    CHECK(test.page.layers().model()->rowCount() == 0);
    test.document.undo();
    CHECK(test.page.layers().model()->rowCount() == 2);
    CHECK(test.page.sentence().startsWith("1 of 1 layer improved"));
}

TEST_CASE("a check that failed is reported on page Deploy alone")
{
    ShownImprovements test;
    test.decide();
    test.choosePaths();
    test.setTool("echo 'calib: no runner' >&2; exit 5");
    test.deployment.start(Step::Check);
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, patienceMs));
    REQUIRE(test.deployment.problem() == "no runner");
    CHECK(test.page.showsNotice());
    CHECK(test.page.sentence().isEmpty());
}

TEST_CASE("what was written is named with its path, and its step says so")
{
    ShownImprovements test;
    test.decide();
    test.setTool(test.printing(improvedJson()) + R"(
        while [ $# -gt 1 ]; do [ "$1" = -o ] && echo remedies > "$2"; shift; done)");
    const QString path = QString::fromStdString(test.folder.file("better.json"));
    const QSignalSpy written(&test.deployment, &Deployment::improvedWritten);
    test.deployment.writeImproved(path);
    REQUIRE(QTest::qWaitFor([&] { return written.count() == 1; }, patienceMs));
    CHECK(written.front().front().toString() == path);
    CHECK(test.page.steps().stateOf(Step::WriteImproved) == "written");
    CHECK_THAT(test.page.sentence().toStdString(),
               containsText("Written to " + path.toStdString()));
}

TEST_CASE("a row for each layer has the gains of its remedies, and a box where one was chosen")
{
    ShownImprovements test;
    test.compute();
    const QAbstractItemModelTester tester(test.page.layers().model());
    REQUIRE(test.page.layers().model()->rowCount() == 2);
    test.page.layers().sortByColumn(ImproveColumn::Gain, Qt::DescendingOrder);  // as at first
    CHECK(test.text(0, ImproveColumn::Gain) == "+12.3");
    test.page.layers().sortByColumn(-1, Qt::AscendingOrder);
    CHECK(test.text(0, ImproveColumn::Layer) == "gone");
    CHECK(test.text(0, ImproveColumn::Changes) == "input u is not in the dump");
    CHECK_FALSE(test.box(0, ImproveColumn::Bias).isValid());
    CHECK(test.text(1, ImproveColumn::Decided) == "20.0");
    CHECK(test.text(1, ImproveColumn::Channels) == "+12.0");
    CHECK(test.text(1, ImproveColumn::Improved) == "32.3");
    CHECK(test.text(1, ImproveColumn::Gain) == "+12.3");
    CHECK(test.box(1, ImproveColumn::Channels) == Qt::Checked);
    CHECK_FALSE(test.box(1, ImproveColumn::Precision).isValid());
    CHECK(test.page.sentence() ==
          "1 of 1 layer improved: channels divided in 1, bias corrected in 1; 0 left float.");
    test.page.layers().setCurrentIndex(test.cell(0, 0));
    CHECK(test.page.details() == "Can't be computed: input u is not in the dump.");
    test.page.layers().setCurrentIndex(test.cell(1, 0));
    CHECK_THAT(
        test.page.details().toStdString(),
        containsText("baseline, as accepted: 20.0 dB held out") &&
            containsText("channels: alpha 0.5; +12.0 ± 0.5 dB held out, +12.5 dB in calibration; "
                         "a: 3 of 8 channels divided by 1 to 4; fold into k"));
    const QSignalSpy chosen(&test.page, &ImprovePage::tensorChosen);
    Q_EMIT test.page.layers().activated(test.cell(1, 0));
    REQUIRE(chosen.count() == 1);
    CHECK(chosen.at(0).at(0).toInt() == a);
}

TEST_CASE("rounding has a column where a weight has fewer than 8 bits")
{
    ShownImprovements test;
    test.compute();
    CHECK(test.page.layers().isColumnHidden(ImproveColumn::Rounding));
    ImprovementReport report = *test.deployment.improvements();
    report.layers.front().rows.push_back({.remedy = "rounding", .setting = "damping 0.1"});
    test.deployment.showImprovements(report);
    CHECK_FALSE(test.page.layers().isColumnHidden(ImproveColumn::Rounding));
}

TEST_CASE("a tick is a step that can be undone, and is in the session")
{
    ShownImprovements test;
    test.compute();
    test.click(1, ImproveColumn::Channels);
    CHECK(test.document.workbench().leftOut == std::set<std::string>{"y:channels"});
    CHECK(test.box(1, ImproveColumn::Channels) == Qt::Unchecked);
    CHECK_THAT(test.page.sentence().toStdString(),
               containsText("channels divided in 0, bias corrected in 1") &&
                   containsText("Compute brings them up to date"));
    CHECK_THAT(test.page.command().toStdString(), containsText("--without y:channels"));
    const auto ticked = tickedGains(test.document.workbench());  // as a report has them
    REQUIRE(ticked);
    REQUIRE(ticked->layers.size() == 1);
    CHECK(ticked->layers[0].decided.layer == "y");
    for (const RemedyResult& row : ticked->layers[0].rows)
        CHECK(row.isChosen == (row.remedy == "bias"));
    CHECK_THAT(ticked->layers[0].rows.back().notes.back(), containsText("before the last change"));
    const nlohmann::json kept = ownJson(test.document.workbench());
    CHECK(kept["left_out"] == nlohmann::json::array({"y:channels"}));
    CHECK(ownFrom(JsonObject(kept, "session")).leftOut == test.document.workbench().leftOut);
    CHECK_FALSE(isUntouched(test.document.workbench()));
    test.document.undo();
    const auto again = tickedGains(test.document.workbench());
    REQUIRE(again);
    CHECK(again->layers[0].rows[1].isChosen);
    CHECK(again->layers[0].rows.back().notes.empty());
    CHECK(test.box(1, ImproveColumn::Channels) == Qt::Checked);
    CHECK(test.page.sentence() ==
          "1 of 1 layer improved: channels divided in 1, bias corrected in 1; 0 left float.");
    // By keys, the cell stays the current one.
    test.page.layers().setFocus();
    test.page.layers().setCurrentIndex(test.cell(1, ImproveColumn::Bias));
    for (const auto state : {Qt::Unchecked, Qt::Checked}) {
        QTest::keyClick(&test.page.layers(), Qt::Key_Space);
        CHECK(test.box(1, ImproveColumn::Bias) == state);
    }
    CHECK(test.document.workbench().leftOut.empty());
}

TEST_CASE("a remedy that was left out as they were computed can be taken again")
{
    ShownImprovements test;
    test.decide();
    test.document.change("Leave out", [](Workbench& workbench) { workbench.leftOut = {"y:bias"}; });
    ImprovementReport report = parseImprovementRows(improvedJson(), "improved");
    report.layers[1].rows[2].isChosen = false;
    test.deployment.showImprovements(report);
    CHECK(test.box(1, ImproveColumn::Bias) == Qt::Unchecked);
    test.click(1, ImproveColumn::Bias);
    CHECK(test.box(1, ImproveColumn::Bias) == Qt::Checked);
    CHECK(test.document.workbench().leftOut.empty());
}

TEST_CASE("what was measured is no step, and stays whatever is undone")
{
    ShownImprovements test;
    test.decide();
    test.document.change("Leave out", [](Workbench& workbench) { workbench.leftOut = {"x:bias"}; });
    const QStringList steps = test.document.history().steps();
    test.deployment.showImprovements(parseImprovementRows(improvedJson(), "improved"));
    test.deployment.showLadder(parseLadderRows(rungsJson(), "rungs"), "It climbs.");
    CHECK(test.document.history().steps() == steps);
    const MeasuredGains gains = test.document.workbench().gains;
    CHECK(gains.layers.size() == 1);
    CHECK(gains.rungs.size() == 3);
    test.document.undo();
    CHECK(test.document.workbench().gains == gains);
    CHECK_THAT(rungGains(test.document.workbench())[0].note,
               containsText("before the last change"));
    test.document.redo();
    CHECK(rungGains(test.document.workbench())[0].note.empty());
}

TEST_CASE("the ladder is a table and a plot, of these ticks alone")
{
    ShownImprovements test;
    test.compute();
    test.page.showView(ImprovePage::View::Ladder);
    CHECK_FALSE(test.page.ladder().isVisible());
    test.deployment.showLadder(parseLadderRows(rungsJson(), "rungs"), "It climbs.");
    REQUIRE(test.page.ladder().isVisible());
    const QAbstractItemModel& steps = *test.page.ladder().model();
    REQUIRE(steps.rowCount() == 3);
    CHECK(steps.index(1, RungColumn::Gain).data().toString() == "+8.0");
    CHECK(steps.index(1, RungColumn::Interval).data().toString() == "+7.0 to +9.0");
    CHECK(steps.index(2, RungColumn::Pooled).data().toString() == "–");
    CHECK(steps.index(2, RungColumn::Notes).data().toString() == "chosen for no layer");
    const Whiskers& whiskers = test.page.whiskers();
    REQUIRE(whiskers.rows().size() == 2);  // one was not run
    CHECK(whiskers.rows()[1].low == 33.0);
    CHECK(whiskers.rows()[1].high == 35.0);
    CHECK(whiskers.rows()[1].dot == 34.0);
    CHECK(whiskers.rows()[1].line == 34.5);
    CHECK(whiskers.barOf(0).width() == 0.0);
    test.session = "/tmp/my.calsession";
    test.choosePaths();  // other options: what was found is of others
    CHECK(test.deployment.rungs().empty());
    test.page.copyButton().click();
    CHECK(QGuiApplication::clipboard()->text() ==
          "calib improve /somewhere/a.h5 --session /tmp/my.calsession --onnx m.onnx --ladder "
          "--places layers");
}

TEST_CASE("the ladder's end stands next to the figure of the model's own output")
{
    ShownImprovements test;
    test.compute();
    test.page.showView(ImprovePage::View::Ladder);
    test.deployment.showLadder(parseLadderRows(rungsJson(), "rungs"), "It climbs.");
    CHECK(test.page.ladderText() == "It climbs.");
    test.deployment.showReport(someCheck());
    CHECK(test.page.ladderText() ==
          "It climbs.\nPage Deploy compares the model's outputs themselves: 20.0 dB at y.");
}

TEST_CASE("a point of the budget is chosen in the plot or in the table, and accepted")
{
    ShownImprovements test;
    test.compute();
    test.page.showView(ImprovePage::View::Budget);
    BudgetView& view = test.page.budget();
    CHECK_FALSE(view.table().isVisible());
    CHECK_THAT(view.plot().textSummary().toStdString(),
               containsText("Choose the model that the dump was recorded from."));
    test.deployment.showBudget(
        {{.cost = 1.0, .predictedDb = 17.4},
         {.cost = 1.003, .predictedDb = 28.4, .int16 = {"b"}, .inputsInt16 = {"a"}},
         {.cost = 1.5, .predictedDb = 40.0, .inFloat = {"b"}, .operandsFloat = {"a", "w"}}});
    REQUIRE(view.table().isVisible());
    CHECK(view.table().model()->rowCount() == 3);
    CHECK_FALSE(view.acceptButton().isEnabled());
    Q_EMIT view.plot().pointChosen(1);
    CHECK(view.table().currentIndex().row() == 1);
    CHECK(view.sentence() ==
          "28.4 dB predicted at the network's end for 0.3 % more multiplications "
          "(17.4 dB as accepted). In int16: b.");
    view.table().setCurrentIndex(view.table().model()->index(2, 0));
    CHECK(view.plot().shown().handles()[0].value == Approx(50.0));
    CHECK_THAT(view.sentence().toStdString(), containsText("In float: b."));
    CHECK(test.page.currentPlot() == &view.plot());
    CHECK_THAT(test.page.command().toStdString(),
               containsText(".end.json") && !containsText("--budget"));  // no table yet
    test.deployment.showBudget({{.cost = 1.0, .predictedDb = 30.0, .notMeasured = 2}});
    CHECK_THAT(view.sentence().toStdString(),
               containsText("2 operands are not measured: the end has at most this."));
    test.deployment.showBudget({{.cost = 1.0, .notMeasured = 4}});
    CHECK_FALSE(view.table().isVisible());
    test.deployment.showBudget(
        {{.cost = 1.0, .predictedDb = 17.4},
         {.cost = 1.5, .predictedDb = 40.0, .inFloat = {"b"}, .operandsFloat = {"a", "w"}}});
    Q_EMIT view.plot().pointChosen(1);
    QString said;
    QObject::connect(&view, &BudgetView::accepted, &view,
                     [&said](const QString& sentence, bool hasChanged) {
                         CHECK(hasChanged);
                         said = sentence;
                     });
    view.acceptButton().click();
    CHECK(said == "2 decisions are removed: these tensors stay float.");
    CHECK(decidedCount(test.document) == 0);
    test.document.undo();
    CHECK(decidedCount(test.document) == 2);
}

TEST_CASE("the table of the end is measured from the budget, and the budget read then")
{
    ShownImprovements test;
    test.document.open(QString::fromStdString(test.folder.file("net.h5")));
    FakeEngine::answer(test.waited.opens, someDump());
    test.decide();
    test.page.showView(ImprovePage::View::Budget);
    BudgetView& view = test.page.budget();
    CHECK_FALSE(view.measureButton().isVisible());  // there is no model to be run
    test.choosePaths();
    REQUIRE(view.measureButton().isVisible());
    REQUIRE(view.measureButton().isEnabled());
    test.setTool("exec sleep 1000");
    view.measureButton().click();
    CHECK(test.deployment.running() == Deployment::Step::Measure);
    CHECK_FALSE(view.measureButton().isEnabled());
    CHECK_THAT(view.plot().textSummary().toStdString(), containsText("Measuring"));
    test.page.steps().cancelButton().click();
    CHECK(QTest::qWaitFor([&] { return !test.deployment.running(); }, 20000));
    test.deployment.showBudget({{.cost = 1.0, .predictedDb = 30.0, .notMeasured = 2}});
    CHECK(view.measureButton().isVisible());
    test.deployment.showBudget({{.cost = 1.0, .predictedDb = 30.0}});
    CHECK_FALSE(view.measureButton().isVisible());
}

TEST_CASE("with a table of the end the page begins with words, not with an empty table")
{
    ShownImprovements test;
    test.document.open(QString::fromStdString(test.folder.file("net.h5")));
    FakeEngine::answer(test.waited.opens, someDump());
    std::ofstream(test.folder.file("net.end.json")) << "{}";
    test.choosePaths();
    test.decide();
    CHECK_FALSE(test.page.showsNotice());  // the budget is there
    CHECK_FALSE(test.page.layers().isVisible());
    CHECK_THAT(test.page.details().toStdString(), containsText("Remedies are computed for each"));
    test.deployment.showImprovements(parseImprovementRows(improvedJson(), "improved"));
    CHECK(test.page.layers().isVisible());
    CHECK_THAT(test.page.details().toStdString(), containsText("Choose a layer"));
}

TEST_CASE("what the runs lack has a button, and sequential biases a box")
{
    ShownImprovements test;
    test.choosePaths();
    test.compute();
    CHECK_FALSE(test.page.runButton().isVisible());
    test.answerPorts({"state"});
    REQUIRE(test.page.runButton().isVisible());
    CHECK_THAT(test.page.state().toStdString(), containsText("give a number for state"));
    const QSignalSpy asked(&test.page, &ImprovePage::runRequested);
    test.page.runButton().click();
    CHECK(asked.count() == 1);
    edits::setModelRun(test.document, {.feeds = {{"state", 0.0}}});
    CHECK_FALSE(test.page.runButton().isVisible());
    test.page.showView(ImprovePage::View::Ladder);
    CHECK_FALSE(test.page.sequential().isChecked());
    test.page.sequential().click();
    CHECK(test.document.workbench().run.isSequential);
    test.document.undo();
    CHECK_FALSE(test.page.sequential().isChecked());
}

TEST_CASE("a file is asked for where something is to be written")
{
    ShownImprovements test;
    test.compute();
    const QSignalSpy wanted(&test.page, &ImprovePage::fileRequested);
    test.page.steps().button(Step::WriteImproved).click();
    CHECK(wanted.count() == 1);
    CHECK_FALSE(test.deployment.running());
}

TEST_CASE("a command without a saved session is not copied: the session is asked for first")
{
    ShownImprovements test;
    test.compute();
    const QSignalSpy wanted(&test.page, &ImprovePage::sessionRequested);
    QGuiApplication::clipboard()->setText("before");
    test.page.copyButton().click();
    CHECK(wanted.count() == 1);
    CHECK(QGuiApplication::clipboard()->text() == "before");
    CHECK(test.page.copyButton().text().startsWith("Save session"));
    test.session = "/tmp/my.calsession";
    test.page.refreshCommand();
    CHECK(test.page.copyButton().text() == "Cop&y command");
    test.page.copyButton().click();
    CHECK_THAT(QGuiApplication::clipboard()->text().toStdString(),
               containsText("--session /tmp/my.calsession"));
}

TEST_CASE("what was computed without a model has a button for one")
{
    ShownImprovements test;
    test.compute();
    REQUIRE(test.page.modelButton().isVisible());
    const QSignalSpy wanted(&test.page, &ImprovePage::modelRequested);
    test.page.modelButton().click();
    CHECK(wanted.count() == 1);
    test.choosePaths();
    CHECK_FALSE(test.page.modelButton().isVisible());
}

TEST_CASE("a step that was run and dropped is hollow, one that leaves out a remedy is not")
{
    ShownImprovements test;
    test.compute();
    const auto rung = [](const char* step, std::vector<std::string> remedies, bool isAccepted) {
        return LadderRung{.step = step,
                          .remedies = std::move(remedies),
                          .figures = LadderFigures{.pooledDb = 30.0, .medianDb = 31.0},
                          .gain = LadderGain{},
                          .isAccepted = isAccepted};
    };
    test.deployment.showLadder({rung("decided", {}, true), rung("+ channels", {"channels"}, true),
                                rung("+ bias", {"channels", "bias"}, false),
                                rung("without channels", {}, false)},
                               {});
    const std::vector<WhiskerRow>& rows = test.page.whiskers().rows();
    REQUIRE(rows.size() == 4);
    CHECK_FALSE(rows[1].isDropped);
    CHECK(rows[2].isDropped);
    CHECK_FALSE(rows[3].isDropped);
    const QAbstractItemModel& steps = *test.page.ladder().model();
    CHECK(steps.index(2, RungColumn::Accepted).data().toString() == "no");
    CHECK(steps.index(3, RungColumn::Accepted).data().toString().isEmpty());
}

}  // namespace improve_page_test
