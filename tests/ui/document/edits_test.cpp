// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits.h"

#include "tests/support/edited_document.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

namespace edits_test {

using namespace calibscope;
using namespace calibscope::test;

Choice alpha(const char* alpha)
{
    return choiceOf("percentile", {{"alpha", alpha}});
}

TEST_CASE("a threshold set by hand is a row with an estimate, then with the "
          "engine's numbers")
{
    EditedDocument test;
    ToldChanges told(test.document);
    edits::setManualRange(test.document, 2.5, false);
    REQUIRE(told.all.size() == 2);
    CHECK(told.all.front() ==
          (DocumentChange::Outcomes | DocumentChange::Workbench | DocumentChange::Undoable));
    CHECK(told.all.back() == DocumentChange::Outcomes);  // its card is open
    CHECK(test.row(manualId).isProposed);
    CHECK_FALSE(test.row("percentile").isProposed);
    CHECK(edits::manualRange(test.document) == Range{-2.5, 2.5});
    CHECK(test.row(manualId).isPending);
    CHECK(edits::manualScheme(test.document) == "percentile");
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
    edits::clearManualRange(test.document);
    CHECK_FALSE(test.hasRow(manualId));
    CHECK_FALSE(edits::manualRange(test.document));
}

TEST_CASE("a drag is one step, the next drag another")
{
    EditedDocument test;
    for (const double threshold : {1.0, 1.5, 2.0})
        edits::setManualRange(test.document, threshold, threshold == 2.0);
    for (const double threshold : {2.5, 3.0})
        edits::setManualRange(test.document, threshold, threshold == 3.0);
    test.document.undo();
    CHECK(edits::manualRange(test.document) == Range{-2.0, 2.0});
    test.document.undo();
    CHECK_FALSE(edits::manualRange(test.document));
    test.document.redo();
    CHECK(edits::manualRange(test.document) == Range{-2.0, 2.0});
}

TEST_CASE("while a drag goes on the row shows what was known last")
{
    EditedDocument test;
    edits::setManualRange(test.document, 2.0, false);
    test.waitForResult(manualId);
    edits::setManualRange(test.document, 2.25, false);
    CHECK(test.row(manualId).isPending);
    REQUIRE(test.row(manualId).outcome);
    CHECK(test.row(manualId).outcome->whole.clip.threshold == 2.0);
    REQUIRE(
        QTest::qWaitFor([&] { return test.row(manualId).outcome->whole.clip.threshold == 2.25; }));
}

TEST_CASE("under a symmetric scheme both ends by hand go together, under an "
          "affine one not")
{
    EditedDocument test;
    edits::setManualRange(test.document, Range{-1.0, 3.0}, true);
    CHECK(edits::manualRange(test.document) == Range{-3.0, 3.0});
    const std::string affine = edits::addChoice(
        test.document, makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Tensor));
    edits::setManualScheme(test.document, affine);
    edits::setManualRange(test.document, Range{-1.0, 3.0}, true);
    CHECK(edits::manualRange(test.document) == Range{-1.0, 3.0});
    CHECK(test.row(manualId).candidate.choice.scheme.isAffine());
}

TEST_CASE("a range by hand stays with its tensor, and comes with its view")
{
    EditedDocument test;
    edits::setManualRange(test.document, 2.5, true);
    test.document.select(b);
    CHECK_FALSE(edits::manualRange(test.document));
    CHECK_FALSE(test.hasRow(manualId));
    test.answerEstimably();
    edits::setManualRange(test.document, 1.5, true);
    test.document.undo();
    test.document.undo();  // of the other tensor: there it is to be seen
    CHECK(test.document.selected() == a);
    CHECK_FALSE(edits::manualRange(test.document));
}

