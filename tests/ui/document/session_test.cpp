#include "ui/document/session.h"

#include "tests/support/tested_session.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("opening a dump shows it as a whole: nothing is selected")
{
    TestedSession test;
    test.session.open("/somewhere/a.h5");
    CHECK(test.session.dumpState() == Session::DumpState::Opening);
    CHECK_FALSE(test.session.isSettled());
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    CHECK_FALSE(test.waited.opens.front().request.allowExternal);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.dumpState() == Session::DumpState::Open);
    CHECK(test.session.tensors().size() == 4);
    CHECK(test.session.selected() == -1);
    CHECK(test.session.selectedTensor() == nullptr);
    CHECK(test.waited.views.empty());
}

TEST_CASE("a dump can be opened at one of its tensors")
{
    TestedSession test;
    test.session.open("/somewhere/a.h5", {.tensor = "b"});
    const QSignalSpy selections(&test.session, &Session::selectionChanged);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.selected() == b);
    CHECK(selections.count() == 1);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.index == b);
    test.session.open("/somewhere/a.h5", {.tensor = "none such"});
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.selected() == -1);
    CHECK(test.session.dump().warnings.front() == "there is no tensor none such");
}

TEST_CASE("a file that can't be opened is told, and can be tried again")
{
    TestedSession test;
    test.session.open("/a.h5");
    FakeEngine::fail(test.waited.opens, "a.h5: is no HDF5 file");
    CHECK(test.session.dumpState() == Session::DumpState::Failed);
    CHECK(test.session.dumpProblem() == "a.h5: is no HDF5 file");
    test.session.readAgain();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.dumpState() == Session::DumpState::Open);
}

TEST_CASE("a dump that is opened while another one is opening wins")
{
    TestedSession test;
    test.session.open("/a.h5");
    test.session.open("/b.h5");
    CHECK(test.waited.cancelled.size() == 1);
    FakeEngine::answer(test.waited.opens, someDump());  // of a.h5
    CHECK(test.session.dumpState() == Session::DumpState::Opening);
    CHECK(test.session.path() == "/b.h5");
}

TEST_CASE("an unreadable tensor can be selected and is not read")
{
    TestedSession test;
    test.openDump();
    test.session.select(odd);
    CHECK(test.session.selectedTensor()->unreadable == "no plugin");
    CHECK(test.session.reader().state() == ViewReader::State::Idle);
    CHECK(test.waited.views.size() == 1);  // that of the first tensor, cancelled
}

TEST_CASE("outcomes wait for their view, and the chosen recipe's are known")
{
    TestedSession test;
    test.session.chooseRecipe("rebellions-vision");
    test.openDump();
    CHECK_FALSE(test.row("percentile").outcome);
    test.answerView();
    CHECK(test.row("percentile").hasResult());
    CHECK(test.row("percentile").isChosenRecipes);
    CHECK_FALSE(test.row("entropy").isChosenRecipes);
    CHECK(test.row("entropy").recipeTitles.contains("Moffett, CNN"));
}

TEST_CASE("a tick holds for the calibrator on every tensor")
{
    TestedSession test;
    test.openDump();
    CHECK(test.row("min-max").isTicked);
    CHECK_FALSE(test.row("fixed").isTicked);
    const QSignalSpy changes(&test.session, &Session::ticksChanged);
    test.session.setTicked("min-max", false);
    test.session.setTicked("fixed", true);
    CHECK(changes.count() == 2);
    test.session.select(b);
    CHECK_FALSE(test.row("min-max").isTicked);
    CHECK(test.row("fixed").isTicked);
}

TEST_CASE("the chosen recipe's choice is ticked unless the user unticked it")
{
    TestedSession test;
    test.session.chooseRecipe("nvidia-fractional");
    test.openDump();
    CHECK(test.row("min-max 0.999").isTicked);
    test.session.chooseRecipe("rebellions-vision");
    CHECK_FALSE(test.row("min-max 0.999").isTicked);
    test.session.chooseRecipe("nvidia-fractional");
    test.session.setTicked("min-max 0.999", false);
    CHECK_FALSE(test.row("min-max 0.999").isTicked);
}

