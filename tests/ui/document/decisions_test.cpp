#include "ui/document/decisions.h"

#include "tests/support/tested_session.h"
#include "ui/document/edits.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// Label of the first candidate of every activation.
std::string firstLabel(const Document& session)
{
    return rowsOf(session, a).front().candidate.id;
}

}  // namespace

TEST_CASE("a tensor is settled on what the candidate computes, and undo takes it back")
{
    TestedSession test;
    test.openDump();
    const std::string label = firstLabel(test.session);
    CHECK(acceptCandidate(test.session, {a}, label, "best").accepted == 1);
    const Decision* decision = decisionOf(test.session, a);
    REQUIRE(decision);
    CHECK(decision->label == label);
    CHECK(decision->remark == "best");
    CHECK(decision->choice.isSameComputation(test.row(label).candidate.choice));
    CHECK(test.row(label).isAccepted);
    CHECK_FALSE(decisionOf(test.session, b));
    test.session.undo();
    CHECK_FALSE(decisionOf(test.session, a));
    CHECK_FALSE(test.row(label).isAccepted);
    test.session.redo();
    CHECK(decisionOf(test.session, a));
}

TEST_CASE("a threshold by hand is settled on where there is one, the other tensors are passed by")
{
    TestedSession test;
    test.openDump();
    edits::setManualRange(test.session, 0.5, true);
    const Accepted count = acceptCandidate(test.session, {a, b, odd}, manualId);
    CHECK(count.accepted == 1);
    CHECK(count.skipped == 2);
    CHECK(decisionOf(test.session, a)->choice.settings.number("threshold") == 0.5);
    CHECK(decidedCount(test.session) == 1);
    CHECK(decidableCount(test.session) == 3);
    CHECK(undecidedTensors(test.session) == std::vector{weight, b});
}

TEST_CASE("what is changed on a card afterwards is not what was settled on")
{
    TestedSession test;
    test.openDump();
    const std::string label = "percentile";
    (void)acceptCandidate(test.session, {a}, label);
    Choice other = test.row(label).candidate.choice;
    other.scheme.bits = 4;
    edits::editChoice(test.session, label, other);
    CHECK_FALSE(test.row(label).isAccepted);
    CHECK(decisionOf(test.session, a)->choice.scheme.bits == 8);
    (void)acceptCandidate(test.session, {a}, label);
    CHECK(test.row(label).isAccepted);
    CHECK(decisionOf(test.session, a)->choice.scheme.bits == 4);
}

TEST_CASE("by recipe every tensor is settled on the recipe's own choice, in one step")
{
    TestedSession test;
    test.openDump();
    const Accepted count = acceptRecipe(test.session, {weight, odd, a, b}, "first draft");
    CHECK(count.accepted == 3);
    CHECK(count.skipped == 1);
    for (const int tensor : {weight, a, b}) {
        const Decision* decision = decisionOf(test.session, tensor);
        REQUIRE(decision);
        CHECK(decision->choice.recipe == test.session.chosenRecipe().id);
        CHECK(decision->choice.isSameComputation(*recipesChoice(test.session, tensor)));
        CHECK(decision->remark == "first draft");
    }
    CHECK(undecidedTensors(test.session).empty());
    test.session.undo();
    CHECK(decidedCount(test.session) == 0);
}

TEST_CASE("a remark stays when the tensor is settled anew, and its letters are one step")
{
    TestedSession test;
    test.openDump();
    (void)acceptCandidate(test.session, {a}, firstLabel(test.session));
    for (const char* typed : {"o", "ok"})
        setRemark(test.session, a, typed);
    setRemark(test.session, b, "is not settled");
    (void)acceptCandidate(test.session, {a}, "percentile");
    CHECK(decisionOf(test.session, a)->remark == "ok");
    CHECK_FALSE(decisionOf(test.session, b));
    test.session.undo();
    test.session.undo();
    CHECK(decisionOf(test.session, a)->remark.empty());
}

TEST_CASE("unsettling leaves the others")
{
    TestedSession test;
    test.openDump();
    (void)acceptCandidate(test.session, {a, b}, firstLabel(test.session));
    clearDecisions(test.session, {a});
    CHECK_FALSE(decisionOf(test.session, a));
    CHECK(decisionOf(test.session, b));
}
