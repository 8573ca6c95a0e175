// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/decided_sqnr.h"

#include "tests/support/catch.h"
#include "tests/support/listed_tensors.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/outcome_rows.h"

#include <QSignalSpy>

namespace decided_sqnr_test {

using namespace calibscope;
using test::FakeEngine;

protocol::Preview previewOf(double sqnrDb)
{
    return {.extents = {}, .sparkline = {}, .sqnrDb = sqnrDb, .notes = {}};
}

struct Decided : test::ListedTensors
{
    Decided()
        : ListedTensors({{.name = "a",
                          .role = Role::Activation,
                          .elementType = ElementKind::Float32,
                          .shape = {8, 16}},
                         {.name = "b",
                          .role = Role::Activation,
                          .elementType = ElementKind::Float32,
                          .shape = {8, 16}}})
    {}

    /// A candidate that the recipe does not choose, and its choice.
    OutcomeRow another() const
    {
        for (const OutcomeRow& row : rowsOf(document, 0))
            if (!row.isChosenRecipes)
                return row;
        throw std::runtime_error("the recipe chooses all");
    }
    void answerPreview(double sqnrDb)
    {
        REQUIRE(background.previews.size() == 1);
        FakeEngine::answer(background.previews, previewOf(sqnrDb));
    }
    std::optional<double> known(int tensor) const
    {
        return document.previews().sqnrOfDecision(tensor);
    }
};

TEST_CASE("what the recipe chooses has the preview's SQNR, before it is there and after")
{
    Decided test;
    REQUIRE(acceptRecipe(test.document, {0, 1}).accepted == 2);
    CHECK_FALSE(test.known(0));
    test.answerPreview(30.0);
    test.answerPreview(25.0);
    CHECK(test.known(0) == 30.0);
    CHECK(test.known(1) == 25.0);
    CHECK(test.document.previews().isIdle());
    clearDecisions(test.document, {0});
    CHECK_FALSE(test.known(0));
    REQUIRE(acceptRecipe(test.document, {0}).accepted == 1);
    CHECK(test.known(0) == 30.0);
    CHECK(test.background.previews.empty());
}

TEST_CASE("any other choice is computed once all previews are taken")
{
    Decided test;
    const OutcomeRow another = test.another();
    REQUIRE(acceptCandidate(test.document, {0}, another.candidate.id).accepted == 1);
    test.answerPreview(30.0);
    test.answerPreview(25.0);
    CHECK_FALSE(test.known(0));
    CHECK_FALSE(test.document.previews().isIdle());
    REQUIRE(test.background.previews.size() == 1);
    const protocol::PreviewRequest request = test.background.previews.front().request;
    CHECK(request.tensor.index == 0);
    REQUIRE(request.choice);
    CHECK(request.choice->isSameComputation(another.candidate.choice));
    const QSignalSpy taken(&test.document.previews(), &Previews::taken);
    const QSignalSpy idle(&test.document.previews(), &Previews::idle);
    test.answerPreview(22.0);
    CHECK(test.known(0) == 22.0);
    CHECK(test.document.previews().of(0)->sqnrDb == 30.0);
    CHECK(taken.count() == 1);
    CHECK(idle.count() == 1);
    CHECK(test.document.previews().isIdle());
}

TEST_CASE("another decision is computed anew, and a recipe does not change what is known")
{
    Decided test;
    test.answerPreview(30.0);
    test.answerPreview(25.0);
    REQUIRE(acceptCandidate(test.document, {1}, test.another().candidate.id).accepted == 1);
    test.answerPreview(22.0);
    CHECK(test.known(1) == 22.0);
    edits::chooseRecipe(test.document, "moffett-cnn");
    CHECK(test.known(1) == 22.0);
    test.document.undo();
    test.document.undo();
    CHECK_FALSE(test.known(1));
    test.document.close();
    CHECK_FALSE(test.known(1));
}

}  // namespace decided_sqnr_test
