// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/deploy/deploy_page.h"

#include "core/report/tables/layer_report.h"
#include "tests/support/deployed_document.h"
#include "ui/charts/running_content.h"
#include "ui/document/decisions.h"
#include "ui/pages/deploy/deploy_form.h"
#include "ui/pages/deploy/run_form.h"
#include "ui/panels/steps_bar.h"
#include "ui/widgets/expander.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_notice.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>

namespace deploy_page_test {

using namespace calibscope;
using namespace calibscope::test;
using Step = Deployment::Step;

struct ShownPage : DeployedDocument
{
    ShownPage()
    {
        page.resize(900, 600);
        page.show();
    }
    /// Options with paths of its folder, where nothing is.
    DeployOptions decideFor(const char* model, const char* output)
    {
        decide();
        DeployOptions options = deployment.options();
        options.model = QString::fromStdString(folder.file(model));
        options.output = QString::fromStdString(folder.file(output));
        return options;
    }
    /// nullptr: there is none with that text.
    [[nodiscard]] QPushButton* remedy(const QString& text) const
    {
        for (QPushButton* button : page.problem().findChildren<QPushButton*>())
            if (button->text() == text && button->isVisible())
                return button;
        return nullptr;
    }
    DeployPage page{deployment};
};

TEST_CASE("without decisions the page says so, and offers the recipe's")
{
    ShownPage test;
    CHECK(test.page.showsNotice());
    const QSignalSpy wanted(&test.page, &DeployPage::recipeRequested);
    test.page.notice().findChild<QPushButton*>()->click();
    CHECK(wanted.count() == 1);
    test.decide();
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.page.decisions().model()->rowCount() == 2);
}

TEST_CASE("buttons can be pressed when their step can be started")
{
    ShownPage test;
    test.decide();
    CHECK_FALSE(test.page.steps().button(Step::Plan).isEnabled());
    CHECK_FALSE(test.page.steps().button(Step::Write).isEnabled());
    CHECK(test.page.steps().button(Step::Plan).toolTip().startsWith("Choose the model"));
    test.choosePaths();
    CHECK(test.page.steps().button(Step::Plan).toolTip().startsWith("Preview"));
    CHECK(test.page.steps().button(Step::Check).toolTip() ==
          "The quantized model is not written yet.");
    CHECK(test.page.steps().button(Step::Plan).isEnabled());
    CHECK(test.page.steps().button(Step::Write).isEnabled());
    CHECK_FALSE(test.page.steps().button(Step::Check).isEnabled());  // there is no file yet
    CHECK_FALSE(test.page.steps().cancelButton().isVisible());
    test.setTool("exec sleep 1000");
    test.page.steps().button(Step::Plan).click();
    CHECK(test.page.steps().cancelButton().isVisible());
    CHECK_FALSE(test.page.form().isEnabled());
    test.page.steps().cancelButton().click();
    CHECK(QTest::qWaitFor([&] { return !test.deployment.running(); }, 20000));
    CHECK(test.page.form().isEnabled());
}

TEST_CASE("a choice in the form is an option")
{
    ShownPage test;
    test.decide();
    QComboBox& places = test.page.form().places();
    places.setCurrentIndex(places.findData("operands"));
    Q_EMIT places.activated(places.currentIndex());
    CHECK(test.deployment.options().places == "operands");
}

TEST_CASE("an input that was not recorded has a field for its number, several outputs a choice")
{
    ShownPage test;
    test.decide();
    test.choosePaths();
    const RunForm& form = test.page.form().run();
    CHECK_FALSE(form.isVisible());
    test.answerPorts({"state"}, {"y", "stateN"});
    CHECK(form.isVisible());
    REQUIRE(form.input("state") != nullptr);
    CHECK_FALSE(test.deployment.canStart(Step::Check));
    const auto type = [&](const char* text) {
        QTest::keyClicks(form.input("state"), text);
        QTest::keyClick(form.input("state"), Qt::Key_Return);
    };
    type("zero");
    CHECK(test.document.workbench().run.feeds.empty());
    CHECK(form.input("state")->text().isEmpty());
    type("0.5");
    CHECK(test.document.workbench().run.feeds.at("state") == 0.5);
    CHECK(test.deployment.canStart(Step::Check));
    form.input("state")->clear();
    type("");
    CHECK(test.document.workbench().run.feeds.empty());
    test.document.undo();
    CHECK(form.input("state")->text() == "0.5");
    REQUIRE(form.output() != nullptr);
    form.output()->setCurrentIndex(2);
    Q_EMIT form.output()->activated(2);
    CHECK(test.document.workbench().run.end == "stateN");

    // A model that is fed as it was recorded has none.
    DeployOptions options = test.deployment.options();
    options.model = "n.onnx";
    test.deployment.setOptions(options);
    CHECK_FALSE(form.isVisible());
}

