// SPDX-License-Identifier: GPL-3.0-or-later
// What a Deployment reads from the table of the network's end.
#include "tests/support/deployed_document.h"
#include "tests/support/file_bytes.h"

#include <cmath>
#include <fstream>

namespace deployment_end_test {

using namespace calibscope;
using namespace calibscope::test;
using Step = Deployment::Step;

TEST_CASE("shares of the noise at the end are read from the table next to the dump")
{
    DeployedDocument test;
    test.document.open(QString::fromStdString(test.folder.file("net.v2.h5")));
    FakeEngine::answer(test.waited.opens, someDump());
    test.choosePaths();
    test.decide();
    CHECK_THAT(test.deployment.obstacle(Step::Shares).toStdString(),
               containsText("net.v2.end.json: on page Improve, Budget, Measure the end makes it"));
    std::ofstream(test.folder.file("net.v2.end.json")) << "{}";
    REQUIRE(test.deployment.canStart(Step::Shares));
    const std::string rows = R"([
        {"tensor": "a", "kind": "input", "share": 85.0, "state": "measured"},
        {"tensor": "a", "kind": "input", "state": "other choice", "alone_db": 3.0},
        {"tensor": "w", "kind": "weight", "share": 15.0, "state": "scaled"},
        {"tensor": "b", "kind": "input", "state": "not measured"},
        {"tensor": "elsewhere", "kind": "input", "share": 0.0, "state": "measured"}])";
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'; " + test.printing(rows));
    test.deployment.start(Step::Shares);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
    CHECK(readBytes(test.folder.file("words")) ==
          "improve " + test.folder.file("net.v2.h5") + " --session " + test.saved.toStdString() +
              " --onnx m.onnx --end " + test.folder.file("net.v2.end.json") +
              " --known --format json\n");
    CHECK(test.deployment.endShares() ==
          std::vector<std::optional<double>>{0.15, std::nullopt, 0.85, std::nullopt});
    test.deployment.showBudget({{.cost = 1.0, .predictedDb = 30.0}});
    test.deployment.start(Step::Measure);
    REQUIRE(waitForEnd(test.deployment));
    CHECK_THAT(readBytes(test.folder.file("words")),
               containsText("net.v2.end.json --format json --progress\n"));
    CHECK(test.deployment.endShares().size() == 4);
    CHECK(test.deployment.budget().empty());  // of the table before
    test.document.change("undecide", [](Workbench& workbench) { workbench.decisions.clear(); });
    CHECK(test.deployment.endShares().empty());

    (void)acceptRecipe(test.document, {weight}, "");
    test.setTool(test.printing(R"([{"tensor": "a"}])"));  // another program's
    test.deployment.start(Step::Shares);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.failedStep() == Step::Shares);
    CHECK_FALSE(test.deployment.problem().isEmpty());
    CHECK(test.deployment.endShares().empty());
}

TEST_CASE("the budget is read from that table, and a point of it is one step")
{
    DeployedDocument test;
    test.document.open(QString::fromStdString(test.folder.file("net.h5")));
    FakeEngine::answer(test.waited.opens, someDump());
    test.choosePaths();
    test.decide();
    std::ofstream(test.folder.file("net.end.json")) << "{}";
    const std::string rows = R"([
        {"cost": 1.0, "predicted_db": 17.4, "low_db": 14.8, "high_db": 19.9},
        {"cost": 1.25, "predicted_db": "inf", "layers_int16": "b", "layers_float": "c; d",
         "inputs_int16": "a", "operands_float": "w; elsewhere"}])";
    test.setTool("echo \"$@\" > '" + test.folder.file("words") + "'; " + test.printing(rows));
    test.deployment.start(Step::Budget);
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.problem().isEmpty());
    CHECK(readBytes(test.folder.file("words")) ==
          "improve " + test.folder.file("net.h5") + " --session " + test.saved.toStdString() +
              " --onnx m.onnx --end " + test.folder.file("net.end.json") +
              " --budget --format json\n");
    REQUIRE(test.deployment.budget().size() == 2);
    const BudgetRow point = test.deployment.budget()[1];
    CHECK(std::isinf(point.predictedDb.value_or(0.0)));
    CHECK(point.inFloat == std::vector<std::string>{"c", "d"});
    CHECK(test.deployment.budget()[0].inFloat.empty());
    CHECK(test.deployment.budget()[0].lowDb == 14.8);
    const Workbench before = test.document.workbench();
    const Choice in8 = decisionOf(test.document, a)->choice;
    CHECK(test.deployment.takeBudget(point) ==
          "1 tensor is accepted in 16 bits. 1 decision is removed: its tensor stays float. 1 name "
          "of the table is not in the dump.");
    CHECK_FALSE(decisionOf(test.document, weight));
    REQUIRE(decisionOf(test.document, a));
    Choice in16 = decisionOf(test.document, a)->choice;
    CHECK(in16.scheme.bits == 16);
    CHECK(in16.settings.text("bits") == "16");  // as a session has it
    CHECK(decisionOf(test.document, a)->id != before.decisions.first().id);
    in16.scheme.bits = in8.scheme.bits;
    in16.settings = in8.settings;
    CHECK(in16.isSameComputation(in8));
    CHECK(test.deployment.budget().empty());  // of other decisions
    test.document.undo();
    CHECK(test.document.workbench().decisions == before.decisions);

    // Of another dump, opened while it is read, it is not.
    test.setTool("sleep 0.3; " + test.printing(rows));
    test.deployment.start(Step::Budget);
    test.document.open(QString::fromStdString(test.folder.file("other.h5")));
    FakeEngine::answer(test.waited.opens, someDump());
    test.decide();
    REQUIRE(waitForEnd(test.deployment));
    CHECK(test.deployment.budget().empty());
    CHECK(test.deployment.problem().isEmpty());
}

}  // namespace deployment_end_test
