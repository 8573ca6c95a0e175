#include "ui/document/edits.h"

#include "tests/support/edited_session.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

using namespace calibscope;
using namespace calibscope::test;

namespace {

Choice alpha(const char* alpha)
{
    return choiceOf("percentile", {{"alpha", alpha}});
}

}  // namespace

TEST_CASE("a threshold set by hand is a row with an estimate, then with the "
          "engine's numbers")
{
    EditedSession test;
    const QSignalSpy changes(&test.session.questions(), &Questions::outcomesChanged);
    edits::setManualRange(test.session, 2.5, false);
    CHECK(changes.count() == 1);
    CHECK(edits::manualRange(test.session) == Range{-2.5, 2.5});
    CHECK(test.row(manualId).isPending);
    CHECK(edits::manualScheme(test.session) == "percentile");
    test.waitForResult(manualId);
    CHECK(test.row(manualId).isEstimate);
    CHECK(test.row(manualId).outcome->whole.clip.threshold == 2.5);
    test.waitForQuestion();
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.choices.size() == 1);
    test.answerView();
    CHECK_FALSE(test.row(manualId).isEstimate);
    CHECK(test.row(manualId).outcome->whole.metric("sqnr_db") == 10.0);
    CHECK(test.row("min-max").hasResult());  // the others stayed
    edits::clearManualRange(test.session);
    CHECK_FALSE(test.hasRow(manualId));
    CHECK_FALSE(edits::manualRange(test.session));
}

TEST_CASE("a drag is one step, the next drag another")
{
    EditedSession test;
    for (const double threshold : {1.0, 1.5, 2.0})
        edits::setManualRange(test.session, threshold, threshold == 2.0);
    for (const double threshold : {2.5, 3.0})
        edits::setManualRange(test.session, threshold, threshold == 3.0);
    test.session.undo();
    CHECK(edits::manualRange(test.session) == Range{-2.0, 2.0});
    test.session.undo();
    CHECK_FALSE(edits::manualRange(test.session));
    test.session.redo();
    CHECK(edits::manualRange(test.session) == Range{-2.0, 2.0});
}

TEST_CASE("while a drag goes on the row shows what was known last")
{
    EditedSession test;
    edits::setManualRange(test.session, 2.0, false);
    test.waitForResult(manualId);
    edits::setManualRange(test.session, 2.25, false);
    CHECK(test.row(manualId).isPending);
    REQUIRE(test.row(manualId).outcome);
    CHECK(test.row(manualId).outcome->whole.clip.threshold == 2.0);
    REQUIRE(
        QTest::qWaitFor([&] { return test.row(manualId).outcome->whole.clip.threshold == 2.25; }));
}

TEST_CASE("under a symmetric scheme both ends by hand go together, under an "
          "affine one not")
{
    EditedSession test;
    edits::setManualRange(test.session, Range{-1.0, 3.0}, true);
    CHECK(edits::manualRange(test.session) == Range{-3.0, 3.0});
    const std::string affine = edits::addChoice(
        test.session, makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Tensor));
    edits::setManualScheme(test.session, affine);
    edits::setManualRange(test.session, Range{-1.0, 3.0}, true);
    CHECK(edits::manualRange(test.session) == Range{-1.0, 3.0});
    CHECK(test.row(manualId).candidate.choice.scheme.isAffine());
}

TEST_CASE("a range by hand stays with its tensor, and comes with its view")
{
    EditedSession test;
    edits::setManualRange(test.session, 2.5, true);
    test.session.select(b);
    CHECK_FALSE(edits::manualRange(test.session));
    CHECK_FALSE(test.hasRow(manualId));
    test.answerEstimably();
    edits::setManualRange(test.session, 1.5, true);
    test.session.undo();
    test.session.undo();  // of the other tensor: there it is to be seen
    CHECK(test.session.selected() == a);
    CHECK_FALSE(edits::manualRange(test.session));
}

