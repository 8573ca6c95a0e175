#include "ui/document/comparison.h"

#include "tests/support/compared_session.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a second dump is opened, matched and compared in the background")
{
    ComparedSession test;
    test.open({"one", "two"}, {"one", "two", "three"});
    CHECK(test.comparison.path() == "/somewhere/b.h5");
    CHECK(test.comparison.matches().pairs.size() == 2);
    CHECK(test.comparison.matches().onlyB == std::vector<std::size_t>{2});
    CHECK(test.comparison.pairOfA(1) == 1);
    CHECK(test.comparison.pairOfB(2) == -1);
    REQUIRE(test.background.comparisons.size() == 1);
    const protocol::CompareRequest& asked = test.background.comparisons.front().request;
    CHECK(asked.a.file == "/somewhere/a.h5");
    CHECK(asked.b.file == "/somewhere/b.h5");
    CHECK_FALSE(asked.choices.empty());
    CHECK_FALSE(asked.exactMetrics);  // thousands may follow
    CHECK_FALSE(test.comparison.isIdle());
    test.answerPair(0.0);
    test.answerPair(0.5);
    CHECK(test.comparison.isIdle());
}

TEST_CASE("the second dump is a decision that can be undone")
{
    ComparedSession test;
    test.open({"one"}, {"one"});
    CHECK(test.session.history().undoText() == "Compare with b.h5");
    test.session.undo();
    CHECK(test.comparison.state() == Comparison::State::None);
    CHECK(test.comparison.matches().pairs.empty());
    test.session.redo();
    CHECK(test.comparison.state() == Comparison::State::Opening);
}

TEST_CASE("tensors can be matched by hand, and that can be undone")
{
    ComparedSession test;
    test.open({"one", "old"}, {"one", "new name"}, {"new name"});
    CHECK(test.comparison.pairOfA(1) == -1);
    matchManually(test.session, "/old", "/new name");
    test.waitUntilMatched();
    REQUIRE(test.comparison.pairOfA(1) >= 0);
    const TensorPair& pair =
        test.comparison.matches().pairs[static_cast<std::size_t>(test.comparison.pairOfA(1))];
    CHECK(pair.rule == MatchRule::Hand);
    CHECK_FALSE(pair.isSameShape);
    test.session.undo();
    test.waitUntilMatched();
    CHECK(test.comparison.pairOfA(1) == -1);
}

TEST_CASE("a second dump that can't be opened is told, and can be read again")
{
    ComparedSession test;
    test.session.open("/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf({"one"}));
    compareWith(test.session, "/somewhere/b.h5");
    FakeEngine::fail(test.waited.opens, "b.h5: is a ZIP archive");
    CHECK(test.comparison.state() == Comparison::State::Failed);
    CHECK(test.comparison.problem() == "b.h5: is a ZIP archive");
    CHECK(test.comparison.isIdle());
    test.comparison.reopen();
    CHECK(test.comparison.state() == Comparison::State::Opening);
    test.comparison.stopOpening();
    CHECK(test.comparison.state() == Comparison::State::Failed);
}

TEST_CASE("the second dump may come before the first one is read")
{
    ComparedSession test;
    test.session.open("/somewhere/a.h5");
    compareWith(test.session, "/somewhere/b.h5");
    REQUIRE(test.waited.opens.size() == 2);
    std::swap(test.waited.opens[0], test.waited.opens[1]);
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf({"one"}));
    CHECK(test.comparison.state() == Comparison::State::Matching);
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf({"one"}));
    test.waitUntilMatched();
    CHECK(test.comparison.matches().pairs.size() == 1);
}

TEST_CASE("another open dump ends the comparison")
{
    ComparedSession test;
    test.open({"one"}, {"one"});
    test.session.open("/somewhere/c.h5");
    CHECK(test.comparison.state() == Comparison::State::None);
    CHECK(test.session.workbench().compared.path.empty());
}

