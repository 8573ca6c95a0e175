// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/comparison.h"

#include "tests/support/compared_document.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/pages/compare/compare_page.h"

#include <QSignalSpy>

#include <algorithm>

namespace document_comparison_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a second dump is opened, matched and compared in the background")
{
    ComparedDocument test;
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
    CHECK(test.comparison.question(0).standing.label == "percentile 99.999");
    CHECK_FALSE(test.comparison.isIdle());
    test.answerPair(0.0);
    test.answerPair(0.5);
    CHECK(test.comparison.isIdle());
    // What was accepted stands, though it is not ticked.
    (void)acceptCandidate(test.document, {0}, "min-max");
    const DriftReader::Question decided = test.comparison.question(0);
    CHECK(decided.standing.id == "min-max");
    CHECK(std::ranges::count(decided.candidates, decided.standing) == 1);
}

TEST_CASE("the second dump is a decision that can be undone")
{
    ComparedDocument test;
    test.open({"one"}, {"one"});
    CHECK(test.document.history().undoText() == "Compare with b.h5");
    test.document.undo();
    CHECK(test.comparison.state() == Comparison::State::None);
    CHECK(test.comparison.matches().pairs.empty());
    test.document.redo();
    CHECK(test.comparison.state() == Comparison::State::Opening);
}

TEST_CASE("tensors can be matched by hand, and that can be undone")
{
    ComparedDocument test;
    test.open({"one", "old"}, {"one", "new name"}, {"new name"});
    CHECK(test.comparison.pairOfA(1) == -1);
    matchManually(test.document, "/old", "/new name");
    test.waitUntilMatched();
    REQUIRE(test.comparison.pairOfA(1) >= 0);
    const TensorPair& pair =
        test.comparison.matches().pairs[static_cast<std::size_t>(test.comparison.pairOfA(1))];
    CHECK(pair.rule == MatchRule::Manual);
    CHECK_FALSE(pair.isSameShape);
    test.document.select(1);
    CHECK(pairTitle(test.comparison).name == "old, B: new name");
    test.document.undo();
    test.waitUntilMatched();
    CHECK(test.comparison.pairOfA(1) == -1);
}

TEST_CASE("a second dump that can't be opened is told, and can be read again")
{
    ComparedDocument test;
    test.document.open("/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf({"one"}));
    compareWith(test.document, "/somewhere/b.h5");
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
    ComparedDocument test;
    test.document.open("/somewhere/a.h5");
    compareWith(test.document, "/somewhere/b.h5");
    REQUIRE(test.waited.opens.size() == 2);
    std::swap(test.waited.opens[0], test.waited.opens[1]);
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf({"one"}));
    CHECK(test.comparison.state() == Comparison::State::Matching);
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf({"one"}));
    test.waitUntilMatched();
    CHECK(test.comparison.matches().pairs.size() == 1);
}

TEST_CASE("another open dump ends the comparison")
{
    ComparedDocument test;
    test.open({"one"}, {"one"});
    test.document.open("/somewhere/c.h5");
    CHECK(test.comparison.state() == Comparison::State::None);
    CHECK(test.document.workbench().compared.path.empty());
}

TEST_CASE("swapped dumps change places, with what was matched by hand")
{
    ComparedDocument test;
    test.open({"one", "old"}, {"one", "new"});
    matchManually(test.document, "/old", "/new");
    test.waitUntilMatched();
    test.document.select(1);
    swapDumps(test.comparison, test.dumps);
    CHECK(test.document.path() == "/somewhere/b.h5");
    CHECK(test.comparison.path() == "/somewhere/a.h5");
    REQUIRE(test.waited.opens.size() == 2);
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf({"one", "old"}));
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf({"one", "new"}));
    test.waitUntilMatched();
    CHECK(test.document.selectedTensor()->name == "new");
    CHECK(test.document.workbench().compared.pairs ==
          std::map<std::string, std::string>{{"/new", "/old"}});
    CHECK(test.comparison.pairOfA(1) == 1);
    CHECK(test.document.history().undoText() == "Swap");
    test.document.undo();
    CHECK(test.document.path() == "/somewhere/b.h5");
    CHECK(test.comparison.state() == Comparison::State::None);
}

TEST_CASE("a dump may be closed while a tensor of it is read and pairs wait for that")
{
    ComparedDocument test;
    test.open({"one", "two"}, {"one", "two"});
    test.document.select(0);
    CHECK(test.document.questions().reader().isReading());
    test.answerPair(0.0);
    CHECK(test.background.comparisons.empty());  // the next pair waits
    test.document.open("/somewhere/c.h5");
    CHECK(test.background.comparisons.empty());
    CHECK(test.comparison.state() == Comparison::State::None);
}

TEST_CASE("each of two swapped dumps keeps what was decided on it, and its steps")
{
    ComparedDocument test;
    const auto swap = [&test] {
        swapDumps(test.comparison, test.dumps);
        for (int opened = 0; opened < 2; ++opened)
            FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf({"one", "two"}));
        test.waitUntilMatched();
    };
    test.open({"one", "two"}, {"one", "two"});
    edits::setPinned(test.document, {0}, true);
    swap();
    CHECK(test.document.path() == "/somewhere/b.h5");
    CHECK(edits::isPinned(test.document, 0));  // new to the window: taken for the same
    edits::setPinned(test.document, {0}, false);
    edits::setPinned(test.document, {1}, true);
    swap();
    CHECK(test.document.path() == "/somewhere/a.h5");
    CHECK(edits::isPinned(test.document, 0));
    CHECK_FALSE(edits::isPinned(test.document, 1));
    CHECK(test.comparison.path() == "/somewhere/b.h5");
    swap();
    CHECK_FALSE(edits::isPinned(test.document, 0));
    CHECK(edits::isPinned(test.document, 1));
    test.document.undo();
    CHECK_FALSE(edits::isPinned(test.document, 1));
    CHECK(test.comparison.path() == "/somewhere/a.h5");
    CHECK(test.dumps.count() == 2);
}

TEST_CASE("the pair is read while somebody looks at it")
{
    ComparedDocument test;
    test.open({"one", "two"}, {"two", "three"}, {"three"});
    test.document.select(1);
    test.waited.views.clear();
    CHECK(test.comparison.lookedAtB() == 0);
    CHECK(test.comparison.looked().state() == PairReader::State::Idle);
    test.comparison.setLooking(true);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.index == 1);
    test.comparison.lookAtB(1);
    CHECK(test.comparison.lookedAtA() == -1);
    CHECK(test.comparison.lookedAtB() == 1);
    test.document.select(0);
    CHECK(test.comparison.lookedAtA() == 0);
    CHECK(test.comparison.lookedAtB() == -1);
    test.comparison.setLooking(false);
    CHECK(test.comparison.looked().state() == PairReader::State::Idle);
}

TEST_CASE("twenty thousand tensors are matched beside the window")
{
    ComparedDocument test;
    std::vector<std::string> names;
    for (int tensor = 0; tensor < 20000; ++tensor)
        names.push_back("layer" + std::to_string(tensor) + ".out");
    test.document.open("/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf(names));
    compareWith(test.document, "/somewhere/b.h5");
    FakeEngine::answer(test.waited.opens, ComparedDocument::dumpOf(names));
    CHECK(test.comparison.state() == Comparison::State::Matching);  // not here and now
    REQUIRE(QTest::qWaitFor([&] { return test.comparison.state() == Comparison::State::Ready; },
                            20000));
    CHECK(test.comparison.matches().pairs.size() == 20000);
    CHECK(test.background.comparisons.size() == 1);
}

}  // namespace document_comparison_test
