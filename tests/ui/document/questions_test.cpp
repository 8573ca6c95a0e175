// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/questions.h"

#include "tests/support/edited_document.h"
#include "tests/support/view_samples.h"
#include "ui/document/edits.h"

#include <QSignalSpy>

namespace questions_test {

using namespace calibscope;
using namespace calibscope::test;

/// A dump that was glanced at: nothing else is at work in the background.
struct QuietDocument : TestedDocument
{
    QuietDocument()
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
        const std::vector<CandidateName>& columns = document.questions().matrix().columns();
        const auto found = std::ranges::find(columns, id, &CandidateName::id);
        REQUIRE(found != columns.end());
        return static_cast<std::size_t>(found - columns.begin());
    }
    bool has(int tensor, const std::string& id) const
    {
        const MatrixRow* row = document.questions().matrix().row(tensor);
        return row && row->cell(column(id));
    }
};

TEST_CASE("the matrix is of all candidates on all readable tensors, by the background engine")
{
    QuietDocument test;
    test.document.questions().startMatrix(false);
    CHECK_FALSE(test.document.isIdle());
    REQUIRE(test.background.views.size() == 1);
    const protocol::ViewRequest& request = test.background.views.front().request;
    CHECK_FALSE(request.curves);
    CHECK(request.histograms.empty());
    CHECK(request.choices.size() > standardCandidates);
    test.answerMatrix();
    CHECK(test.document.questions().matrix().done() == 3);
    CHECK(test.has(weight, "min-max"));
    CHECK(test.has(b, "fixed"));
    CHECK_FALSE(test.document.questions().matrix().row(odd));
    CHECK(test.document.isIdle());
}

TEST_CASE("the matrix may be of the ticked candidates alone, and leaves excluded tensors out")
{
    QuietDocument test;
    edits::setExcluded(test.document, {weight}, true);
    test.document.questions().startMatrix(true);
    test.answerMatrix();
    CHECK(test.has(a, "min-max"));
    CHECK(std::ranges::find(test.document.questions().matrix().columns(), "fixed",
                            &CandidateName::id) ==
          test.document.questions().matrix().columns().end());
    CHECK_FALSE(test.document.questions().matrix().row(weight));
}

TEST_CASE("a changed parameter empties its column, an undo does so again, nothing else")
{
    QuietDocument test;
    test.document.questions().startMatrix(false);
    test.answerMatrix();
    edits::editChoice(test.document, "percentile", choiceOf("percentile", {{"alpha", "99"}}));
    CHECK_FALSE(test.has(b, "percentile"));
    CHECK(test.has(b, "entropy"));
    test.document.questions().startMatrix(false);
    REQUIRE(test.background.views.size() == 1);
    CHECK(test.background.views.front().request.choices.size() == 1);
    test.answerMatrix();
    CHECK(test.has(b, "percentile"));
    test.document.undo();
    CHECK_FALSE(test.has(b, "percentile"));
    CHECK(test.has(b, "entropy"));
}

TEST_CASE("an added candidate is a further column until it is removed")
{
    QuietDocument test;
    const std::string added =
        edits::addChoice(test.document, choiceOf("percentile", {{"alpha", "99.5"}}));
    test.document.questions().startMatrix(false);
    test.answerMatrix();
    CHECK(test.has(b, added));
    edits::removeAdded(test.document, added);
    CHECK(std::ranges::find(test.document.questions().matrix().columns(), added,
                            &CandidateName::id) ==
          test.document.questions().matrix().columns().end());
}

TEST_CASE("a range by hand is a column, of its tensors alone")
{
    QuietDocument test;
    edits::setManualRange(test.document, 2.0, true);
    test.document.questions().startMatrix(false);
    test.answerMatrix();
    CHECK(test.has(a, manualId));
    CHECK_FALSE(test.has(b, manualId));
}

TEST_CASE("what is understood anew or opened anew is computed anew")
{
    QuietDocument test;
    test.document.questions().startMatrix(false);
    test.answerMatrix();
    edits::understand(test.document, {b}, {.channelAxis = 1});
    CHECK_FALSE(test.document.questions().matrix().row(b));
    CHECK(test.document.questions().matrix().row(a));
    test.document.open("/somewhere/else.h5");
    CHECK_FALSE(test.document.questions().matrix().row(a));
    CHECK(test.document.questions().matrix().columns().empty());
}

TEST_CASE("the matrix waits for what the user waits for")
{
    QuietDocument test;
    test.document.questions().startMatrix(false);
    test.document.select(b);
    FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    CHECK(test.background.views.empty());
    test.answerView();
    CHECK(test.background.views.size() == 1);
}