TEST_CASE("a changed candidate is estimated and asked for alone, on the next "
          "tensor with the rest")
{
    EditedDocument test;
    const std::string candidate = "percentile";
    edits::editChoice(test.document, candidate, alpha("99.9"));
    CHECK(test.row(candidate).isEdited);
    CHECK(test.row(candidate).isPending);
    test.waitForQuestion();
    REQUIRE(test.waited.views.size() == 1);
    REQUIRE(test.waited.views.front().request.choices.size() == 1);
    CHECK(test.waited.views.front().request.choices.front().settings.text("alpha") == "99.9");
    test.answerView();
    CHECK_FALSE(test.row(candidate).isPending);
    CHECK(test.row(candidate).hasResult());

    test.document.select(b);
    const protocol::ViewRequest& next = test.waited.views.front().request;
    CHECK(std::ranges::any_of(next.choices, [](const Choice& choice) {
        return choice.isSameComputation(alpha("99.9"));
    }));
    test.answerEstimably();
    CHECK(test.row(candidate).hasResult());
    REQUIRE(QTest::qWaitFor([&] { return !test.row(candidate).isPending; }));
    CHECK(test.waited.views.empty());

    edits::resetChoice(test.document, candidate);
    CHECK_FALSE(test.row(candidate).isEdited);
}

TEST_CASE("the steps of a slider are one step of the history, undone without "
          "asking again")
{
    EditedDocument test;
    const std::string candidate = "percentile";
    const double before = *test.row(candidate).outcome->whole.metric("sqnr_db");
    for (const char* value : {"99.9", "99.8", "99.7"})
        edits::editChoice(test.document, candidate, alpha(value), "alpha");
    test.document.endMerge();
    CHECK(test.row(candidate).candidate.choice.settings.text("alpha") == "99.7");
    test.document.undo();
    CHECK_FALSE(test.row(candidate).isEdited);
    CHECK(test.row(candidate).outcome->whole.metric("sqnr_db") == before);
    CHECK_FALSE(test.row(candidate).isPending);
    CHECK_FALSE(test.document.history().canUndo());
}

TEST_CASE("an added candidate is there on every tensor until it is removed")
{
    EditedDocument test;
    const std::string candidate = edits::addChoice(test.document, alpha("99.5"));
    CHECK(candidate == choiceId(alpha("99.5")));
    CHECK(edits::labelOf(test.document, candidate) == "percentile 99.5");
    CHECK(test.row(candidate).origin == OutcomeRow::Origin::Added);
    CHECK(test.row(candidate).isTicked);
    test.document.select(b);
    CHECK(test.hasRow(candidate));
    edits::setBaseline(test.document, candidate);
    edits::removeAdded(test.document, candidate);
    CHECK_FALSE(test.hasRow(candidate));
    CHECK(test.document.workbench().baseline.empty());
    test.document.undo();
    CHECK(test.hasRow(candidate));
    CHECK(test.document.workbench().baseline == candidate);
}

TEST_CASE("adding what is there already ticks it")
{
    EditedDocument test;
    const std::size_t before = test.document.questions().rows().size();
    edits::setTicked(test.document, "fixed", false);
    CHECK(edits::addChoice(test.document, test.row("fixed").candidate.choice) == "fixed");
    CHECK(test.row("fixed").isTicked);
    CHECK(test.document.questions().rows().size() == before);
}

TEST_CASE("two added candidates of the same name are told apart")
{
    EditedDocument test;
    const auto affine = [](const char* value) {
        return makeChoice("percentile", {{"alpha", value}}, SchemeKind::Affine,
                          Granularity::Tensor);
    };
    const std::string first = edits::addChoice(test.document, alpha("99.5"));
    const std::string second = edits::addChoice(test.document, affine("99.5"));
    CHECK(first != second);
    CHECK(test.row(first).candidate.label == "percentile 99.5");
    CHECK(test.row(second).candidate.label == "percentile 99.5 (2)");
}

TEST_CASE("the exact number of the list is the chosen recipe's own, however it "
          "was changed")
{
    EditedDocument test;
    edits::editChoice(test.document, "percentile", alpha("90"));
    test.waitForQuestion();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 50.0});
    REQUIRE(test.document.previews().of(a));
    CHECK(test.document.previews().of(a)->sqnrDb == 11.0);
}

}  // namespace edits_test
