// What the user changes in the list of candidates, and what the session then asks and shows.
#include "tests/support/edited_session.h"

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
    const QSignalSpy changes(&test.session, &Session::outcomesChanged);
    test.session.setManualRange(2.5, false);
    CHECK(changes.count() == 1);
    CHECK(test.session.manualRange() == Range{-2.5, 2.5});
    CHECK(test.row(manualLabel).isPending);
    CHECK(test.session.manualScheme() == "percentile 99.999");
    test.waitForResult(manualLabel);
    CHECK(test.row(manualLabel).isEstimate);
    CHECK(test.row(manualLabel).outcome->whole.clip.threshold == 2.5);
    test.waitForQuestion();
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.choices.size() == 1);
    test.answerView();
    CHECK_FALSE(test.row(manualLabel).isEstimate);
    CHECK(test.row(manualLabel).outcome->whole.metric("sqnr_db") == 10.0);
    CHECK(test.row("min-max").hasResult());  // the others stayed
    test.session.clearManualRange();
    CHECK_FALSE(test.hasRow(manualLabel));
    CHECK_FALSE(test.session.manualRange());
}

TEST_CASE("a drag is one step, the next drag another")
{
    EditedSession test;
    for (const double threshold : {1.0, 1.5, 2.0})
        test.session.setManualRange(threshold, threshold == 2.0);
    for (const double threshold : {2.5, 3.0})
        test.session.setManualRange(threshold, threshold == 3.0);
    test.session.undo();
    CHECK(test.session.manualRange() == Range{-2.0, 2.0});
    test.session.undo();
    CHECK_FALSE(test.session.manualRange());
    test.session.redo();
    CHECK(test.session.manualRange() == Range{-2.0, 2.0});
}

TEST_CASE("while a drag goes on the row shows what was known last")
{
    EditedSession test;
    test.session.setManualRange(2.0, false);
    test.waitForResult(manualLabel);
    test.session.setManualRange(2.25, false);
    CHECK(test.row(manualLabel).isPending);
    REQUIRE(test.row(manualLabel).outcome);
    CHECK(test.row(manualLabel).outcome->whole.clip.threshold == 2.0);
    REQUIRE(QTest::qWaitFor(
        [&] { return test.row(manualLabel).outcome->whole.clip.threshold == 2.25; }));
}

TEST_CASE("under a symmetric scheme both ends by hand go together, under an "
          "affine one not")
{
    EditedSession test;
    test.session.setManualRange(Range{-1.0, 3.0}, true);
    CHECK(test.session.manualRange() == Range{-3.0, 3.0});
    const std::string affine =
        test.session.addChoice(makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Tensor));
    test.session.setManualScheme(affine);
    test.session.setManualRange(Range{-1.0, 3.0}, true);
    CHECK(test.session.manualRange() == Range{-1.0, 3.0});
    CHECK(test.row(manualLabel).candidate.choice.scheme.isAffine());
}

TEST_CASE("a range by hand stays with its tensor, and comes with its view")
{
    EditedSession test;
    test.session.setManualRange(2.5, true);
    test.session.select(b);
    CHECK_FALSE(test.session.manualRange());
    CHECK_FALSE(test.hasRow(manualLabel));
    test.answerEstimably();
    test.session.setManualRange(1.5, true);
    test.session.undo();
    test.session.undo();  // of the other tensor: there it is to be seen
    CHECK(test.session.selected() == a);
    CHECK_FALSE(test.session.manualRange());
}

TEST_CASE("a changed candidate is estimated and asked for alone, on the next "
          "tensor with the rest")
{
    EditedSession test;
    const std::string label = "percentile 99.999";
    test.session.editChoice(label, alpha("99.9"));
    CHECK(test.row(label).isEdited);
    CHECK(test.row(label).isPending);
    test.waitForQuestion();
    REQUIRE(test.waited.views.size() == 1);
    REQUIRE(test.waited.views.front().request.choices.size() == 1);
    CHECK(test.waited.views.front().request.choices.front().settings.text("alpha") == "99.9");
    test.answerView();
    CHECK_FALSE(test.row(label).isPending);
    CHECK(test.row(label).hasResult());

    test.session.select(b);
    const protocol::ViewRequest& next = test.waited.views.front().request;
    CHECK(std::ranges::any_of(next.choices, [](const Choice& choice) {
        return choice.isSameComputation(alpha("99.9"));
    }));
    test.answerEstimably();
    CHECK(test.row(label).hasResult());
    REQUIRE(QTest::qWaitFor([&] { return !test.row(label).isPending; }));
    CHECK(test.waited.views.empty());

    test.session.resetChoice(label);
    CHECK_FALSE(test.row(label).isEdited);
}

TEST_CASE("the steps of a slider are one step of the history, undone without "
          "asking again")
{
    EditedSession test;
    const std::string label = "percentile 99.999";
    const double before = *test.row(label).outcome->whole.metric("sqnr_db");
    for (const char* value : {"99.9", "99.8", "99.7"})
        test.session.editChoice(label, alpha(value), "alpha");
    test.session.endMerge();
    CHECK(test.row(label).candidate.choice.settings.text("alpha") == "99.7");
    test.session.undo();
    CHECK_FALSE(test.row(label).isEdited);
    CHECK(test.row(label).outcome->whole.metric("sqnr_db") == before);
    CHECK_FALSE(test.row(label).isPending);
    CHECK_FALSE(test.session.canUndo());
}

TEST_CASE("an added candidate is there on every tensor until it is removed")
{
    EditedSession test;
    const std::string label = test.session.addChoice(alpha("99.5"));
    CHECK(label == "percentile 99.5");
    CHECK(test.row(label).origin == OutcomeRow::Origin::Added);
    CHECK(test.row(label).isTicked);
    test.session.select(b);
    CHECK(test.hasRow(label));
    test.session.setBaseline(label);
    test.session.removeAdded(label);
    CHECK_FALSE(test.hasRow(label));
    CHECK(test.session.workbench().baseline.empty());
    test.session.undo();
    CHECK(test.hasRow(label));
    CHECK(test.session.workbench().baseline == label);
}

TEST_CASE("adding what is there already ticks it")
{
    EditedSession test;
    const std::size_t before = test.session.outcomeRows().size();
    test.session.setTicked("fixed 1", false);
    CHECK(test.session.addChoice(test.row("fixed 1").candidate.choice) == "fixed 1");
    CHECK(test.row("fixed 1").isTicked);
    CHECK(test.session.outcomeRows().size() == before);
}

TEST_CASE("two added candidates of the same name are told apart")
{
    EditedSession test;
    const auto affine = [](const char* value) {
        return makeChoice("percentile", {{"alpha", value}}, SchemeKind::Affine,
                          Granularity::Tensor);
    };
    CHECK(test.session.addChoice(alpha("99.5")) == "percentile 99.5");
    CHECK(test.session.addChoice(affine("99.5")) == "percentile 99.5 (2)");
}

TEST_CASE("the exact number of the list is the chosen recipe's own, however it "
          "was changed")
{
    EditedSession test;
    test.session.editChoice("percentile 99.999", alpha("90"));
    test.waitForQuestion();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 50.0});
    REQUIRE(test.session.preview(a));
    CHECK(test.session.preview(a)->sqnrDb == 11.0);
}
