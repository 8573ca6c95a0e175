#include "tests/support/tested_session.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a change is one step, and tells what it changed")
{
    TestedSession test;
    test.openDump();
    const QSignalSpy displays(&test.session, &Session::displayChanged);
    const QSignalSpy ticks(&test.session, &Session::ticksChanged);
    const QSignalSpy all(&test.session, &Session::workbenchChanged);
    const QSignalSpy histories(&test.session, &Session::historyChanged);
    test.session.change("Both", [](Workbench& workbench) {
        workbench.display.isLogX = true;
        workbench.ticks["entropy"] = false;
    });
    CHECK(displays.count() == 1);
    CHECK(ticks.count() == 1);
    CHECK(all.count() == 1);
    CHECK_FALSE(all[0][0].value<Workbench>().display.isLogX);
    CHECK(histories.count() == 1);
    CHECK(test.session.undoText() == "Both");
    CHECK_FALSE(test.row("entropy").isTicked);
    test.session.undo();
    CHECK_FALSE(test.session.display().isLogX);
    CHECK(test.row("entropy").isTicked);
    CHECK(displays.count() == 2);
    CHECK(ticks.count() == 2);
    CHECK(test.session.redoText() == "Both");
    test.session.redo();
    CHECK(test.session.display().isLogX);
    CHECK_FALSE(test.row("entropy").isTicked);
}

TEST_CASE("an edit that changes nothing is no step and tells nothing")
{
    TestedSession test;
    test.openDump();
    const QSignalSpy all(&test.session, &Session::workbenchChanged);
    test.session.change("Nothing", [](Workbench&) {});
    test.session.setDisplay(test.session.display());
    CHECK_FALSE(test.session.canUndo());
    CHECK(all.count() == 0);
}

TEST_CASE("every setter of the session can be undone")
{
    TestedSession test;
    test.openDump();
    const Workbench untouched = test.session.workbench();
    Session& session = test.session;
    const auto check = [&](const char* what, const std::function<void()>& set) {
        INFO(what);
        set();
        const Workbench changed = session.workbench();
        CHECK_FALSE(changed == untouched);
        CHECK_FALSE(session.undoText().isEmpty());
        session.undo();
        CHECK(session.workbench() == untouched);
        CHECK_FALSE(session.canUndo());
        session.redo();
        CHECK(session.workbench() == changed);
        session.undo();
    };
    check("display", [&] { session.setDisplay({.isLogCount = false}); });
    check("quantity", [&] { session.setDisplay({.quantity = Quantity::Cumulative}); });
    check("tick", [&] { session.setTicked("min-max", false); });
    check("recipe", [&] { session.chooseRecipe("moffett-cnn"); });
    check("lower plot", [&] { session.setSecondary(Secondary::Batches); });
    check("baseline", [&] { session.setBaseline("entropy"); });
    check("pin", [&] { session.setPinned({b}, true); });
    check("exclude", [&] { session.setExcluded({b, weight}, true); });
    check("zoom", [&] { session.setZoom("browse", {.x = Range{0.0, 1.0}}); });
    check("understanding", [&] { session.understand({b}, {.channelAxis = 1}); });
}

TEST_CASE("undoing the choice of a recipe glances anew under the former one")
{
    TestedSession test;
    test.session.chooseRecipe("moffett-cnn");
    test.openDump();
    test.answerView();
    test.session.chooseRecipe("rebellions-vision");
    const QSignalSpy changes(&test.session, &Session::recipeChanged);
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
    test.session.understand({a}, {.channelAxis = 1});
    test.answerView();
    CHECK(test.session.selectedTensor()->channelAxis == 1);
    test.session.undo();
    CHECK_FALSE(test.session.selectedTensor()->channelAxis);
    CHECK(test.session.reader().view());  // it was kept
    CHECK(test.session.understood().edited().empty());
    test.session.redo();
    CHECK(test.session.selectedTensor()->channelAxis == 1);
    CHECK(test.session.reader().view());
}

TEST_CASE("what can't be said of any tensor is no step")
{
    TestedSession test;
    test.openDump();
    test.session.understand({a}, {.channelAxis = 7});
    CHECK_FALSE(test.session.canUndo());
    test.session.understand({a, weight}, {.channelAxis = 0});
    CHECK(test.session.canUndo());
}

TEST_CASE("a drag is one step until it ends")
{
    TestedSession test;
    test.openDump();
    test.session.setZoom("browse", {.x = Range{0.0, 3.0}}, "wheel");
    test.session.setZoom("browse", {.x = Range{0.0, 2.0}}, "wheel");
    test.session.endMerge();
    test.session.setZoom("browse", {.x = Range{0.0, 1.0}}, "wheel");
    test.session.undo();
    CHECK(test.session.zoom("browse").x == Range{0.0, 2.0});
    test.session.undo();
    CHECK(test.session.zoom("browse") == Zoom{});
}

TEST_CASE("a zoom is its page's, and holds for the tensor that it was made on")
{
    TestedSession test;
    test.openDump();
    test.session.setZoom("browse", {.x = Range{0.0, 1.0}});
    CHECK(test.session.zoom("calibrators") == Zoom{});
    test.session.select(b);
    CHECK(test.session.zoom("browse") == Zoom{});
    test.session.select(a);
    CHECK(test.session.zoom("browse").x == Range{0.0, 1.0});
}

TEST_CASE("what is decided while no dump is open holds, and is no step")
{
    TestedSession test;
    test.session.setDisplay({.isLogCount = false});
    CHECK_FALSE(test.session.canUndo());
    test.openDump();
    CHECK_FALSE(test.session.display().isLogCount);
    CHECK_FALSE(test.session.canUndo());
}

TEST_CASE("a reload keeps the steps, another dump forgets them with what was said of tensors")
{
    TestedSession test;
    test.openDump();
    test.session.setPinned({b}, true);
    test.session.setTicked("min-max", false);
    test.session.reload();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.isPinned(b));
    CHECK(test.session.canUndo());
    test.session.open("/somewhere/else.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK_FALSE(test.session.isPinned(b));
    CHECK_FALSE(test.session.canUndo());
    CHECK_FALSE(test.session.workbench().ticks.at("min-max"));  // of calibrators, not of tensors
}
