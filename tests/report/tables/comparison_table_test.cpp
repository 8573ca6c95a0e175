// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/comparison_table.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <limits>

namespace comparison_table_test {

using namespace calibscope;

Cell cellOf(const std::vector<Cell>& row, const std::string& id)
{
    const auto& columns = comparisonColumns();
    const auto found = std::ranges::find(columns, id, &Column::id);
    REQUIRE(found != columns.end());
    return row.at(static_cast<std::size_t>(found - columns.begin()));
}

ComparedTensor compared(std::optional<Drift> drift)
{
    ComparedTensor tensor{.a = {.name = "a", .shape = {2, 3}}, .b = {.name = "b", .shape = {4, 3}}};
    tensor.comparison.drift = drift;
    return tensor;
}

TEST_CASE("a comparison's row has a cell for each column, with and without choices")
{
    ComparedTensor tensor = compared(Drift{.maxRatio = 2.0, .earthMover = 0.5});
    CHECK(comparisonRows(tensor).size() == 1);
    CHECK(comparisonRows(tensor)[0].size() == comparisonColumns().size());
    CHECK(cellOf(comparisonRows(tensor)[0], "max_ratio") == Cell{2.0});
    CHECK(cellOf(comparisonRows(tensor)[0], "kl_drift_bound") == Cell{0.0});
    tensor.comparison.drift->earthMoverBar = 0.125;
    tensor.comparison.drift->klDivergence = 2.0;
    tensor.comparison.drift->klBound = {1.75, 2.125};
    CHECK(cellOf(comparisonRows(tensor)[0], "earth_mover_bound") == Cell{0.125});
    CHECK(cellOf(comparisonRows(tensor)[0], "kl_drift_bound") == Cell{0.25});
    CHECK(cellOf(comparisonRows(tensor)[0], "shape") == Cell{std::string("2 x 3")});
    CHECK(cellOf(comparisonRows(tensor)[0], "scale") == Cell{});

    ChoiceComparison choice;
    choice.a.whole.quantizer.scale = 0.5;
    choice.b.whole.quantizer.scale = 0.25;
    choice.whyNotTransferred = "too far apart";
    tensor.comparison.choices = {choice, choice};
    const auto rows = comparisonRows(tensor);
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].size() == comparisonColumns().size());
    CHECK(cellOf(rows[1], "scale_ratio") == Cell{0.5});
    CHECK(cellOf(rows[1], "transfer") == Cell{std::string("too far apart")});
    CHECK(cellOf(rows[1], "sqnr_loss_db") == Cell{});
}

TEST_CASE("a tensor of one dump alone stands on its side")
{
    const TensorInfo tensor{.name = "x", .shape = {5}};
    const auto a = unmatchedRow(tensor, Side::A);
    CHECK(a.size() == comparisonColumns().size());
    CHECK(cellOf(a, "tensor") == Cell{std::string("x")});
    CHECK(cellOf(a, "other_tensor") == Cell{});
    const auto b = unmatchedRow(tensor, Side::B);
    CHECK(cellOf(b, "tensor") == Cell{});
    CHECK(cellOf(b, "other_tensor") == Cell{std::string("x")});
    CHECK(cellOf(b, "other_shape") == Cell{std::string("5")});
}

TEST_CASE("the further drift comes first, none comes last")
{
    const ComparedTensor none = compared({});
    const ComparedTensor still = compared(Drift{});
    const ComparedTensor moved = compared(Drift{.earthMoverShare = 0.1});
    const ComparedTensor shaped = compared(Drift{.klDivergence = 0.1});
    const ComparedTensor woken =
        compared(Drift{.maxRatio = std::numeric_limits<double>::infinity()});
    CHECK(hasDriftedFurther(moved, shaped));
    CHECK(hasDriftedFurther(shaped, still));
    CHECK(hasDriftedFurther(woken, still));
    CHECK(hasDriftedFurther(still, none));
    CHECK_FALSE(hasDriftedFurther(none, still));
    CHECK_FALSE(hasDriftedFurther(still, still));
}

TEST_CASE("a tensor that has lost its values in one recording comes first, with a note")
{
    ComparedTensor lost = compared({});
    lost.isSameShape = false;
    lost.extentsA = {.finite = 3};
    lost.extentsB = {.nan = 3};
    CHECK(hasDriftedFurther(lost, compared(Drift{.earthMoverShare = 0.5})));
    CHECK_FALSE(hasDriftedFurther(compared(Drift{.earthMoverShare = 0.5}), lost));
    CHECK(cellOf(comparisonRows(lost)[0], "note") ==
          Cell{std::string("another shape; no finite value in the second")});
    lost.isSameShape = true;
    lost.extentsB = {.finite = 2, .nan = 1};
    CHECK(cellOf(comparisonRows(lost)[0], "note") == Cell{std::string("1 NaN in the second")});
}

}  // namespace comparison_table_test
