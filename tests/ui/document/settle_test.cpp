#include "ui/document/settle.h"

#include "tests/support/tested_session.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// Label of the first candidate of every activation.
std::string firstLabel(const Session& session)
{
    return session.rowsOfTensor(a).front().candidate.id;
}

}  // namespace

TEST_CASE("a tensor is settled on what the candidate computes, and undo takes it back")
{
    TestedSession test;
    test.openDump();
    const std::string label = firstLabel(test.session);
    CHECK(settle(test.session, {a}, label, "best").settled == 1);
    const Decision* decision = decisionOf(test.session, a);
    REQUIRE(decision);
    CHECK(decision->label == label);
    CHECK(decision->remark == "best");
    CHECK(decision->choice.isSameComputation(test.row(label).candidate.choice));
    CHECK(test.row(label).isSettled);
    CHECK_FALSE(decisionOf(test.session, b));
    test.session.undo();
    CHECK_FALSE(decisionOf(test.session, a));
    CHECK_FALSE(test.row(label).isSettled);
    test.session.redo();
    CHECK(decisionOf(test.session, a));
}

TEST_CASE("a threshold by hand is settled on where there is one, the other tensors are passed by")
{
    TestedSession test;
    test.openDump();
    test.session.setManualRange(0.5, true);
    const Settled count = settle(test.session, {a, b, odd}, manualId);
    CHECK(count.settled == 1);
    CHECK(count.passedBy == 2);
    CHECK(decisionOf(test.session, a)->choice.settings.number("threshold") == 0.5);
    CHECK(settledCount(test.session) == 1);
    CHECK(settleableCount(test.session) == 3);
    CHECK(unsettledTensors(test.session) == std::vector{weight, b});
}

TEST_CASE("what is changed on a card afterwards is not what was settled on")
{
    TestedSession test;
    test.openDump();
    const std::string label = "percentile";
    (void)settle(test.session, {a}, label);
    Choice other = test.row(label).candidate.choice;
    other.scheme.bits = 4;
    test.session.editChoice(label, other);
    CHECK_FALSE(test.row(label).isSettled);
    CHECK(decisionOf(test.session, a)->choice.scheme.bits == 8);
    (void)settle(test.session, {a}, label);
    CHECK(test.row(label).isSettled);
    CHECK(decisionOf(test.session, a)->choice.scheme.bits == 4);
}

TEST_CASE("by recipe every tensor is settled on the recipe's own choice, in one step")
{
    TestedSession test;
    test.openDump();
    const Settled count = settleByRecipe(test.session, {weight, odd, a, b}, "first draft");
    CHECK(count.settled == 3);
    CHECK(count.passedBy == 1);
    for (const int tensor : {weight, a, b}) {
        const Decision* decision = decisionOf(test.session, tensor);
        REQUIRE(decision);
        CHECK(decision->choice.recipe == test.session.chosenRecipe().id);
        CHECK(decision->choice.isSameComputation(*test.session.recipesChoice(tensor)));
        CHECK(decision->remark == "first draft");
    }
    CHECK(unsettledTensors(test.session).empty());
    test.session.undo();
    CHECK(settledCount(test.session) == 0);
}

TEST_CASE("a remark stays when the tensor is settled anew, and its letters are one step")
{
    TestedSession test;
    test.openDump();
    (void)settle(test.session, {a}, firstLabel(test.session));
    for (const char* typed : {"o", "ok"})
        setRemark(test.session, a, typed);
    setRemark(test.session, b, "is not settled");
    (void)settle(test.session, {a}, "percentile");
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
    (void)settle(test.session, {a, b}, firstLabel(test.session));
    unsettle(test.session, {a});
    CHECK_FALSE(decisionOf(test.session, a));
    CHECK(decisionOf(test.session, b));
}
