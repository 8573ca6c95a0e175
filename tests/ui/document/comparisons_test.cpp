// Candidates on all tensors, and one candidate turned into another.
#include "tests/support/view_samples.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// A dump whose previews were taken: nothing else is at work in the background.
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
    std::size_t column(const std::string& label) const
    {
        const std::vector<std::string>& columns = session.matrix().columns();
        const auto found = std::ranges::find(columns, label);
        REQUIRE(found != columns.end());
        return static_cast<std::size_t>(found - columns.begin());
    }
    bool has(int tensor, const std::string& label) const
    {
        const MatrixRow* row = session.matrix().row(tensor);
        return row && row->cell(column(label));
    }
};

}  // namespace

TEST_CASE("the matrix is of all candidates on all readable tensors, by the background engine")
{
    QuietSession test;
    test.session.startMatrix(false);
    CHECK_FALSE(test.session.isSettled());
    REQUIRE(test.background.views.size() == 1);
    const protocol::ViewRequest& request = test.background.views.front().request;
    CHECK_FALSE(request.curves);
    CHECK(request.histograms.empty());
    CHECK(request.choices.size() > standardCandidates);
    test.answerMatrix();
    CHECK(test.session.matrix().done() == 3);
    CHECK(test.has(weight, "min-max"));
    CHECK(test.has(b, "fixed 1"));
    CHECK_FALSE(test.session.matrix().row(odd));
    CHECK(test.session.isSettled());
}

TEST_CASE("the matrix may be of the ticked candidates alone, and leaves excluded tensors out")
{
    QuietSession test;
    test.session.setExcluded({weight}, true);
    test.session.startMatrix(true);
    test.answerMatrix();
    CHECK(test.has(a, "min-max"));
    CHECK(std::ranges::find(test.session.matrix().columns(), "fixed 1") ==
          test.session.matrix().columns().end());
    CHECK_FALSE(test.session.matrix().row(weight));
}

TEST_CASE("a changed parameter empties its column, an undo does so again, nothing else")
{
    QuietSession test;
    test.session.startMatrix(false);
    test.answerMatrix();
    test.session.editChoice("percentile 99.999", choiceOf("percentile", {{"alpha", "99"}}));
    CHECK_FALSE(test.has(b, "percentile 99.999"));
    CHECK(test.has(b, "entropy"));
    test.session.startMatrix(false);
    REQUIRE(test.background.views.size() == 1);
    CHECK(test.background.views.front().request.choices.size() == 1);
    test.answerMatrix();
    CHECK(test.has(b, "percentile 99.999"));
    test.session.undo();
    CHECK_FALSE(test.has(b, "percentile 99.999"));
    CHECK(test.has(b, "entropy"));
}

TEST_CASE("an added candidate is a further column until it is removed")
{
    QuietSession test;
    const std::string label = test.session.addChoice(choiceOf("percentile", {{"alpha", "99.5"}}));
    test.session.startMatrix(false);
    test.answerMatrix();
    CHECK(test.has(b, label));
    test.session.removeAdded(label);
    CHECK(std::ranges::find(test.session.matrix().columns(), label) ==
          test.session.matrix().columns().end());
}

TEST_CASE("a range by hand is a column, of its tensors alone")
{
    QuietSession test;
    test.session.setManualRange(2.0, true);
    test.session.startMatrix(false);
    test.answerMatrix();
    CHECK(test.has(a, manualLabel));
    CHECK_FALSE(test.has(b, manualLabel));
}

TEST_CASE("what is understood anew or opened anew is computed anew")
{
    QuietSession test;
    test.session.startMatrix(false);
    test.answerMatrix();
    test.session.understand({b}, {.channelAxis = 1});
    CHECK_FALSE(test.session.matrix().row(b));
    CHECK(test.session.matrix().row(a));
    test.session.open("/somewhere/else.h5");
    CHECK_FALSE(test.session.matrix().row(a));
    CHECK(test.session.matrix().columns().empty());
}

TEST_CASE("the matrix waits for what the user waits for")
{
    QuietSession test;
    test.session.startMatrix(false);
    test.session.select(b);
    FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    CHECK(test.background.views.empty());
    test.answerView();
    CHECK(test.background.views.size() == 1);
}

TEST_CASE("two candidates are explained by the engine that is waited for, and forgotten elsewhere")
{
    QuietSession test;
    const QSignalSpy changes(&test.session, &Session::explanationChanged);
    test.session.explain("min-max", "percentile 99.999");
    REQUIRE(test.waited.views.size() == 1);
    CHECK_FALSE(test.session.isSettled());
    CHECK(test.waited.views.front().request.choices.front().calibrator == "min-max");
    CHECK(test.waited.views.front().request.tensor.index == a);
    test.answerView();
    CHECK(test.session.explanation().state() == ExplainReader::State::Ready);
    CHECK(changes.count() == 2);
    test.session.select(b);
    CHECK(test.session.explanation().state() == ExplainReader::State::Idle);
    test.session.explain("min-max", "none such");
    CHECK(test.session.explanation().state() == ExplainReader::State::Idle);
}
