#include "ui/document/document.h"

#include "tests/support/tested_session.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("opening a dump shows it as a whole: nothing is selected")
{
    TestedSession test;
    test.session.open("/somewhere/a.h5");
    CHECK(test.session.dumpState() == Document::DumpState::Opening);
    CHECK_FALSE(test.session.isIdle());
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    CHECK_FALSE(test.waited.opens.front().request.allowExternal);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.dumpState() == Document::DumpState::Open);
    CHECK(test.session.tensors().size() == 4);
    CHECK(test.session.selected() == -1);
    CHECK(test.session.selectedTensor() == nullptr);
    CHECK(test.waited.views.empty());
}

TEST_CASE("a dump can be opened at one of its tensors")
{
    TestedSession test;
    test.session.open("/somewhere/a.h5", {.tensor = "b"});
    const QSignalSpy selections(&test.session, &Document::selectionChanged);
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
    CHECK(test.session.dumpState() == Document::DumpState::Failed);
    CHECK(test.session.dumpProblem() == "a.h5: is no HDF5 file");
    test.session.questions().readAgain();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.dumpState() == Document::DumpState::Open);
}

TEST_CASE("a dump that is opened while another one is opening wins")
{
    TestedSession test;
    test.session.open("/a.h5");
    test.session.open("/b.h5");
    CHECK(test.waited.cancelled.size() == 1);
    FakeEngine::answer(test.waited.opens, someDump());  // of a.h5
    CHECK(test.session.dumpState() == Document::DumpState::Opening);
    CHECK(test.session.path() == "/b.h5");
}

TEST_CASE("an unreadable tensor can be selected and is not read")
{
    TestedSession test;
    test.openDump();
    test.session.select(odd);
    CHECK(test.session.selectedTensor()->unreadable == "no plugin");
    CHECK(test.session.questions().reader().state() == ViewReader::State::Idle);
    CHECK(test.waited.views.size() == 1);  // that of the first tensor, cancelled
}

TEST_CASE("outcomes wait for their view, and the chosen recipe's are known")
{
    TestedSession test;
    edits::chooseRecipe(test.session, "rebellions-vision");
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
    const QSignalSpy changes(&test.session, &Document::ticksChanged);
    edits::setTicked(test.session, "min-max", false);
    edits::setTicked(test.session, "fixed", true);
    CHECK(changes.count() == 2);
    test.session.select(b);
    CHECK_FALSE(test.row("min-max").isTicked);
    CHECK(test.row("fixed").isTicked);
}

TEST_CASE("the chosen recipe's choice is ticked unless the user unticked it")
{
    TestedSession test;
    edits::chooseRecipe(test.session, "nvidia-fractional");
    test.openDump();
    const std::string fractional = test.idOf("min-max 0.999");
    CHECK(test.row(fractional).isTicked);
    edits::chooseRecipe(test.session, "rebellions-vision");
    CHECK_FALSE(test.row(fractional).isTicked);
    edits::chooseRecipe(test.session, "nvidia-fractional");
    edits::setTicked(test.session, fractional, false);
    CHECK_FALSE(test.row(fractional).isTicked);
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
    CHECK(test.session.isIdle());
}

TEST_CASE("the list shows the exact SQNR of a view, not the glance's estimate of the same")
{
    TestedSession test;
    edits::chooseRecipe(test.session, "rebellions-vision");
    test.openDump();
    test.answerView();
    QSignalSpy previews(&test.session.previews(), &Previews::taken);
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
    const QSignalSpy changes(&test.session, &Document::recipeChanged);
    edits::chooseRecipe(test.session, "moffett-cnn");
    CHECK(changes.count() == 1);
    CHECK(test.session.previews().left() == 3);
    CHECK(test.background.previews.back().request.choice->recipe == "moffett-cnn");
    edits::chooseRecipe(test.session, "moffett-cnn");
    CHECK(changes.count() == 1);
}

TEST_CASE("a recipe that is not known becomes the first one")
{
    TestedSession test;
    edits::chooseRecipe(test.session, "of-another-version");
    CHECK(test.session.chosenRecipe().id == recipes().front().id);
}