TEST_CASE("an error for want of an input's number leads to its field")
{
    ShownPage test;
    DeployOptions options = test.decideFor("m.onnx", "q.onnx");
    std::ofstream(options.model.toStdString()) << "a model";
    test.deployment.setOptions(options);
    test.setTool("echo 'calib: input state was not recorded' >&2; exit 3");
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.remedy("Values of inputs") == nullptr);
    test.answerPorts({"state"});
    REQUIRE(test.remedy("Values of inputs") != nullptr);
    test.page.activateWindow();
    test.remedy("Values of inputs")->click();
    CHECK(test.page.form().run().input("state")->hasFocus());
}

TEST_CASE("the result is shown when it is there, the largest drop first")
{
    ShownPage test;
    test.decide();
    test.page.showView(DeployPage::View::Result);
    CHECK_FALSE(test.page.result().isVisible());
    test.deployment.showReport(someCheck());
    REQUIRE(test.page.result().isVisible());
    const QAbstractItemModel& rows = *test.page.result().model();
    REQUIRE(rows.rowCount() == 4);
    CHECK(rows.index(0, 0).data().toString() == "/b");
    CHECK(rows.index(1, 0).data().toString() == "c");
    CHECK_THAT(test.page.sentence().toStdString(),
               containsText("y: 20.0 dB as written") && containsText("2.0 dB worse as fused"));
    const QSignalSpy chosen(&test.page, &DeployPage::tensorChosen);
    Q_EMIT test.page.result().activated(rows.index(0, 0));
    REQUIRE(chosen.count() == 1);
    CHECK(chosen.at(0).at(0).toInt() == b);  // "/b" of the graph is the dump's "b"
}

TEST_CASE("draws are a number in the form, and a whisker on one axis with the check itself")
{
    ShownPage test;
    test.decide();
    test.page.form().draws().setValue(8);
    CHECK(test.deployment.options().draws == 8);
    CHECK(test.page.form().draws().maximum() == 32);
    CheckReport report = someCheck();
    report.outputs.push_back(report.outputs[0]);
    report.outputs[1].name = "without";
    report.outputs[1].drawSummary.reset();
    test.deployment.showReport(report);
    const Whiskers& whiskers = test.page.whiskers();
    REQUIRE(whiskers.isVisible());
    REQUIRE(whiskers.rows().size() == 1);
    const QRectF bar = whiskers.barOf(0);
    CHECK(bar.left() == Approx(whiskers.xOf(17.0)));
    CHECK(bar.right() == Approx(whiskers.xOf(19.0)));
    // The check's own 20 dB lie beyond the bar, and are on the axis still.
    CHECK(whiskers.xOf(20.0) > bar.right());
    CHECK(whiskers.xOf(20.0) < whiskers.width());
    const std::string told = whiskers.accessibleDescription().toStdString();
    CHECK_THAT(told, containsText("2 draws of rounding errors give 17.0 to 19.0 dB, 17.9 dB by the "
                                  "mean of their noise, sd 1.4 dB") &&
                         containsText("less than 2.8 dB (2 sd) are not distinguishable"));
    CHECK(whiskers.toolTip().toStdString() == told);
    CHECK_THAT(test.page.sentence().toStdString(), containsText(told));

    report.outputs[0].drawSummary->highestDb = std::numeric_limits<double>::infinity();
    test.deployment.showReport(report);
    CHECK_FALSE(whiskers.isVisible());
}

TEST_CASE("what failed is told on the page")
{
    ShownPage test;
    test.decide();
    test.choosePaths();
    test.setTool("echo 'calib: m.onnx: is not a model' >&2; exit 3");
    test.page.steps().button(Step::Plan).click();
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, 20000));
    CHECK(test.page.problem().isVisible());
    CHECK(test.page.problem().sentence() == "m.onnx: is not a model");
    const QSignalSpy model(&test.page, &DeployPage::modelRequested);
    test.remedy("Choose model...")->click();
    CHECK(model.count() == 1);
}

