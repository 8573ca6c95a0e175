#include "ui/document/questions.h"

#include "tests/support/edited_session.h"
#include "tests/support/view_samples.h"
#include "ui/document/edits.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// A dump that was glanced at: nothing else is at work in the background.
struct QuietSession : TestedSession
{
    QuietSession()
    {
        openDump();
        answerView();
        while (!background.previews.empty())
            FakeEngine::answer(background.previews, protocol::Preview{});
    }
    void answerMatrix()
    {
        while (!background.views.empty())
            FakeEngine::answer(background.views, viewFor(background.views.front().request));
    }
    std::size_t column(const std::string& id) const
    {
        const std::vector<CandidateName>& columns = session.questions().matrix().columns();
        const auto found = std::ranges::find(columns, id, &CandidateName::id);
        REQUIRE(found != columns.end());
        return static_cast<std::size_t>(found - columns.begin());
    }
    bool has(int tensor, const std::string& id) const
    {
        const MatrixRow* row = session.questions().matrix().row(tensor);
        return row && row->cell(column(id));
    }
};

}  // namespace

TEST_CASE("the matrix is of all candidates on all readable tensors, by the background engine")
{
    QuietSession test;
    test.session.questions().startMatrix(false);
    CHECK_FALSE(test.session.isIdle());
    REQUIRE(test.background.views.size() == 1);
    const protocol::ViewRequest& request = test.background.views.front().request;
    CHECK_FALSE(request.curves);
    CHECK(request.histograms.empty());
    CHECK(request.choices.size() > standardCandidates);
    test.answerMatrix();
    CHECK(test.session.questions().matrix().done() == 3);
    CHECK(test.has(weight, "min-max"));
    CHECK(test.has(b, "fixed"));
    CHECK_FALSE(test.session.questions().matrix().row(odd));
    CHECK(test.session.isIdle());
}

TEST_CASE("the matrix may be of the ticked candidates alone, and leaves excluded tensors out")
{
    QuietSession test;
    edits::setExcluded(test.session, {weight}, true);
    test.session.questions().startMatrix(true);
    test.answerMatrix();
    CHECK(test.has(a, "min-max"));
    CHECK(std::ranges::find(test.session.questions().matrix().columns(), "fixed",
                            &CandidateName::id) ==
          test.session.questions().matrix().columns().end());
    CHECK_FALSE(test.session.questions().matrix().row(weight));
}

TEST_CASE("a changed parameter empties its column, an undo does so again, nothing else")
{
    QuietSession test;
    test.session.questions().startMatrix(false);
    test.answerMatrix();
    edits::editChoice(test.session, "percentile", choiceOf("percentile", {{"alpha", "99"}}));
    CHECK_FALSE(test.has(b, "percentile"));
    CHECK(test.has(b, "entropy"));
    test.session.questions().startMatrix(false);
    REQUIRE(test.background.views.size() == 1);
    CHECK(test.background.views.front().request.choices.size() == 1);
    test.answerMatrix();
    CHECK(test.has(b, "percentile"));
    test.session.undo();
    CHECK_FALSE(test.has(b, "percentile"));
    CHECK(test.has(b, "entropy"));
}

TEST_CASE("an added candidate is a further column until it is removed")
{
    QuietSession test;
    const std::string added =
        edits::addChoice(test.session, choiceOf("percentile", {{"alpha", "99.5"}}));
    test.session.questions().startMatrix(false);
    test.answerMatrix();
    CHECK(test.has(b, added));
    edits::removeAdded(test.session, added);
    CHECK(
        std::ranges::find(test.session.questions().matrix().columns(), added, &CandidateName::id) ==
        test.session.questions().matrix().columns().end());
}

TEST_CASE("a range by hand is a column, of its tensors alone")
{
    QuietSession test;
    edits::setManualRange(test.session, 2.0, true);
    test.session.questions().startMatrix(false);
    test.answerMatrix();
    CHECK(test.has(a, manualId));
    CHECK_FALSE(test.has(b, manualId));
}

TEST_CASE("what is understood anew or opened anew is computed anew")
{
    QuietSession test;
    test.session.questions().startMatrix(false);
    test.answerMatrix();
    edits::understand(test.session, {b}, {.channelAxis = 1});
    CHECK_FALSE(test.session.questions().matrix().row(b));
    CHECK(test.session.questions().matrix().row(a));
    test.session.open("/somewhere/else.h5");
    CHECK_FALSE(test.session.questions().matrix().row(a));
    CHECK(test.session.questions().matrix().columns().empty());
}

