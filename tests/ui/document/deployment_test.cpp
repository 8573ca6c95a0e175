// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deployment.h"

#include "core/report/tables/ladder_report.h"
#include "tests/support/deployed_document.h"
#include "tests/support/file_bytes.h"
#include "ui/document/edits.h"

#include <QSignalSpy>

#include <fstream>

namespace deployment_test {

using namespace calibscope;
using namespace calibscope::test;

using Step = Deployment::Step;

TEST_CASE("a step can be started when what it needs is chosen")
{
    DeployedDocument test;
    CHECK_FALSE(test.deployment.canStart(Step::Plan));
    CHECK(test.deployment.obstacle(Step::Plan).startsWith("Choose the model"));
    test.choosePaths();
    CHECK_FALSE(test.deployment.canStart(Step::Plan));  // nothing was decided
    CHECK(test.deployment.obstacle(Step::Plan) == "No calibrator is accepted yet.");
    CHECK(test.deployment.obstacle(Step::Check).isEmpty());
    CHECK(test.deployment.canStart(Step::Check));  // may have been written before
    test.decide();
    CHECK(test.deployment.canStart(Step::Plan));
    CHECK(test.deployment.canStart(Step::Write));
    DeployOptions options = test.deployment.options();
    options.output.clear();
    test.deployment.setOptions(options);
    CHECK(test.deployment.canStart(Step::Plan));
    CHECK_FALSE(test.deployment.canStart(Step::Write));
    CHECK_FALSE(test.deployment.canStart(Step::Check));
    CHECK(test.deployment.obstacle(Step::Write) == "Choose the file of the quantized model.");
}

TEST_CASE("planning asks calib with the session as it is, and shows what it says")
{
    DeployedDocument test;
    test.choosePaths();
    test.decide();
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'; " +
                 test.printing(planJson(somePlan())));
    test.deployment.start(Step::Plan);
    CHECK(test.deployment.running() == Step::Plan);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.plan() == somePlan());
    CHECK(test.deployment.problem().isEmpty());
    const std::string words = readBytes(test.folder.file("words"));
    CHECK(words == "materialize /somewhere/a.h5 --session " + test.saved.toStdString() +
                       " --onnx m.onnx --places layers --activations int8 --bias float --target "
                       "any --weights-to auto --plan\n");
}

TEST_CASE("writing gives the place and what was chosen")
{
    DeployedDocument test;
    test.choosePaths();
    test.decide();
    DeployOptions options = test.deployment.options();
    options.places = "operands";
    options.activations = "uint8";
    test.deployment.setOptions(options);
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'");
    test.deployment.showReport(someCheck());  // of the file that was there before
    test.deployment.start(Step::Write);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.isWritten());
    CHECK_FALSE(test.deployment.report());
    const std::string words = readBytes(test.folder.file("words"));
    CHECK_THAT(words, containsText("--places operands --activations uint8") &&
                          containsText("-o " + test.folder.file("q.onnx")));
}

TEST_CASE("results of decisions that changed meanwhile are reported, and there with Undo")
{
    DeployedDocument test;
    test.choosePaths();
    test.decide();
    test.setTool("sleep 0.3");
    test.deployment.start(Step::Write);
    clearDecisions(test.document, {a});
    CHECK(test.deployment.problem().startsWith("Decisions have changed since this was started"));
    REQUIRE(waitForEnd(test.deployment));
    CHECK_FALSE(test.deployment.isWritten());
    CHECK(test.deployment.problem().startsWith("Decisions changed while it ran"));
    test.document.undo();
    CHECK(test.deployment.isWritten());
    CHECK(test.deployment.problem().isEmpty());

    // Back before its end: nothing has changed.
    test.setTool("sleep 0.3; " + test.printing(rungsJson()));
    test.deployment.start(Step::Climb);
    clearDecisions(test.document, {a});
    test.document.undo();
    CHECK(test.deployment.problem().isEmpty());
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
    CHECK(test.deployment.rungs().size() == 3);
}