TEST_CASE("neighbours are read in advance, and are there when they are selected")
{
    TestedSession test;
    test.openDump();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{});
    test.session.questions().expect({b, odd, a});
    REQUIRE(test.background.views.size() == 1);  // odd can't be read, a is there
    FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    test.session.select(b);
    CHECK(test.session.questions().reader().state() == ViewReader::State::Ready);
    CHECK(test.row("min-max").hasResult());
}

TEST_CASE("stopping while a dump is opening closes it")
{
    TestedSession test;
    test.session.open("/a.h5");
    test.session.questions().stopReading();
    CHECK(test.session.dumpState() == Document::DumpState::None);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.dumpState() == Document::DumpState::None);
}

TEST_CASE("a closed dump leaves nothing behind")
{
    TestedSession test;
    test.openDump();
    test.session.close();
    CHECK(test.session.dumpState() == Document::DumpState::None);
    CHECK(test.session.selected() == -1);
    CHECK(test.session.path().isEmpty());
    CHECK(test.session.questions().rows().empty());
    CHECK(test.session.isIdle());
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

TEST_CASE("a change is one step, and tells what it changed")
{
    TestedSession test;
    test.openDump();
    const QSignalSpy displays(&test.session, &Document::displayChanged);
    const QSignalSpy ticks(&test.session, &Document::ticksChanged);
    const QSignalSpy all(&test.session, &Document::workbenchChanged);
    const QSignalSpy histories(&test.session, &Document::historyChanged);
    test.session.change("Both", [](Workbench& workbench) {
        workbench.display.isLogX = true;
        workbench.ticks["entropy"] = false;
    });
    CHECK(displays.count() == 1);
    CHECK(ticks.count() == 1);
    CHECK(all.count() == 1);
    CHECK_FALSE(all[0][0].value<Workbench>().display.isLogX);
    CHECK(histories.count() == 1);
    CHECK(test.session.history().undoText() == "Both");
    CHECK_FALSE(test.row("entropy").isTicked);
    test.session.undo();
    CHECK_FALSE(test.session.workbench().display.isLogX);
    CHECK(test.row("entropy").isTicked);
    CHECK(displays.count() == 2);
    CHECK(ticks.count() == 2);
    CHECK(test.session.history().redoText() == "Both");
    test.session.redo();
    CHECK(test.session.workbench().display.isLogX);
    CHECK_FALSE(test.row("entropy").isTicked);
}

TEST_CASE("an edit that changes nothing is no step and tells nothing")
{
    TestedSession test;
    test.openDump();
    const QSignalSpy all(&test.session, &Document::workbenchChanged);
    test.session.change("Nothing", [](Workbench&) {});
    edits::setDisplay(test.session, test.session.workbench().display);
    CHECK_FALSE(test.session.history().canUndo());
    CHECK(all.count() == 0);
}

TEST_CASE("every setter of the session can be undone")
{
    TestedSession test;
    test.openDump();
    const Workbench untouched = test.session.workbench();
    Document& session = test.session;
    const auto check = [&](const char* what, const std::function<void()>& set) {
        INFO(what);
        set();
        const Workbench changed = session.workbench();
        CHECK_FALSE(changed == untouched);
        CHECK_FALSE(session.history().undoText().isEmpty());
        session.undo();
        CHECK(session.workbench() == untouched);
        CHECK_FALSE(session.history().canUndo());
        session.redo();
        CHECK(session.workbench() == changed);
        session.undo();
    };
    check("display", [&] { edits::setDisplay(session, {.isLogCount = false}); });
    check("quantity", [&] { edits::setDisplay(session, {.quantity = Quantity::Cumulative}); });
    check("tick", [&] { edits::setTicked(session, "min-max", false); });
    check("recipe", [&] { edits::chooseRecipe(session, "moffett-cnn"); });
    check("lower plot", [&] { edits::setSecondary(session, Secondary::Batches); });
    check("baseline", [&] { edits::setBaseline(session, "entropy"); });
    check("pin", [&] { edits::setPinned(session, {b}, true); });
    check("exclude", [&] { edits::setExcluded(session, {b, weight}, true); });
    check("zoom", [&] { edits::setZoom(session, "browse", {.x = Range{0.0, 1.0}}); });
    check("understanding", [&] { edits::understand(session, {b}, {.channelAxis = 1}); });
}

TEST_CASE("undoing the choice of a recipe glances anew under the former one")
{
    TestedSession test;
    edits::chooseRecipe(test.session, "moffett-cnn");
    test.openDump();
    test.answerView();
    edits::chooseRecipe(test.session, "rebellions-vision");
    const QSignalSpy changes(&test.session, &Document::recipeChanged);
    test.session.undo();
    CHECK(changes.count() == 1);
    CHECK(test.session.chosenRecipe().id == "moffett-cnn");
    CHECK(test.background.previews.back().request.choice->recipe == "moffett-cnn");
}

TEST_CASE("undoing what was said of a tensor reads it as it was understood before")
{
    TestedSession test;
    test.openDump();
    test.answerView();
    edits::understand(test.session, {a}, {.channelAxis = 1});
    test.answerView();
    CHECK(test.session.selectedTensor()->channelAxis == 1);
    test.session.undo();
    CHECK_FALSE(test.session.selectedTensor()->channelAxis);
    CHECK(test.session.questions().reader().view());  // it was kept
    CHECK(test.session.understood().edited().empty());
    test.session.redo();
    CHECK(test.session.selectedTensor()->channelAxis == 1);
    CHECK(test.session.questions().reader().view());
}

TEST_CASE("what can't be said of any tensor is no step")
{
    TestedSession test;
    test.openDump();
    edits::understand(test.session, {a}, {.channelAxis = 7});
    CHECK_FALSE(test.session.history().canUndo());
    edits::understand(test.session, {a, weight}, {.channelAxis = 0});
    CHECK(test.session.history().canUndo());
}

TEST_CASE("a drag is one step until it ends")
{
    TestedSession test;
    test.openDump();
    edits::setZoom(test.session, "browse", {.x = Range{0.0, 3.0}}, "wheel");
    edits::setZoom(test.session, "browse", {.x = Range{0.0, 2.0}}, "wheel");
    test.session.endMerge();
    edits::setZoom(test.session, "browse", {.x = Range{0.0, 1.0}}, "wheel");
    test.session.undo();
    CHECK(edits::zoom(test.session, "browse").x == Range{0.0, 2.0});
    test.session.undo();
    CHECK(edits::zoom(test.session, "browse") == Zoom{});
}

TEST_CASE("a zoom is its page's, and holds for the tensor that it was made on")
{
    TestedSession test;
    test.openDump();
    edits::setZoom(test.session, "browse", {.x = Range{0.0, 1.0}});
    CHECK(edits::zoom(test.session, "calibrators") == Zoom{});
    test.session.select(b);
    CHECK(edits::zoom(test.session, "browse") == Zoom{});
    test.session.select(a);
    CHECK(edits::zoom(test.session, "browse").x == Range{0.0, 1.0});
}

TEST_CASE("what is decided while no dump is open holds, and is no step")
{
    TestedSession test;
    edits::setDisplay(test.session, {.isLogCount = false});
    CHECK_FALSE(test.session.history().canUndo());
    test.openDump();
    CHECK_FALSE(test.session.workbench().display.isLogCount);
    CHECK_FALSE(test.session.history().canUndo());
}

TEST_CASE("a reload keeps the steps, another dump forgets them with what was said of tensors")
{
    TestedSession test;
    test.openDump();
    edits::setPinned(test.session, {b}, true);
    edits::setTicked(test.session, "min-max", false);
    test.session.reload();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(edits::isPinned(test.session, b));
    CHECK(test.session.history().canUndo());
    test.session.open("/somewhere/else.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK_FALSE(edits::isPinned(test.session, b));
    CHECK_FALSE(test.session.history().canUndo());
    CHECK_FALSE(test.session.workbench().ticks.at("min-max"));  // of calibrators, not of tensors
}