TEST_CASE("the matrix waits for what the user waits for")
{
    QuietSession test;
    test.session.questions().startMatrix(false);
    test.session.select(b);
    FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    CHECK(test.background.views.empty());
    test.answerView();
    CHECK(test.background.views.size() == 1);
}

TEST_CASE("two candidates are explained by the engine that is waited for, and forgotten elsewhere")
{
    QuietSession test;
    const QSignalSpy changes(&test.session.questions(), &Questions::explanationChanged);
    test.session.questions().explain("min-max", "percentile");
    REQUIRE(test.waited.views.size() == 1);
    CHECK_FALSE(test.session.isIdle());
    CHECK(test.waited.views.front().request.choices.front().calibrator == "min-max");
    CHECK(test.waited.views.front().request.tensor.index == a);
    test.answerView();
    CHECK(test.session.questions().explanation().state() == ExplainReader::State::Ready);
    CHECK(changes.count() == 2);
    test.session.select(b);
    CHECK(test.session.questions().explanation().state() == ExplainReader::State::Idle);
    test.session.questions().explain("min-max", "none such");
    CHECK(test.session.questions().explanation().state() == ExplainReader::State::Idle);
}

TEST_CASE("one channel and the first batches are views of their own")
{
    EditedSession test;
    const QSignalSpy changes(&test.session.questions(), &Questions::partChanged);
    test.session.questions().chooseChannel(2);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2);
    CHECK(test.session.questions().reader().formerView());  // something to look at while it is read
    test.answerEstimably();
    CHECK_FALSE(test.session.questions().reader().formerView());
    test.session.questions().showBatches(0);
    CHECK(test.waited.views.front().request.tensor.part.batches == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2);
    test.answerEstimably();
    test.session.questions().chooseChannel(std::nullopt);
    test.answerEstimably();
    test.session.questions().showBatches(std::nullopt);
    CHECK(test.waited.views.empty());  // the whole was kept
    CHECK(test.session.questions().reader().view());
    CHECK(changes.count() == 4);
    CHECK_FALSE(test.session.history().canUndo());  // it is looking, not deciding
}

TEST_CASE("a scrubber that is dragged shows what can be read, and ends where it was left")
{
    EditedSession test;
    for (std::uint64_t batches = 1; batches <= 6; ++batches)
        test.session.questions().showBatches(batches);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.batches == 1);
    CHECK(test.waited.cancelled.empty());
    test.answerEstimably();
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.batches == 6);
    CHECK(test.session.questions().reader().formerView());
    test.answerEstimably();
    CHECK(test.session.questions().reader().view());
    CHECK(test.waited.views.empty());
    test.session.questions().showBatches(2);
    FakeEngine::fail(test.waited.views, "the engine ended");
    CHECK(test.session.questions().reader().state() == ViewReader::State::Failed);
    CHECK(test.waited.views.empty());  // the same would fail again
}

TEST_CASE("another tensor is shown whole")
{
    EditedSession test;
    test.session.questions().showBatches(3);
    test.session.select(b);
    CHECK(test.session.questions().part().isWhole());
    CHECK(test.waited.views.back().request.tensor.part.isWhole());
}

TEST_CASE("strips are asked for the selected tensor")
{
    EditedSession test;
    const QSignalSpy changes(&test.session.questions(), &Questions::stripChanged);
    const StripQuestion question{.rows = protocol::StripRows::Batch};
    test.session.questions().requestStrip(question);
    CHECK(test.session.questions().strip(question).isPending);
    REQUIRE(test.waited.strips.size() == 1);
    CHECK(test.waited.strips.front().request.tensor.index == a);
    FakeEngine::answer(test.waited.strips, protocol::Strip{.rows = 8});
    REQUIRE(test.session.questions().strip(question).strip);
    CHECK(test.session.questions().strip(question).strip->rows == 8);
    CHECK(changes.count() == 2);
    test.session.select(b);
    CHECK_FALSE(test.session.questions().strip(question).strip);
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
    CHECK_FALSE(test.session.navigation().canGoBack());
    test.session.goForward();
    CHECK(test.session.selected() == a);
    CHECK(test.session.navigation().canGoForward());
    CHECK_FALSE(test.session.history().canUndo());
}
