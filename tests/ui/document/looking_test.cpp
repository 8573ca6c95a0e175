// Which tensor and which part of it the user looks at.
#include "tests/support/edited_session.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("one channel and the first batches are views of their own")
{
    EditedSession test;
    const QSignalSpy changes(&test.session, &Session::partChanged);
    test.session.chooseChannel(2);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2);
    CHECK(test.session.reader().formerView());  // something to look at while it is read
    test.answerEstimably();
    CHECK_FALSE(test.session.reader().formerView());
    test.session.showBatches(0);
    CHECK(test.waited.views.front().request.tensor.part.batches == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2);
    test.answerEstimably();
    test.session.chooseChannel(std::nullopt);
    test.answerEstimably();
    test.session.showBatches(std::nullopt);
    CHECK(test.waited.views.empty());  // the whole was kept
    CHECK(test.session.reader().view());
    CHECK(changes.count() == 4);
    CHECK_FALSE(test.session.canUndo());  // it is looking, not deciding
}

TEST_CASE("a scrubber that is dragged shows what can be read, and ends where it was left")
{
    EditedSession test;
    for (std::uint64_t batches = 1; batches <= 6; ++batches)
        test.session.showBatches(batches);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.batches == 1);
    CHECK(test.waited.cancelled.empty());
    test.answerEstimably();
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.batches == 6);
    CHECK(test.session.reader().formerView());
    test.answerEstimably();
    CHECK(test.session.reader().view());
    CHECK(test.waited.views.empty());
    test.session.showBatches(2);
    FakeEngine::fail(test.waited.views, "the engine ended");
    CHECK(test.session.reader().state() == ViewReader::State::Failed);
    CHECK(test.waited.views.empty());  // the same would fail again
}

TEST_CASE("another tensor is shown whole")
{
    EditedSession test;
    test.session.showBatches(3);
    test.session.select(b);
    CHECK(test.session.part().isWhole());
    CHECK(test.waited.views.back().request.tensor.part.isWhole());
}

TEST_CASE("strips are asked for the selected tensor")
{
    EditedSession test;
    const QSignalSpy changes(&test.session, &Session::stripChanged);
    const StripQuestion question{.rows = protocol::StripRows::Batch};
    test.session.requestStrip(question);
    CHECK(test.session.strip(question).isPending);
    REQUIRE(test.waited.strips.size() == 1);
    CHECK(test.waited.strips.front().request.tensor.index == a);
    FakeEngine::answer(test.waited.strips, protocol::Strip{.rows = 8});
    REQUIRE(test.session.strip(question).strip);
    CHECK(test.session.strip(question).strip->rows == 8);
    CHECK(changes.count() == 2);
    test.session.select(b);
    CHECK_FALSE(test.session.strip(question).strip);
}

TEST_CASE("back and forward lead through the tensors that were selected")
{
    EditedSession test;
    test.session.select(b);
    test.session.select(weight);
    test.session.goBack();
    CHECK(test.session.selected() == b);
    test.session.goBack();
    CHECK(test.session.selected() == a);
    test.session.goBack();
    CHECK(test.session.selected() == -1);  // the dump as a whole came first
    CHECK_FALSE(test.session.canGoBack());
    test.session.goForward();
    CHECK(test.session.selected() == a);
    CHECK(test.session.canGoForward());
    CHECK_FALSE(test.session.canUndo());
}