TEST_CASE("swapped dumps change places, with what was matched by hand")
{
    ComparedSession test;
    test.open({"one", "old"}, {"one", "new"});
    matchManually(test.session, "/old", "/new");
    test.waitUntilMatched();
    test.session.select(1);
    swapDumps(test.comparison, test.dumps);
    CHECK(test.session.path() == "/somewhere/b.h5");
    CHECK(test.comparison.path() == "/somewhere/a.h5");
    REQUIRE(test.waited.opens.size() == 2);
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf({"one", "old"}));
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf({"one", "new"}));
    test.waitUntilMatched();
    CHECK(test.session.selectedTensor()->name == "new");
    CHECK(test.session.workbench().compared.pairs ==
          std::map<std::string, std::string>{{"/new", "/old"}});
    CHECK(test.comparison.pairOfA(1) == 1);
    CHECK(test.session.history().undoText() == "Swap");
    test.session.undo();
    CHECK(test.session.path() == "/somewhere/b.h5");
    CHECK(test.comparison.state() == Comparison::State::None);
}

TEST_CASE("a dump may be closed while a tensor of it is read and pairs wait for that")
{
    ComparedSession test;
    test.open({"one", "two"}, {"one", "two"});
    test.session.select(0);
    CHECK(test.session.questions().reader().state() == ViewReader::State::Reading);
    test.answerPair(0.0);
    CHECK(test.background.comparisons.empty());  // the next pair waits
    test.session.open("/somewhere/c.h5");
    CHECK(test.background.comparisons.empty());
    CHECK(test.comparison.state() == Comparison::State::None);
}

TEST_CASE("each of two swapped dumps keeps what was decided on it, and its steps")
{
    ComparedSession test;
    const auto swap = [&test] {
        swapDumps(test.comparison, test.dumps);
        for (int opened = 0; opened < 2; ++opened)
            FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf({"one", "two"}));
        test.waitUntilMatched();
    };
    test.open({"one", "two"}, {"one", "two"});
    edits::setPinned(test.session, {0}, true);
    swap();
    CHECK(test.session.path() == "/somewhere/b.h5");
    CHECK(edits::isPinned(test.session, 0));  // new to the window: taken for the same
    edits::setPinned(test.session, {0}, false);
    edits::setPinned(test.session, {1}, true);
    swap();
    CHECK(test.session.path() == "/somewhere/a.h5");
    CHECK(edits::isPinned(test.session, 0));
    CHECK_FALSE(edits::isPinned(test.session, 1));
    CHECK(test.comparison.path() == "/somewhere/b.h5");
    swap();
    CHECK_FALSE(edits::isPinned(test.session, 0));
    CHECK(edits::isPinned(test.session, 1));
    test.session.undo();
    CHECK_FALSE(edits::isPinned(test.session, 1));
    CHECK(test.comparison.path() == "/somewhere/a.h5");
    CHECK(test.dumps.count() == 2);
}

TEST_CASE("the pair is read while somebody looks at it")
{
    ComparedSession test;
    test.open({"one", "two"}, {"two", "three"}, {"three"});
    test.session.select(1);
    test.waited.views.clear();
    CHECK(test.comparison.lookedAtB() == 0);
    CHECK(test.comparison.looked().state() == PairReader::State::Idle);
    test.comparison.setLooking(true);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.index == 1);
    test.comparison.lookAtB(1);
    CHECK(test.comparison.lookedAtA() == -1);
    CHECK(test.comparison.lookedAtB() == 1);
    test.session.select(0);
    CHECK(test.comparison.lookedAtA() == 0);
    CHECK(test.comparison.lookedAtB() == -1);
    test.comparison.setLooking(false);
    CHECK(test.comparison.looked().state() == PairReader::State::Idle);
}

TEST_CASE("twenty thousand tensors are matched beside the window")
{
    ComparedSession test;
    std::vector<std::string> names;
    for (int tensor = 0; tensor < 20000; ++tensor)
        names.push_back("layer" + std::to_string(tensor) + ".out");
    test.session.open("/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf(names));
    compareWith(test.session, "/somewhere/b.h5");
    FakeEngine::answer(test.waited.opens, ComparedSession::dumpOf(names));
    CHECK(test.comparison.state() == Comparison::State::Matching);  // not here and now
    REQUIRE(QTest::qWaitFor([&] { return test.comparison.state() == Comparison::State::Ready; },
                            20000));
    CHECK(test.comparison.matches().pairs.size() == 20000);
    CHECK(test.background.comparisons.size() == 1);
}
