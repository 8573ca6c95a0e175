// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/estimate.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "ui/queries/engine_client.h"

#include <QTest>

#include <filesystem>
#include <vector>

namespace own_program_engine_test {

using namespace calibscope;
using calibscope::test::containsText;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

Choice programChoice(const std::string& name)
{
    return withProgramFacts(makeChoice("program", {{"file", name}}, SchemeKind::SymmetricRestricted,
                                       Granularity::Tensor));
}

/// What the engine that a window starts answers for it on a tensor of the sample.
protocol::TensorView viewOf(const Choice& choice, const QStringList& arguments)
{
    EngineClient client;
    client.setProgram(CALIBSCOPE_PROGRAM_DIR "/calib", arguments);
    std::vector<Answer<protocol::TensorView>> answers;
    client.ask(protocol::ViewRequest{.tensor = {.file = sample, .index = 0}, .choices = {choice}},
               [&](Answer<protocol::TensorView> answer) { answers.push_back(std::move(answer)); });
    REQUIRE(QTest::qWaitFor([&] { return !answers.empty(); }, 20000));
    REQUIRE(answers[0].value);
    return *answers[0].value;
}

TEST_CASE("the engine has a program of the user's folder asked, and of no other, nor a changed one")
{
    const test::TemporaryFolder folder;
    qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(folder.path().string()));
    std::filesystem::create_directories(ownProgramFolder());
    const std::string path = (ownProgramFolder() / "mine.py").string();
    const std::string text =
        "import json\n"
        "while True:\n"
        "    top = json.loads(input())['max']\n"
        "    print(json.dumps({'threshold': top / 2, 'curve': {'x': [top / 2, top], "
        "'y': [1, 2], 'name': 'loss'}}), flush=True)\n";
    test::writeBytes(path, text);
    const Choice choice = programChoice("mine.py");
    const QStringList engine{"serve", "--programs",
                             QString::fromStdString(ownProgramFolder().string())};

    const protocol::TensorView view = viewOf(choice, engine);
    const Outcome& own = view.outcomes.at(0);
    CHECK(own.problem.empty());
    CHECK(own.whole.clip.threshold == view.profile.extents().max / 2);
    CHECK(own.curve.objective == "loss");
    CHECK(own.curve.chosen == 0);
    CHECK_THAT(own.whole.notes.back(), containsText("your own program mine.py"));
    // The window has a profile, and starts no program itself.
    CHECK(whyNoEstimate(view.profile, choice) == "it needs the values");

    CHECK_THAT(viewOf(choice, {"serve"}).outcomes.at(0).problem,
               containsText("mine.py: no program of your own is run here"));
    test::writeBytes(path, text + "# changed\n");
    CHECK_THAT(viewOf(choice, engine).outcomes.at(0).problem,
               containsText("mine.py: its content is not the one that was chosen"));
    CHECK(viewOf(programChoice("mine.py"), engine).outcomes.at(0).problem.empty());
    qunsetenv("XDG_CONFIG_HOME");
}

}  // namespace own_program_engine_test