TEST_CASE("the same decisions have the same results again")
{
    DeployedDocument test;
    test.choosePaths();
    test.decide();
    test.deployment.showPlan(somePlan());
    test.deployment.showReport(someCheck());
    test.deployment.showLadder(parseLadderRows(rungsJson(), "rungs"), "it climbs");
    clearDecisions(test.document, {a});
    CHECK_FALSE(test.deployment.plan());
    CHECK(test.deployment.rungs().empty());
    CHECK(test.deployment.isOutdated());
    test.document.undo();
    CHECK(test.deployment.plan() == somePlan());
    CHECK(test.deployment.report() == someCheck());
    CHECK(test.deployment.rungs().size() == 3);
    CHECK_FALSE(test.deployment.formerDb());
    // Not of other ticks.
    clearDecisions(test.document, {a});
    edits::setLeftOut(test.document, "y:bias", true);
    test.decide();
    CHECK(test.deployment.rungs().empty());
    // A model that is written replaces the one that was checked.
    test.document.undo();
    test.document.undo();
    test.document.undo();
    REQUIRE(test.deployment.report());
    clearDecisions(test.document, {a});
    test.setTool("true");
    test.deployment.start(Step::Write);
    REQUIRE(waitForEnd(test.deployment));
    test.document.undo();
    CHECK_FALSE(test.deployment.report());
    CHECK_FALSE(test.deployment.isWritten());
    CHECK(test.deployment.plan());
    // Nor of another model.
    clearDecisions(test.document, {a});
    DeployOptions options = test.deployment.options();
    options.model = "other.onnx";
    test.deployment.setOptions(options);
    test.document.undo();
    CHECK_FALSE(test.deployment.plan());
}

TEST_CASE("an earlier file is checked under the decisions of now")
{
    DeployedDocument test;
    test.choosePaths();
    test.decide();
    test.setTool(test.printing(checkJson(someCheck())));
    test.deployment.start(Step::Check);  // before any plan
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
    CHECK(test.deployment.report() == someCheck());
}

TEST_CASE("checking tells how far it is, and its report")
{
    DeployedDocument test;
    test.choosePaths();
    DeployOptions options = test.deployment.options();
    options.runner = "my runner";
    options.samples = 4;
    options.draws = 8;
    test.deployment.setOptions(options);
    test.setTool("echo \"$@\" > '" + test.folder.file("words") +
                 "'; echo 'progress: the float model' >&2; echo 'calib: warning: odd' >&2; " +
                 test.printing(checkJson(someCheck())));
    QStringList progress;
    QObject::connect(&test.deployment, &Deployment::progressed, &test.deployment,
                     [&] { progress << test.deployment.progress(); });
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(progress.contains("the float model"));
    CHECK(test.deployment.report() == someCheck());
    CHECK(test.deployment.problem().isEmpty());
    CHECK_THAT(readBytes(test.folder.file("words")),
               containsText("/somewhere/a.h5 --samples 4 --draws 8 "
                            "--runner my runner --format json --progress"));
}

TEST_CASE("why a step failed is told in calib's words, or that it crashed")
{
    DeployedDocument test;
    test.choosePaths();
    test.setTool("echo 'calib: m.onnx: is not a model' >&2; exit 3");
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem() == "m.onnx: is not a model");
    CHECK_FALSE(test.deployment.report());
    test.setTool("kill -SEGV $$");
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem() == "calib quit unexpectedly.");
    test.setTool("echo '{'");
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(test.deployment.problem().toStdString(), containsText("calib check"));
    test.deployment.tool().setProgram("/no/such/calib");
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(test.deployment.problem().toStdString(), containsText("could not be started"));
}

TEST_CASE("a step that is cancelled ends its program, and is not a failure")
{
    DeployedDocument test;
    test.choosePaths();
    test.setTool("echo 'progress: begun' >&2; exec sleep 1000");
    test.deployment.start(Step::Check);
    REQUIRE(QTest::qWaitFor([&] { return !test.deployment.progress().isEmpty(); }, 20000));
    test.deployment.cancel();
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
    CHECK_FALSE(test.deployment.report());

    // Nor does it promise results of decisions that changed meanwhile.
    test.decide();
    test.deployment.start(Step::Check);
    clearDecisions(test.document, {a});
    CHECK(test.deployment.problem().startsWith("Decisions have changed"));
    test.deployment.cancel();
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
}

TEST_CASE("what was found goes when decisions or options change")
{
    DeployedDocument test;
    test.choosePaths();
    test.decide();
    const auto show = [&] {
        test.deployment.showPlan(somePlan());
        test.deployment.showReport(someCheck());
    };
    show();
    DeployOptions options = test.deployment.options();
    options.draws = 2;
    test.deployment.setOptions(options);
    CHECK(test.deployment.plan());  // the model would be the same one
    CHECK_FALSE(test.deployment.report());
    show();
    options.output += ".onnx";
    test.deployment.setOptions(options);
    CHECK(test.deployment.plan());  // another file of the same plan
    CHECK_FALSE(test.deployment.report());
    CHECK_FALSE(test.deployment.isWritten());
    show();
    options.places = "decided";
    test.deployment.setOptions(options);
    CHECK_FALSE(test.deployment.plan());
    CHECK_FALSE(test.deployment.report());
    show();
    clearDecisions(test.document, {a});
    CHECK_FALSE(test.deployment.plan());
    CHECK_FALSE(test.deployment.report());
}

