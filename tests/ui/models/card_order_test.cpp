// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/card_order.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

namespace card_order_test {

using namespace calibscope;

OutcomeRow rowOf(double sqnrDb)
{
    OutcomeRow row;
    row.candidate.choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    Outcome outcome{.choice = row.candidate.choice};
    outcome.whole.hasExactMetrics = true;
    outcome.whole.metrics = {{"sqnr_db", sqnrDb}};
    row.outcome = outcome;
    return row;
}

TEST_CASE("the recipe's, the best and the manual card are the first, in the order of the list")
{
    std::vector<OutcomeRow> rows = {rowOf(20.0), rowOf(24.0), rowOf(30.0), rowOf(25.0),
                                    rowOf(10.0)};
    rows[3].isChosenRecipes = true;
    rows[4].origin = OutcomeRow::Origin::Manual;
    CHECK(cardOrder(rows) == std::vector<std::size_t>{2, 3, 4, 0, 1});
    rows[0].isPending = true;  // the best is not known yet
    CHECK(cardOrder(rows) == std::vector<std::size_t>{3, 4, 0, 1, 2});
    CHECK(cardOrder({}).empty());
}

TEST_CASE("of several that look alike the first one is the best card, and all have the star")
{
    const std::vector<OutcomeRow> rows = {rowOf(20.0), rowOf(24.001), rowOf(24.0)};
    CHECK(bestRows(rows) == std::vector<bool>{false, true, true});
    CHECK(cardOrder(rows) == std::vector<std::size_t>{1, 0, 2});
    const std::vector<OutcomeRow> alike = {rowOf(24.001), rowOf(24.0)};
    CHECK(bestRows(alike) == std::vector<bool>{false, false});
    std::vector<OutcomeRow> ofOneValue = rows;
    for (OutcomeRow& row : ofOneValue)
        row.isOfOneValue = true;
    CHECK(bestRows(ofOneValue) == std::vector<bool>(3));
}

}  // namespace card_order_test