TEST_CASE("a failed step has the button that fits its fault, or none")
{
    ShownPage test;
    DeployOptions options = test.decideFor("m.onnx", "q.onnx");
    std::ofstream(options.model.toStdString()) << "a model";
    test.deployment.setOptions(options);
    const auto fail = [&test](const std::string& code) {
        test.setTool("echo 'calib: it failed' >&2; exit " + code);
        test.deployment.start(Step::Check);
        REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, 20000));
        QStringList buttons;
        for (const char* text : {"Choose model...", "Choose file...", "Choose a runner"})
            if (test.remedy(text) != nullptr)
                buttons += text;
        CHECK(test.remedy("Try again") != nullptr);
        return buttons;
    };
    CHECK(fail("2").isEmpty());
    CHECK(fail("3") == QStringList{"Choose model..."});
    CHECK(fail("4") == QStringList{"Choose file..."});
    REQUIRE(fail("5") == QStringList{"Choose a runner"});
    CHECK_FALSE(test.page.form().settings().isOpen());
    test.remedy("Choose a runner")->click();
    CHECK(test.page.form().settings().isOpen());
    CHECK(test.page.form().runner().isVisible());
}

TEST_CASE("the current decision's findings are there whole below the table")
{
    ShownPage test;
    test.decide();
    test.choosePaths();
    test.deployment.showPlan(somePlan());
    CHECK(test.page.findings().isEmpty());
    test.page.decisions().sortByColumn(DeployColumn::Lints, Qt::DescendingOrder);
    test.page.decisions().selectRow(0);
    const QAbstractItemModel& rows = *test.page.decisions().model();
    const QString lints = rows.index(0, DeployColumn::Lints).data(Qt::ToolTipRole).toString();
    REQUIRE(lints.contains(u'\n'));
    CHECK(test.page.findings().toStdString() ==
          (rows.index(0, DeployColumn::Tensor).data().toString() + ": " +
           QString(lints).replace("\n", "; "))
              .toStdString());
    test.page.showView(DeployPage::View::Result);
    CHECK(test.page.findings().isEmpty());
}

TEST_CASE("a model or a folder that does not exist is named at once, with the way to another")
{
    ShownPage test;
    DeployOptions options = test.decideFor("m.onnx", "q.onnx");
    test.deployment.setOptions(options);
    CHECK(test.page.problem().isVisible());
    CHECK(test.page.problem().sentence() == options.model + " does not exist.");
    std::ofstream(options.model.toStdString()) << "a model";
    options.output = QString::fromStdString(test.folder.file("none/q.onnx"));
    test.deployment.setOptions(options);
    CHECK(test.page.problem().sentence() ==
          QString::fromStdString(test.folder.file("none")) + " does not exist.");
    const QSignalSpy output(&test.page, &DeployPage::outputRequested);
    const auto buttons = test.page.problem().findChildren<QPushButton*>();
    const auto choose = std::ranges::find(buttons, QString("Choose file..."), &QPushButton::text);
    REQUIRE(choose != buttons.end());
    (*choose)->click();
    CHECK(output.count() == 1);
    options.output = QString::fromStdString(test.folder.file("q.onnx"));
    test.deployment.setOptions(options);
    CHECK_FALSE(test.page.problem().isVisible());
}

TEST_CASE("decisions that change while a step runs are reported, with nothing to choose")
{
    ShownPage test;
    DeployOptions options = test.decideFor("m.onnx", "q.onnx");
    std::ofstream(options.model.toStdString()) << "a model";
    test.deployment.setOptions(options);
    test.setTool("exec sleep 1000");
    test.page.steps().button(Step::Plan).click();
    CHECK_FALSE(test.page.problem().isVisible());
    clearDecisions(test.document, {a});
    CHECK(test.page.problem().isVisible());
    CHECK(test.page.problem().sentence().startsWith("Decisions have changed since"));
    test.document.undo();
    CHECK_FALSE(test.page.problem().isVisible());
    test.deployment.cancel();
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.running(); }, 20000));
}