TEST_CASE("remedies are computed by calib improve, without those that are not ticked")
{
    DeployedDocument test;
    test.decide();
    CHECK(test.deployment.obstacle(Step::Improve).isEmpty());  // a model is not needed
    CHECK(test.deployment.obstacle(Step::Climb).startsWith("Choose the model"));
    test.choosePaths();
    edits::setLeftOut(test.document, "y:bias", true);
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'; " +
                 test.printing(improvedJson()));
    test.deployment.start(Step::Improve);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().toStdString().empty());
    CHECK_THAT(readBytes(test.folder.file("words")),
               containsText("improve /somewhere/a.h5 --session " + test.saved.toStdString() +
                            " --onnx m.onnx --without y:bias -o "));
    CHECK(test.deployment.commandLine(Step::Improve, "my session.calsession") ==
          "calib improve /somewhere/a.h5 --session 'my session.calsession' --onnx m.onnx "
          "--without y:bias");
    REQUIRE(test.deployment.improvements());
    CHECK(test.deployment.improvements()->layers.size() == 2);
    CHECK(test.deployment.improvedWithout() == std::set<std::string>{"y:bias"});
    test.document.undo();  // ticks leave what was computed
    CHECK(test.deployment.improvements());
    edits::setLeftOut(test.document, "y:channels", true);
    (void)clearDecisions(test.document, {a});
    CHECK_FALSE(test.deployment.improvements());
}

TEST_CASE("the ladder is of the ticks under which it was climbed")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.setTool("echo \"$@\" > '" + test.folder.file("words") +
                 "'; echo 'calib: it climbs' >&2; " + test.printing(rungsJson()));
    test.deployment.start(Step::Climb);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(readBytes(test.folder.file("words")) ==
          "improve /somewhere/a.h5 --session " + test.saved.toStdString() +
              " --onnx m.onnx --ladder --places layers --format json --progress\n");
    REQUIRE(test.deployment.rungs().size() == 3);
    CHECK(test.deployment.ladderText() == "it climbs");
    edits::setLeftOut(test.document, "y:bias", true);
    CHECK(test.deployment.rungs().empty());
    // A tick while it is climbed: what comes is of others.
    test.setTool("sleep 1; " + test.printing(rungsJson()));
    test.deployment.start(Step::Climb);
    REQUIRE(test.deployment.running());
    edits::setLeftOut(test.document, "y:bias", false);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.rungs().empty());
}

TEST_CASE("improvements are written to a file, or as a model that the ladder finds")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.setTool(answeringTool(test));
    const QString better = QString::fromStdString(test.folder.file("better.json"));
    test.deployment.writeImproved(better);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
    REQUIRE(commandsOf(test).size() == 1);
    CHECK_THAT(commandsOf(test)[0], containsText("improve ") && !containsText("--ladder"));
    CHECK(test.deployment.improvedFile() == better);
    CHECK(readBytes(better.toStdString()) == "remedies");
    REQUIRE(test.deployment.improvements());
    test.deployment.writeImproved(better + ".json");  // of the same: it is copied
    CHECK(commandsOf(test).size() == 1);
    CHECK(readBytes(better.toStdString() + ".json") == "remedies");
    test.deployment.writeImproved("/no/such/folder/better.json");
    CHECK_THAT(test.deployment.problem().toStdString(), containsText("/no/such/folder"));
    CHECK(test.deployment.improvedFile() == better + ".json");
    edits::setLeftOut(test.document, "y:bias", true);
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'; " +
                 test.printing(rungsJson()));
    test.deployment.writeImproved("better.onnx");
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(readBytes(test.folder.file("words")),
               containsText("--ladder --places layers -o better.onnx"));
    CHECK(test.deployment.improvedFile() == "better.onnx");
    CHECK(test.deployment.rungs().size() == 3);
    test.setTool("echo 'calib: no room' >&2; exit 3");
    test.deployment.writeImproved("full.onnx");
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem() == "no room");
    CHECK(test.deployment.improvedFile() == "better.onnx");
    test.setTool(test.printing("[{\"remedy\": \"bias\"}]"));
    test.deployment.start(Step::Improve);
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(test.deployment.problem().toStdString(),
               containsText("calib improve: has a remedy before its layer"));
}

