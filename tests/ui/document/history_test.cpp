// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/history.h"

#include "tests/support/catch.h"

namespace history_test {

using namespace calibscope;

/// A workbench that is told from others by its baseline.
Workbench with(const std::string& baseline)
{
    Workbench workbench;
    workbench.baseline = baseline;
    return workbench;
}

TEST_CASE("undo goes back step by step, redo goes forward again")
{
    History history;
    CHECK_FALSE(history.canUndo());
    CHECK_FALSE(history.undo());
    history.record("first", {}, with("0"), with("1"));
    history.record("second", {}, with("1"), with("2"));
    CHECK(history.undoText() == "second");
    CHECK(history.undo() == with("1"));
    CHECK(history.undoText() == "first");
    CHECK(history.redoText() == "second");
    CHECK(history.undo() == with("0"));
    CHECK_FALSE(history.canUndo());
    CHECK(history.redo() == with("1"));
    CHECK(history.redo() == with("2"));
    CHECK_FALSE(history.canRedo());
    CHECK_FALSE(history.redo());
}

TEST_CASE("a new step forgets what was undone")
{
    History history;
    history.record("first", {}, with("0"), with("1"));
    (void)history.undo();
    history.record("other", {}, with("0"), with("3"));
    CHECK_FALSE(history.canRedo());
    CHECK(history.undo() == with("0"));
}

TEST_CASE("successive changes with the same key are one step")
{
    History history;
    history.record("drag", "handle", with("0"), with("1"));
    history.record("drag", "handle", with("1"), with("2"));
    history.record("drag", "handle", with("2"), with("3"));
    CHECK(history.undo() == with("0"));
    CHECK(history.redo() == with("3"));
}

TEST_CASE("another key, another step between, the end of a drag or an undo begin a new step")
{
    History history;
    history.record("drag", "low", with("0"), with("1"));
    history.record("drag", "high", with("1"), with("2"));
    CHECK(history.undo() == with("1"));

    history.record("drag", "low", with("1"), with("3"));  // continues nothing: an undo was between
    CHECK(history.undo() == with("1"));
    history.record("drag", "low", with("1"), with("3"));
    history.endMerge();
    history.record("drag", "low", with("3"), with("4"));
    CHECK(history.undo() == with("3"));
    CHECK(history.undo() == with("1"));
}

TEST_CASE("changes without a key are never joined")
{
    History history;
    history.record("tick", {}, with("0"), with("1"));
    history.record("tick", {}, with("1"), with("2"));
    CHECK(history.undo() == with("1"));
}

TEST_CASE("a drag that ends where it began is not a step")
{
    History history;
    history.record("drag", "low", with("0"), with("1"));
    history.record("drag", "low", with("1"), with("0"));
    CHECK_FALSE(history.canUndo());
}

TEST_CASE("a drag after one that came to nothing does not continue the step before it")
{
    History history;
    history.record("drag", "low", with("0"), with("1"));
    history.endMerge();
    history.record("drag", "low", with("1"), with("2"));
    history.record("drag", "low", with("2"), with("1"));
    history.record("drag", "low", with("1"), with("5"));
    CHECK(history.undo() == with("1"));
    CHECK(history.undo() == with("0"));
}

TEST_CASE("the oldest steps are forgotten")
{
    History history;
    for (std::size_t step = 0; step <= History::mostSteps; ++step)
        history.record("step", {}, with(std::to_string(step)), with(std::to_string(step + 1)));
    std::size_t undone = 0;
    std::optional<Workbench> last;
    while (const std::optional<Workbench> before = history.undo()) {
        last = before;
        ++undone;
    }
    CHECK(undone == History::mostSteps);
    CHECK(last == with("1"));
}

TEST_CASE("what was shared and is another now stays, and steps that did nothing else go")
{
    const auto pinned = [](const std::string& baseline) {
        Workbench workbench = with(baseline);
        workbench.pins = {"/a"};
        return workbench;
    };
    History history;
    history.record("baseline", {}, with("0"), with("1"));
    history.record("pin", {}, with("1"), pinned("1"));
    history.record("baseline", {}, pinned("1"), pinned("2"));
    CHECK(history.undo() == pinned("1"));
    history.takeShared(with("other"));
    CHECK_FALSE(history.canRedo());
    CHECK(history.undoText() == "pin");
    CHECK(history.undo() == with("other"));
    CHECK(history.redo() == pinned("other"));
    CHECK(history.undo() == with("other"));
    CHECK_FALSE(history.canUndo());
}

TEST_CASE("back leads to where one was, forward to where one came from")
{
    Navigation navigation;
    CHECK_FALSE(navigation.canGoBack());
    CHECK_FALSE(navigation.back());
    for (const char* path : {"/a", "/b", "/c"})
        navigation.visit(path);
    CHECK(navigation.back() == "/b");
    CHECK(navigation.back() == "/a");
    CHECK_FALSE(navigation.canGoBack());
    CHECK(navigation.forward() == "/b");
    CHECK(navigation.forward() == "/c");
    CHECK_FALSE(navigation.forward());
}

TEST_CASE("going somewhere else forgets what lay ahead")
{
    Navigation navigation;
    for (const char* path : {"/a", "/b", "/c"})
        navigation.visit(path);
    (void)navigation.back();
    navigation.visit("/d");
    CHECK_FALSE(navigation.canGoForward());
    CHECK(navigation.back() == "/b");
}

TEST_CASE("staying where one is leaves no trace")
{
    Navigation navigation;
    navigation.visit("/a");
    navigation.visit("/b");
    (void)navigation.back();
    navigation.visit("/a");
    CHECK(navigation.forward() == "/b");
}

TEST_CASE("places of long ago are forgotten")
{
    Navigation navigation;
    for (int place = 0; place < 1000; ++place)
        navigation.visit(std::to_string(place));
    std::string last;
    int steps = 0;
    while (const std::optional<std::string> path = navigation.back()) {
        last = *path;
        ++steps;
    }
    CHECK(steps == 199);
    CHECK(last == "800");
}

TEST_CASE("steps are listed from the oldest on, done or not, and any of them is gone to")
{
    History history;
    std::vector<Workbench> states(4);
    for (std::size_t step = 1; step < states.size(); ++step) {
        states[step] = states[step - 1];
        states[step].pins.insert(std::to_string(step));
        history.record(QString::number(step), {}, states[step - 1], states[step]);
    }
    CHECK(history.steps() == QStringList{"1", "2", "3"});
    CHECK(history.goTo(1) == states[1]);
    CHECK(history.steps() == QStringList{"1", "2", "3"});
    CHECK(history.doneCount() == 1);
    CHECK(history.undoText() == "1");
    CHECK(history.redoText() == "2");
    CHECK(history.goTo(3) == states[3]);
    CHECK(history.goTo(0) == states[0]);
    CHECK_FALSE(history.goTo(0).has_value());  // is there
    CHECK_FALSE(history.goTo(4).has_value());  // there are not so many
    CHECK(history.doneCount() == 0);
}

}  // namespace history_test