TEST_CASE("steps have numbers and their state")
{
    ShownPage test;
    test.decide();
    test.choosePaths();
    CHECK(test.page.steps().button(Step::Plan).text() == "1  P&lan");
    CHECK(test.page.steps().stateOf(Step::Plan) == "not yet");
    test.deployment.showPlan(somePlan());
    CHECK(test.page.steps().stateOf(Step::Plan) == "1 error");
    test.deployment.showReport(someCheck());
    CHECK(test.page.steps().stateOf(Step::Check) == "20.0 < 30 dB");
    (void)clearDecisions(test.document, {a});
    CHECK(test.page.steps().stateOf(Step::Plan) == "not yet");
    CHECK(test.page.steps().stateOf(Step::Check) == "20.0 dB before");
}

TEST_CASE("tensors without a decision are counted, and the recipe's offered for them")
{
    ShownPage test;
    test.decide();
    const std::size_t open = undecidedTensors(test.document).size();
    REQUIRE(open > 0);
    CHECK_THAT(test.page.sentence().toStdString(),
               containsText("no decision") && containsText("float in the model"));
    REQUIRE(test.page.acceptRestButton().isVisible());
    const QSignalSpy wanted(&test.page, &DeployPage::recipeRequested);
    test.page.acceptRestButton().click();
    CHECK(wanted.count() == 1);
    test.choosePaths();
    DeployPlan plan = somePlan();
    plan.integers.pop_back();
    plan.integers.front().bits = 4;
    test.deployment.showPlan(plan);
    CHECK_THAT(test.page.sentence().toStdString(),
               containsText("1 decision is not written: see its findings."));
    const QAbstractItemModel& rows = *test.page.decisions().model();
    bool hasBits = false;
    for (int row = 0; row < rows.rowCount(); ++row)
        hasBits = hasBits ||
                  rows.index(row, DeployColumn::WrittenAs).data().toString().startsWith("int4, ");
    CHECK(hasBits);
    test.deployment.showReport(someCheck());
    CHECK_FALSE(test.page.acceptRestButton().isVisible());
}

TEST_CASE("a quantized model of another day is there, and not called written")
{
    ShownPage test;
    test.decide();
    test.choosePaths();
    DeployOptions options = test.deployment.options();
    QTemporaryFile written;
    REQUIRE(written.open());
    options.output = written.fileName();
    test.deployment.setOptions(options);
    CHECK(test.page.steps().stateOf(Step::Write) == "earlier file");
    options.output += QStringLiteral(".not-there");
    test.deployment.setOptions(options);
    CHECK(test.page.steps().stateOf(Step::Write) == "not yet");
}

TEST_CASE("a box says how many remedies are written, and is there where any are")
{
    ShownPage test;
    test.decide();
    CHECK_FALSE(test.page.form().improves().isVisible());
    test.deployment.showImprovements(parseImprovementRows(improvedJson(), "improved"));
    REQUIRE(test.page.form().improves().isVisible());
    CHECK(test.page.form().improves().isChecked());
    CHECK(test.page.form().improves().text() == "W&ith 2 remedies of page Improve");
    test.page.form().improves().click();
    CHECK_FALSE(test.deployment.options().improves);
}

TEST_CASE(
    "a drop in the plot leads to the candidates of its layer, or of the tensor by its own scale")
{
    ShownPage test;
    test.decide();
    CheckReport report = someCheck();
    report.tensors[3].name = "a";  // of the dump; its own scale is at fault
    report.tensors[3].ownDb = 12.0;
    test.deployment.showReport(report);
    const std::vector<RunningMark>& marks = test.page.plot().shown().tensors();
    REQUIRE(marks.size() == 5);
    CHECK(marks[2].standsOut);
    CHECK_FALSE(marks[3].standsOut);
    CHECK(marks[4].name == "output y");
    const QSignalSpy wanted(&test.page, &DeployPage::candidatesRequested);
    test.page.candidatesButton().click();  // of the largest drop
    REQUIRE(wanted.count() == 1);
    CHECK(wanted.at(0) == QList<QVariant>{b, false});
    RunningPlot& plot = test.page.plot();
    Q_EMIT plot.clicked({4.0, 0.0});
    REQUIRE(wanted.count() == 2);
    CHECK(wanted.at(1) == QList<QVariant>{a, true});
    QTest::keyClick(&plot, Qt::Key_Left);
    CHECK(plot.shown().chosen() == 2U);
    CHECK(wanted.count() == 2);  // keys only choose
    Q_EMIT plot.clicked({5.0, 0.0});
    CHECK(wanted.count() == 2);
}

}  // namespace deploy_page_test