TEST_CASE("a tensor that could not be decided takes nothing from the other layers")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.setTool(test.printing(improvedJson()) +
                 "; echo 'calib: /somewhere/a.h5:/w: is gone' >&2; exit 3");
    test.deployment.start(Step::Improve);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem() == "/somewhere/a.h5:/w: is gone");
    CHECK(test.deployment.improvements());
    test.setTool(test.printing(improvedJson()) + "; exit 2");
    test.deployment.writeImproved("better.json");
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.improvedFile().isEmpty());
}

TEST_CASE("a model is written with the remedies that are ticked, computed anew for other ticks")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.setTool(answeringTool(test));
    CHECK_FALSE(test.deployment.hasRemedies());
    test.deployment.start(Step::Improve);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.tickedRemedies() == 2);
    test.deployment.start(Step::Write);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.isWritten());
    CHECK(test.deployment.writtenRemedies() == 2);
    REQUIRE(commandsOf(test).size() == 2);
    std::string file = commandsOf(test)[0];
    file = file.substr(file.find(" -o ") + 4);
    file.resize(file.find(' '));
    CHECK_THAT(commandsOf(test)[1], containsText("materialize /somewhere/a.h5") &&
                                        containsText(" --improve " + file + " -o "));

    edits::setLeftOut(test.document, "y:bias", true);
    CHECK_FALSE(test.deployment.isWritten());
    test.deployment.start(Step::Write);
    REQUIRE(waitForEnd(test.deployment));
    REQUIRE(commandsOf(test).size() == 4);
    CHECK_THAT(commandsOf(test)[2], containsText("--without y:bias"));
    CHECK(test.deployment.writtenRemedies() == 1);

    DeployOptions options = test.deployment.options();
    options.improves = false;
    test.deployment.setOptions(options);
    test.deployment.start(Step::Plan);
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(commandsOf(test).back(), containsText("--plan") && !containsText("--improve"));
}

TEST_CASE("ticks that change while remedies are computed are computed before a model is written")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.setTool(answeringTool(test));
    test.deployment.start(Step::Improve);
    REQUIRE(waitForEnd(test.deployment));
    edits::setLeftOut(test.document, "y:bias", true);
    test.deployment.start(Step::Write);  // begins with Improve
    edits::setLeftOut(test.document, "y:bias", false);
    REQUIRE(waitForEnd(test.deployment));
    const std::vector<std::string> commands = commandsOf(test);
    REQUIRE(commands.size() == 4);
    CHECK_THAT(commands[2], containsText("improve ") && !containsText("--without"));
    CHECK_THAT(commands[3], containsText("materialize "));
    CHECK(test.deployment.isWritten());
    CHECK(test.deployment.writtenRemedies() == 2);
}

TEST_CASE(
    "a model that was checked can be written and checked again, with remedies of its decisions")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.setTool(answeringTool(test));
    for (const Step step : {Step::Improve, Step::Write, Step::Check}) {
        test.deployment.start(step);
        REQUIRE(waitForEnd(test.deployment));
    }
    CHECK(test.deployment.checkedDb() == 20.0);
    CHECK_FALSE(test.deployment.canCheckAgain());
    (void)clearDecisions(test.document, {a});
    CHECK(test.deployment.isOutdated());
    CHECK(test.deployment.canCheckAgain());
    CHECK(test.deployment.hasRemedies());
    test.deployment.checkAgain();
    REQUIRE(waitForEnd(test.deployment));
    const std::vector<std::string> commands = commandsOf(test);
    REQUIRE(commands.size() == 6);
    CHECK(commands[3].starts_with("improve "));
    CHECK(commands[4].starts_with("materialize "));
    CHECK(commands[5].starts_with("check "));
    CHECK(test.deployment.report());
    CHECK(test.deployment.formerDb() == 20.0);
    CHECK_FALSE(test.deployment.isOutdated());

    // A failure ends all steps.
    (void)acceptRecipe(test.document, {b}, "");
    test.setTool("echo 'calib: no room' >&2; exit 3");
    test.deployment.checkAgain();
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem() == "no room");
    CHECK(test.deployment.failedStep() == Step::Improve);
    CHECK(test.deployment.isOutdated());
}

}  // namespace deployment_test