TEST_CASE("every readable tensor is glanced at under the chosen recipe, not while the user waits")
{
    TestedSession test;
    test.openDump();
    REQUIRE(test.background.previews.size() == 1);  // while there was only the summary to look at
    std::vector<std::uint64_t> seen = {test.background.previews.front().request.tensor.index};
    FakeEngine::answer(test.background.previews, protocol::Preview{});
    CHECK(test.background.previews.empty());
    test.answerView();
    while (!test.background.previews.empty()) {
        const protocol::PreviewRequest& request = test.background.previews.front().request;
        REQUIRE(request.choice);
        CHECK(request.choice->recipe == test.session.chosenRecipe().id);
        seen.push_back(request.tensor.index);
        FakeEngine::answer(test.background.previews, protocol::Preview{});
    }
    CHECK(seen == std::vector<std::uint64_t>{weight, a, b});
    CHECK(test.session.isSettled());
}

TEST_CASE("the list shows the exact SQNR of a view, not the glance's estimate of the same")
{
    TestedSession test;
    test.session.chooseRecipe("rebellions-vision");
    test.openDump();
    test.answerView();
    QSignalSpy previews(&test.session, &Session::previewTaken);
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 50.0});
    const auto sqnrOf = [&](int tensor) {
        std::optional<double> last;
        for (const QList<QVariant>& arguments : previews)
            if (arguments[0].toInt() == tensor)
                last = arguments[1].value<protocol::Preview>().sqnrDb;
        return last;
    };
    CHECK(sqnrOf(a) == 11.0);  // percentile is the second choice
    CHECK(sqnrOf(b) == 50.0);
    test.session.select(b);
    test.answerView();
    CHECK(sqnrOf(b) == 11.0);
}

TEST_CASE("a tensor that could not be glanced at is tried again once its view was read")
{
    TestedSession test;
    test.openDump();
    test.answerView();
    while (!test.background.previews.empty())
        if (test.background.previews.front().request.tensor.index == b)
            FakeEngine::fail(test.background.previews, "the engine ended");
        else
            FakeEngine::answer(test.background.previews, protocol::Preview{});
    test.session.select(b);
    CHECK(test.background.previews.empty());
    test.answerView();
    REQUIRE(test.background.previews.size() == 1);
    CHECK(test.background.previews.front().request.tensor.index == b);
}

TEST_CASE("another recipe glances anew")
{
    TestedSession test;
    test.openDump();
    test.answerView();
    const QSignalSpy changes(&test.session, &Session::recipeChanged);
    test.session.chooseRecipe("moffett-cnn");
    CHECK(changes.count() == 1);
    CHECK(test.session.previewsLeft() == 3);
    CHECK(test.background.previews.back().request.choice->recipe == "moffett-cnn");
    test.session.chooseRecipe("moffett-cnn");
    CHECK(changes.count() == 1);
}

TEST_CASE("a recipe that is not known becomes the first one")
{
    TestedSession test;
    test.session.chooseRecipe("of-another-version");
    CHECK(test.session.chosenRecipe().id == recipes().front().id);
}

TEST_CASE("neighbours are read in advance, and are there when they are selected")
{
    TestedSession test;
    test.openDump();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{});
    test.session.expect({b, odd, a});
    REQUIRE(test.background.views.size() == 1);  // odd can't be read, a is there
    FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    test.session.select(b);
    CHECK(test.session.reader().state() == ViewReader::State::Ready);
    CHECK(test.row("min-max").hasResult());
}

TEST_CASE("stopping while a dump is opening closes it")
{
    TestedSession test;
    test.session.open("/a.h5");
    test.session.stopReading();
    CHECK(test.session.dumpState() == Session::DumpState::None);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.dumpState() == Session::DumpState::None);
}

TEST_CASE("a closed dump leaves nothing behind")
{
    TestedSession test;
    test.openDump();
    test.session.close();
    CHECK(test.session.dumpState() == Session::DumpState::None);
    CHECK(test.session.selected() == -1);
    CHECK(test.session.path().isEmpty());
    CHECK(test.session.outcomeRows().empty());
    CHECK(test.session.isSettled());
    test.session.select(a);
    CHECK(test.session.selected() == -1);
}

TEST_CASE("reloading opens the same file anew")
{
    TestedSession test;
    test.openDump();
    test.session.reload();
    REQUIRE(test.waited.opens.size() == 1);
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.selectedTensor()->name == "a");
}