TEST_CASE("two candidates are explained by the engine that is waited for, and forgotten elsewhere")
{
    QuietDocument test;
    const QSignalSpy changes(&test.document.questions(), &Questions::explanationChanged);
    test.document.questions().explain("min-max", "percentile");
    REQUIRE(test.waited.views.size() == 1);
    CHECK_FALSE(test.document.isIdle());
    CHECK(test.waited.views.front().request.choices.front().calibrator == "min-max");
    CHECK(test.waited.views.front().request.tensor.index == a);
    test.answerView();
    CHECK(test.document.questions().explanation().state() == QueryState::State::Ready);
    CHECK(changes.count() == 2);
    test.document.select(b);
    CHECK(test.document.questions().explanation().state() == QueryState::State::Idle);
    test.document.questions().explain("min-max", "none such");
    CHECK(test.document.questions().explanation().state() == QueryState::State::Idle);
}

TEST_CASE("one channel and the first batches are views of their own")
{
    EditedDocument test;
    const QSignalSpy changes(&test.document.questions(), &Questions::partChanged);
    test.document.questions().chooseChannel(2);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2);
    CHECK(test.document.questions().reader().former());  // something to look at while it is read
    test.answerEstimably();
    CHECK_FALSE(test.document.questions().reader().former());
    test.document.questions().showBatches(0);
    CHECK(test.waited.views.front().request.tensor.part.batches == 1);
    CHECK(test.waited.views.front().request.tensor.part.channel == 2);
    test.answerEstimably();
    test.document.questions().chooseChannel(std::nullopt);
    test.answerEstimably();
    test.document.questions().showBatches(std::nullopt);
    CHECK(test.waited.views.empty());  // the whole was kept
    CHECK(test.document.questions().reader().result());
    CHECK(changes.count() == 4);
    CHECK_FALSE(test.document.history().canUndo());  // it is looking, not deciding
}

TEST_CASE("a scrubber that is dragged shows what can be read, and ends where it was left")
{
    EditedDocument test;
    for (std::uint64_t batches = 1; batches <= 6; ++batches)
        test.document.questions().showBatches(batches);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.batches == 1);
    CHECK(test.waited.cancelled.empty());
    test.answerEstimably();
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.part.batches == 6);
    CHECK(test.document.questions().reader().former());
    test.answerEstimably();
    CHECK(test.document.questions().reader().result());
    CHECK(test.waited.views.empty());
    test.document.questions().showBatches(2);
    FakeEngine::fail(test.waited.views, "the engine ended");
    CHECK(test.document.questions().reader().state() == QueryState::State::Failed);
    CHECK(test.waited.views.empty());  // the same would fail again
}

TEST_CASE("another tensor is shown whole")
{
    EditedDocument test;
    test.document.questions().showBatches(3);
    test.document.select(b);
    CHECK(test.document.questions().part().isWhole());
    CHECK(test.waited.views.back().request.tensor.part.isWhole());
}

TEST_CASE("strips are asked for the selected tensor")
{
    EditedDocument test;
    const QSignalSpy changes(&test.document.questions(), &Questions::stripChanged);
    const protocol::StripRequest question{.rows = protocol::StripRows::Batch};
    test.document.questions().requestStrip(question);
    CHECK(test.document.questions().strip(question).isPending);
    REQUIRE(test.waited.strips.size() == 1);
    CHECK(test.waited.strips.front().request.tensor.index == a);
    FakeEngine::answer(test.waited.strips, protocol::Strip{.rows = 8});
    REQUIRE(test.document.questions().strip(question).result);
    CHECK(test.document.questions().strip(question).result->rows == 8);
    CHECK(changes.count() == 2);
    test.document.select(b);
    CHECK_FALSE(test.document.questions().strip(question).result);
}

TEST_CASE("back and forward lead through the tensors that were selected")
{
    EditedDocument test;
    test.document.select(b);
    test.document.select(weight);
    test.document.goBack();
    CHECK(test.document.selected() == b);
    test.document.goBack();
    CHECK(test.document.selected() == a);
    test.document.goBack();
    CHECK(test.document.selected() == -1);  // the dump as a whole came first
    CHECK_FALSE(test.document.navigation().canGoBack());
    test.document.goForward();
    CHECK(test.document.selected() == a);
    CHECK(test.document.navigation().canGoForward());
    CHECK_FALSE(test.document.history().canUndo());
}

}  // namespace questions_test
