// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/outcome_rows.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

namespace outcome_rows_test {

using namespace calibscope;

const TensorInfo activation{.name = "a", .path = "/a", .role = Role::Activation, .shape = {8, 4}};

std::vector<Candidate> listed()
{
    return candidatesFor(activation, Consumers(std::vector{activation}), recipes());
}

Choice alpha(const std::string& alpha, Granularity granularity = Granularity::Tensor)
{
    return makeChoice("percentile", {{"alpha", alpha}}, SchemeKind::SymmetricRestricted,
                      granularity);
}

std::vector<OutcomeRow> rowsWith(const Workbench& workbench)
{
    return rowsOf(activation, listed(), recipe("rebellions-vision"), workbench);
}

const OutcomeRow& row(const std::vector<OutcomeRow>& rows, const std::string& label)
{
    for (const OutcomeRow& row : rows)
        if (row.candidate.id == label)
            return row;
    FAIL("no row " << label);
    return rows.front();
}

TEST_CASE("without decisions the rows are the listed candidates")
{
    const std::vector<OutcomeRow> rows = rowsWith({});
    REQUIRE(rows.size() == listed().size());
    CHECK(row(rows, "percentile").isChosenRecipes);
    CHECK_FALSE(row(rows, "percentile").isEdited);
    CHECK(row(rows, "min-max").origin == OutcomeRow::Origin::Listed);
    CHECK_FALSE(row(rows, "min-max").isBaseline);
}

TEST_CASE("a changed candidate keeps its place and its label")
{
    Workbench workbench;
    workbench.edits["percentile"] = alpha("99.9");
    const std::vector<OutcomeRow> rows = rowsWith(workbench);
    const OutcomeRow changed = row(rows, "percentile");
    CHECK(changed.isEdited);
    CHECK(changed.candidate.choice.settings.text("alpha") == "99.9");
    CHECK(rows.size() == listed().size());
}

TEST_CASE("a candidate that was changed back to what it was is not changed")
{
    Workbench workbench;
    workbench.edits["min-max"] = listed().front().choice;
    CHECK_FALSE(row(rowsWith(workbench), "min-max").isEdited);
}

TEST_CASE("a scale per channel becomes one per tensor where there are no channels")
{
    Workbench workbench;
    workbench.edits["min-max"] =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Channel);
    CHECK(row(rowsWith(workbench), "min-max").candidate.choice.granularity == Granularity::Tensor);
}

TEST_CASE("added candidates follow the listed ones and are drawn")
{
    Workbench workbench;
    workbench.added.push_back({.id = "mine", .label = "percentile 99.5", .choice = alpha("99.5")});
    const std::vector<OutcomeRow> rows = rowsWith(workbench);
    REQUIRE(rows.size() == listed().size() + 1);
    CHECK(rows.back().candidate.label == "percentile 99.5");
    CHECK(rows.back().origin == OutcomeRow::Origin::Added);
    CHECK(rows.back().isTicked);
    workbench.edits["mine"] = alpha("99.4");
    workbench.ticks["mine"] = false;
    const OutcomeRow changed = rowsWith(workbench).back();
    CHECK(changed.candidate.choice.settings.text("alpha") == "99.4");
    CHECK(changed.isEdited);
    CHECK_FALSE(changed.isTicked);
}

TEST_CASE("a range by hand is the last row of its tensor, under the chosen "
          "recipe's scheme")
{
    Workbench workbench;
    workbench.manualRange["/a"] = {-2.0, 2.0};
    workbench.manualRange["/b"] = {-3.0, 3.0};
    const std::vector<OutcomeRow> rows = rowsWith(workbench);
    const OutcomeRow& hand = rows.back();
    CHECK(hand.origin == OutcomeRow::Origin::Manual);
    CHECK(hand.candidate.id == manualId);
    CHECK(hand.candidate.label == manualLabel);
    CHECK(hand.candidate.choice.calibrator == "fixed");
    CHECK(hand.candidate.choice.settings.number("threshold") == 2.0);
    CHECK(hand.candidate.choice.scheme == row(rows, "percentile").candidate.choice.scheme);
    CHECK(manualSchemeRow(rows, workbench).candidate.id == "percentile");
    CHECK(hand.candidate.choice.note == "uses the scheme of percentile 99.999");
}

TEST_CASE("the user may say whose scheme the range by hand takes")
{
    Workbench workbench;
    workbench.manualRange["/a"] = {-1.0, 2.0};
    workbench.manualScheme = "mine";
    workbench.added.push_back(
        {.id = "mine",
         .label = "mine",
         .choice = makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Tensor)});
    const OutcomeRow hand = rowsWith(workbench).back();
    CHECK(hand.candidate.choice.scheme.kind == SchemeKind::Affine);
    CHECK(hand.candidate.choice.settings.number("low") == -1.0);
    workbench.added.clear();  // what is not there any more says nothing
    CHECK_FALSE(rowsWith(workbench).back().candidate.choice.scheme.isAffine());
}

TEST_CASE("the baseline is the row of that label")
{
    Workbench workbench;
    workbench.baseline = "entropy";
    const std::vector<OutcomeRow> rows = rowsWith(workbench);
    CHECK(row(rows, "entropy").isBaseline);
    CHECK_FALSE(row(rows, "min-max").isBaseline);
}

TEST_CASE("proposed is the open card, else the decision, the recipe's choice, the first")
{
    std::vector<OutcomeRow> rows(3);
    rows[0].candidate.id = "a";
    rows[1].candidate.id = "b";
    rows[2].candidate.id = "c";
    CHECK_FALSE(proposedRow(rows));
    markProposed(rows, {});
    CHECK(proposedRow(rows) == &rows[0]);
    rows[1].isChosenRecipes = true;
    markProposed(rows, "not there");
    CHECK(proposedRow(rows) == &rows[1]);
    rows[0].isAccepted = true;
    markProposed(rows, {});
    CHECK(proposedRow(rows) == &rows[0]);
    markProposed(rows, "c");
    CHECK(proposedRow(rows) == &rows[2]);
    CHECK(rows[2].isOpen);
    CHECK_FALSE(rows[1].isProposed);
    CHECK(standingRow(rows) == &rows[0]);  // whatever card is open
    rows[0].isAccepted = false;
    CHECK(standingRow(rows) == &rows[1]);
    rows[1].isChosenRecipes = false;
    CHECK_FALSE(standingRow(rows));
    std::vector<OutcomeRow> none;
    markProposed(none, "c");
    CHECK_FALSE(proposedRow(none));
}

TEST_CASE("the gain over another row is the difference of their SQNR")
{
    const auto outcome = [](double db) {
        Outcome found;
        found.whole.metrics = {{"sqnr_db", db}};
        return SharedOutcome(found);
    };
    OutcomeRow row;
    OutcomeRow other;
    row.outcome = outcome(25.0);
    CHECK_FALSE(dbAgainst(other, row));  // the other's is not known yet
    CHECK_FALSE(dbAgainst(row, other));
    other.outcome = outcome(30.25);
    CHECK(dbAgainst(other, row) == -5.25);
    CHECK(dbAgainst(other, other) == 0.0);
}

}  // namespace outcome_rows_test
