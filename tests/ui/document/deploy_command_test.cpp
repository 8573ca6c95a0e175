// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deploy_command.h"

#include "tests/support/deployed_document.h"
#include "tests/support/file_bytes.h"
#include "ui/document/edits.h"
#include "ui/document/workbench_json.h"

namespace deploy_command_test {

using namespace calibscope;
using namespace calibscope::test;
using Step = Deployment::Step;

const ModelRun fedRun{.feeds = {{"rate", 16000.0}, {"state", 0.0}}, .end = "y"};

TEST_CASE("inputs that were not recorded need a number before models are run")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    CHECK(test.background.ports.front().request.model == "m.onnx");
    CHECK(test.deployment.obstacle(Step::Climb).isEmpty());  // not known yet
    test.answerPorts({"state", "rate"}, {"y", "stateN"});
    CHECK(test.deployment.unfedInputs() == QStringList{"state", "rate"});
    for (const Step step : {Step::Check, Step::Climb, Step::Measure})
        CHECK(test.deployment.obstacle(step) ==
              "The model has inputs that were not recorded: give a number for state, rate.");
    CHECK(test.deployment.canStart(Step::Write));
    test.deployment.writeImproved(QString::fromStdString(test.folder.file("better.onnx")));
    CHECK_FALSE(test.deployment.running());
    CHECK(test.deployment.problem().endsWith("give a number for state, rate."));
    edits::setModelRun(test.document, {.feeds = fedRun.feeds});
    CHECK(test.deployment.canStart(Step::Climb));
    CHECK(test.deployment.obstacle(Step::Measure) ==
          "The model has several outputs: choose the one that is measured.");
    edits::setModelRun(test.document, fedRun);
    CHECK(test.deployment.canStart(Step::Measure));
    test.document.undo();
    test.document.undo();
    CHECK(test.deployment.unfedInputs().size() == 2);

    // Another model has others, and so has the same one with another dump.
    DeployOptions options = test.deployment.options();
    options.model = "n.onnx";
    test.deployment.setOptions(options);
    CHECK(test.deployment.unfedInputs().isEmpty());
    test.answerPorts({});
    test.openDump();
    CHECK(test.background.ports.front().request.model == "n.onnx");
}

TEST_CASE("what runs models has the numbers of inputs, and at the end the chosen output")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    edits::setModelRun(test.document, fedRun);
    const QString feeds = "--feed rate=16000 --feed state=0";
    const auto line = [&](Step step) { return test.deployment.commandLine(step, "s.calsession"); };
    CHECK(line(Step::Climb).endsWith("--ladder --places layers " + feeds + " --at y"));
    CHECK(line(Step::Budget).endsWith("/somewhere/a.end.json " + feeds + " --at y"));  // measures
    CHECK_FALSE(line(Step::Improve).contains("--feed"));
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'");
    test.deployment.start(Step::Check);
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(readBytes(test.folder.file("words")),
               containsText("--draws 0 " + feeds.toStdString() + " --format json --progress\n"));
    ModelRun sequential = fedRun;
    sequential.isSequential = true;
    edits::setModelRun(test.document, sequential);
    CHECK(line(Step::Climb).contains("--ladder --places layers --sequential --feed"));
}

TEST_CASE("what was run under other numbers is void, and a session keeps them")
{
    DeployedDocument test;
    test.decide();
    test.choosePaths();
    test.deployment.showReport(someCheck());
    test.deployment.showLadder({{.step = "decided"}}, "text");
    ModelRun run{.end = "y", .isSequential = true};
    edits::setModelRun(test.document, run);
    CHECK(test.deployment.report());  // of all outputs
    CHECK(test.deployment.rungs().empty());
    run.feeds = {{"state", 0.5}};
    edits::setModelRun(test.document, run);
    CHECK_FALSE(test.deployment.report());
    const nlohmann::json json = ownJson(test.document.workbench());
    CHECK(json["run"]["feeds"] == nlohmann::json::parse(R"([{"input": "state", "value": 0.5}])"));
    CHECK(ownFrom(JsonObject(json, "session")).run == run);

    // Changed while it ran: nothing is shown of the former.
    test.setTool("sleep 0.3; " + test.printing(checkJson(someCheck())));
    test.deployment.start(Step::Check);
    test.document.undo();
    REQUIRE(waitForEnd(test.deployment));
    CHECK_FALSE(test.deployment.report());
}

}  // namespace deploy_command_test