TEST_CASE("a changed candidate is estimated and asked for alone, on the next "
          "tensor with the rest")
{
    EditedSession test;
    const std::string candidate = "percentile";
    edits::editChoice(test.session, candidate, alpha("99.9"));
    CHECK(test.row(candidate).isEdited);
    CHECK(test.row(candidate).isPending);
    test.waitForQuestion();
    REQUIRE(test.waited.views.size() == 1);
    REQUIRE(test.waited.views.front().request.choices.size() == 1);
    CHECK(test.waited.views.front().request.choices.front().settings.text("alpha") == "99.9");
    test.answerView();
    CHECK_FALSE(test.row(candidate).isPending);
    CHECK(test.row(candidate).hasResult());

    test.session.select(b);
    const protocol::ViewRequest& next = test.waited.views.front().request;
    CHECK(std::ranges::any_of(next.choices, [](const Choice& choice) {
        return choice.isSameComputation(alpha("99.9"));
    }));
    test.answerEstimably();
    CHECK(test.row(candidate).hasResult());
    REQUIRE(QTest::qWaitFor([&] { return !test.row(candidate).isPending; }));
    CHECK(test.waited.views.empty());

    edits::resetChoice(test.session, candidate);
    CHECK_FALSE(test.row(candidate).isEdited);
}

TEST_CASE("the steps of a slider are one step of the history, undone without "
          "asking again")
{
    EditedSession test;
    const std::string candidate = "percentile";
    const double before = *test.row(candidate).outcome->whole.metric("sqnr_db");
    for (const char* value : {"99.9", "99.8", "99.7"})
        edits::editChoice(test.session, candidate, alpha(value), "alpha");
    test.session.endMerge();
    CHECK(test.row(candidate).candidate.choice.settings.text("alpha") == "99.7");
    test.session.undo();
    CHECK_FALSE(test.row(candidate).isEdited);
    CHECK(test.row(candidate).outcome->whole.metric("sqnr_db") == before);
    CHECK_FALSE(test.row(candidate).isPending);
    CHECK_FALSE(test.session.history().canUndo());
}

TEST_CASE("an added candidate is there on every tensor until it is removed")
{
    EditedSession test;
    const std::string candidate = edits::addChoice(test.session, alpha("99.5"));
    CHECK(candidate == choiceId(alpha("99.5")));
    CHECK(edits::labelOf(test.session, candidate) == "percentile 99.5");
    CHECK(test.row(candidate).origin == OutcomeRow::Origin::Added);
    CHECK(test.row(candidate).isTicked);
    test.session.select(b);
    CHECK(test.hasRow(candidate));
    edits::setBaseline(test.session, candidate);
    edits::removeAdded(test.session, candidate);
    CHECK_FALSE(test.hasRow(candidate));
    CHECK(test.session.workbench().baseline.empty());
    test.session.undo();
    CHECK(test.hasRow(candidate));
    CHECK(test.session.workbench().baseline == candidate);
}

TEST_CASE("adding what is there already ticks it")
{
    EditedSession test;
    const std::size_t before = test.session.questions().rows().size();
    edits::setTicked(test.session, "fixed", false);
    CHECK(edits::addChoice(test.session, test.row("fixed").candidate.choice) == "fixed");
    CHECK(test.row("fixed").isTicked);
    CHECK(test.session.questions().rows().size() == before);
}

TEST_CASE("two added candidates of the same name are told apart")
{
    EditedSession test;
    const auto affine = [](const char* value) {
        return makeChoice("percentile", {{"alpha", value}}, SchemeKind::Affine,
                          Granularity::Tensor);
    };
    const std::string first = edits::addChoice(test.session, alpha("99.5"));
    const std::string second = edits::addChoice(test.session, affine("99.5"));
    CHECK(first != second);
    CHECK(test.row(first).candidate.label == "percentile 99.5");
    CHECK(test.row(second).candidate.label == "percentile 99.5 (2)");
}

TEST_CASE("the exact number of the list is the chosen recipe's own, however it "
          "was changed")
{
    EditedSession test;
    edits::editChoice(test.session, "percentile", alpha("90"));
    test.waitForQuestion();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 50.0});
    REQUIRE(test.session.previews().of(a));
    CHECK(test.session.previews().of(a)->sqnrDb == 11.0);
}
