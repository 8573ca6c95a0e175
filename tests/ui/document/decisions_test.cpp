// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/decisions.h"

#include "core/recipes/make_choice.h"
#include "tests/support/listed_tensors.h"
#include "tests/support/tested_document.h"
#include "ui/document/best_gains.h"
#include "ui/document/edits.h"

namespace document_decisions_test {

using namespace calibscope;
using namespace calibscope::test;

/// Label of the first candidate of every activation.
std::string firstLabel(const Document& document)
{
    return rowsOf(document, a).front().candidate.id;
}

TEST_CASE("a tensor is settled on what the candidate computes, and undo takes it back")
{
    TestedDocument test;
    test.openDump();
    const std::string label = firstLabel(test.document);
    CHECK(acceptCandidate(test.document, {a}, label, "best").accepted == 1);
    const Decision* decision = decisionOf(test.document, a);
    REQUIRE(decision);
    CHECK(decision->label == label);
    CHECK(decision->remark == "best");
    CHECK(decision->choice.isSameComputation(test.row(label).candidate.choice));
    CHECK(test.row(label).isAccepted);
    CHECK_FALSE(decisionOf(test.document, b));
    test.document.undo();
    CHECK_FALSE(decisionOf(test.document, a));
    CHECK_FALSE(test.row(label).isAccepted);
    test.document.redo();
    CHECK(decisionOf(test.document, a));
}

TEST_CASE("a threshold by hand is settled on where there is one, the other tensors are passed by")
{
    TestedDocument test;
    test.openDump();
    edits::setManualRange(test.document, 0.5, true);
    const Accepted count = acceptCandidate(test.document, {a, b, odd}, manualId);
    CHECK(count.accepted == 1);
    CHECK(count.skipped == 2);
    CHECK(decisionOf(test.document, a)->choice.settings.number("threshold") == 0.5);
    CHECK(decidedCount(test.document) == 1);
    CHECK(decidableCount(test.document) == 3);
    CHECK(undecidedTensors(test.document) == std::vector{weight, b});
}

TEST_CASE("what is changed on a card afterwards is not what was settled on")
{
    TestedDocument test;
    test.openDump();
    const std::string label = "percentile";
    (void)acceptCandidate(test.document, {a}, label);
    Choice other = test.row(label).candidate.choice;
    other.scheme.bits = 4;
    edits::editChoice(test.document, label, other);
    CHECK_FALSE(test.row(label).isAccepted);
    CHECK(decisionOf(test.document, a)->choice.scheme.bits == 8);
    (void)acceptCandidate(test.document, {a}, label);
    CHECK(test.row(label).isAccepted);
    CHECK(decisionOf(test.document, a)->choice.scheme.bits == 4);
}

TEST_CASE("by recipe every tensor is settled on the recipe's own choice, in one step")
{
    TestedDocument test;
    test.openDump();
    const Accepted count = acceptRecipe(test.document, {weight, odd, a, b}, "first draft");
    CHECK(count.accepted == 3);
    CHECK(count.skipped == 1);
    for (const int tensor : {weight, a, b}) {
        const Decision* decision = decisionOf(test.document, tensor);
        REQUIRE(decision);
        CHECK(decision->choice.recipe == test.document.chosenRecipe().id);
        CHECK(decision->choice.isSameComputation(*recipesChoice(test.document, tensor)));
        CHECK(decision->remark == "first draft");
    }
    CHECK(undecidedTensors(test.document).empty());
    test.document.undo();
    CHECK(decidedCount(test.document) == 0);
}

TEST_CASE("a choice that no candidate computes is added with the decision, in one step")
{
    TestedDocument test;
    test.openDump();
    const Choice choice = makeChoice("min-max", {{"bits", "4"}}, SchemeKind::SymmetricRestricted,
                                     Granularity::Tensor);
    acceptChoice(test.document, choice, "int4-tensor");
    CHECK(test.document.history().undoText() == "Accept int4-tensor: a");
    REQUIRE(decisionOf(test.document, a));
    CHECK(decisionOf(test.document, a)->label == "int4-tensor");
    CHECK(rowOf(test.document, decisionOf(test.document, a)->id).isAccepted);
    test.document.select(b);
    acceptChoice(test.document, choice, "int4-tensor");  // it is there
    CHECK(test.document.workbench().added.size() == 1);
    CHECK(decisionOf(test.document, b)->id == decisionOf(test.document, a)->id);
    test.document.undo();
    test.document.undo();
    CHECK(decidedCount(test.document) == 0);
    CHECK(test.document.workbench().added.empty());
}

TEST_CASE("a remark stays with its candidate, and its letters are one step")
{
    TestedDocument test;
    test.openDump();
    (void)acceptCandidate(test.document, {a}, firstLabel(test.document));
    for (const char* typed : {"o", "ok"})
        setRemark(test.document, a, typed);
    setRemark(test.document, b, "is not settled");
    CHECK(decisionOf(test.document, a)->remark == "ok");
    CHECK_FALSE(decisionOf(test.document, b));
    (void)acceptCandidate(test.document, {a}, "percentile");
    CHECK(decisionOf(test.document, a)->remark.empty());  // it was said of another one
    test.document.undo();
    CHECK(decisionOf(test.document, a)->remark == "ok");
    test.document.undo();
    CHECK(decisionOf(test.document, a)->remark.empty());
}

TEST_CASE("the remark of many does not stay on an exception that is accepted later")
{
    TestedDocument test;
    test.openDump();
    (void)acceptRecipe(test.document, {weight, a, b}, "first draft");
    (void)acceptCandidate(test.document, {a}, "fixed");
    CHECK(decisionOf(test.document, a)->remark.empty());
    CHECK(decisionOf(test.document, b)->remark == "first draft");
    (void)acceptRecipe(test.document, {b});
    CHECK(decisionOf(test.document, b)->remark == "first draft");
}

TEST_CASE("a step names the tensor it is on, or how many they are")
{
    TestedDocument test;
    test.openDump();
    const auto step = [&test] { return test.document.history().undoText().toStdString(); };
    (void)acceptCandidate(test.document, {a}, "fixed");
    CHECK(step() == "Accept fixed 1: a");
    setRemark(test.document, a, "o");
    CHECK(step() == "Remark: a");
    (void)acceptRecipe(test.document, {a, b});
    CHECK(step().ends_with(" chooses: 2 tensors"));
    clearDecisions(test.document, {b});
    CHECK(step() == "Clear decision: b");
    edits::setPinned(test.document, {a, b}, true);
    CHECK(step() == "Pin: 2 tensors");
}

TEST_CASE("unsettling leaves the others")
{
    TestedDocument test;
    test.openDump();
    (void)acceptCandidate(test.document, {a, b}, firstLabel(test.document));
    clearDecisions(test.document, {a});
    CHECK_FALSE(decisionOf(test.document, a));
    CHECK(decisionOf(test.document, b));
}

TEST_CASE("each tensor may get its own candidate in one step")
{
    TestedDocument test;
    test.openDump();
    const std::string first = firstLabel(test.document);
    const Accepted count = acceptEach(test.document,
                                      {{.tensor = a, .candidate = first},
                                       {.tensor = b, .candidate = "none"},
                                       {.tensor = weight, .candidate = "min-max"}},
                                      "Accept for layer y");
    CHECK(count.accepted == 2);
    CHECK(count.skipped == 1);
    CHECK(test.document.history().undoText() == "Accept for layer y");
    CHECK(decisionOf(test.document, a)->id == first);
    CHECK(decisionOf(test.document, weight)->id == "min-max");
    test.document.undo();
    CHECK(decidedCount(test.document) == 0);
}

TEST_CASE("a tensor that several layers multiply is accepted once")
{
    TestedDocument test;
    test.openDump();
    const CandidateFor one{.tensor = a, .candidate = firstLabel(test.document)};
    CHECK(acceptEach(test.document, {one, one}, "Accept").accepted == 1);
}

TEST_CASE("nothing is accepted where no value is finite")
{
    TestedDocument test;
    test.openDump();
    CHECK(notDecidableText(test.document, a).isEmpty());
    FakeEngine::answer(test.background.previews, protocol::Preview{});
    test.answerView();
    while (!test.background.previews.empty()) {
        const bool isEmpty = test.background.previews.front().request.tensor.index == a;
        FakeEngine::answer(
            test.background.previews,
            isEmpty ? protocol::Preview{.findings = {{FindingKind::Empty, 0.0, "no finite value"}}}
                    : protocol::Preview{});
    }
    CHECK(notDecidableText(test.document, a).startsWith("No finite value"));
    CHECK(acceptCandidate(test.document, {a}, firstLabel(test.document)).skipped == 1);
    CHECK(notDecidableText(test.document, odd) == "It can't be read.");
}

TEST_CASE("nothing is accepted for a bias, and none is left to decide")
{
    test::ListedTensors listed(
        {{.name = "w", .role = Role::Weight, .elementType = ElementKind::Float32, .shape = {4, 4}},
         {.name = "b", .role = Role::Bias, .elementType = ElementKind::Float32, .shape = {4}}});
    CHECK(decidableCount(listed.document) == 1);
    CHECK(undecidedTensors(listed.document) == std::vector{0});
    const Accepted count =
        acceptCandidate(listed.document, {0, 1}, rowsOf(listed.document, 0).front().candidate.id);
    CHECK(count.accepted == 1);
    CHECK(count.skipped == 1);
    CHECK_FALSE(decisionOf(listed.document, 1));
}

TEST_CASE("decisions on tensors that a dump has no longer are not counted, but told")
{
    TestedDocument test;
    test.openDump();
    (void)acceptRecipe(test.document, {a, b});
    CHECK(decidedCount(test.document) == 2);
    CHECK(lostDecisions(test.document).empty());
    test.document.change("as a session has it", [](Workbench& workbench) {
        const Decision known = workbench.decisions.first();
        workbench.decisions.insert("/gone", known);
        workbench.decisions.insert("/also gone", known);
    });
    CHECK(decidedCount(test.document) == 2);
    CHECK(lostDecisions(test.document) == std::vector<std::string>{"/also gone", "/gone"});
}

TEST_CASE("of the best calibrators what gains enough is counted, with the lowest before and after")
{
    const Gain first{.best = {{2, "mse"}}, .fromDb = 27.0, .gainDb = 6.0};
    const Gain second{.best = {{5, "entropy"}}, .fromDb = 30.0, .gainDb = 4.0, .replaced = 1};
    const Gain third{.best = {{6, "mse"}}, .fromDb = 20.0, .gainDb = 1.0};
    const BestGains best{.gains = {first, second, third}, .asked = 8};
    CHECK(best.of(4.0).size() == 2);  // the limit included
    CHECK(best.of(4.1).size() == 1);
    CHECK(best.sentences(3.0) ==
          QStringList{"2 of 8 tensors gain at least 3.0 dB: 5.0 dB on average.",
                      "The lowest SQNR of these rises from 27.0 to 33.0 dB.",
                      "1 decision is replaced."});
    CHECK(best.sentences(5.0).size() == 2);
    CHECK(best.sentences(7.0) == QStringList{"No tensor gains 7.0 dB."});
    CHECK(BestGains().sentences(3.0) == QStringList{"No tensor gains 3.0 dB."});
}

}  // namespace document_decisions_test
