// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/samples_table.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace samples_table_test {

using namespace calibscope;
using calibscope::test::Approx;

std::size_t placeOf(const std::vector<Column>& columns, std::string_view id)
{
    const auto found = std::ranges::find(columns, id, &Column::id);
    REQUIRE(found != columns.end());
    return static_cast<std::size_t>(found - columns.begin());
}

SampleStudy someStudy()
{
    SampleStudy study{
        .file = "a.h5",
        .tensor = "x",
        .role = Role::Activation,
        .op = "Relu",
        .choice = makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor),
        .units = 8,
        .batches = 8,
        .samples = 16,
        .resamples = 200,
        .seed = 3,
        .threshold = 127.0,
        .scale = 1.0,
        .sqnrDb = 30.0,
        .thresholdBand = SampleBand{.low = 120.65},
        .curve = {{.units = 1, .threshold = 100.0},
                  {.units = 8,
                   .threshold = 127.0,
                   .sqnrDb = 30.0,
                   .thresholdBand = SampleBand{.low = 120.65}}},
        .heldOut = HeldOut{.parts = {{}, {}}, .sqnrDb = 29.5, .gapDb = 0.5}};
    findConverged(study);
    return study;
}

Cell cellOf(const SampleStudy& study, std::string_view id)
{
    return sampleCells(study).at(placeOf(sampleColumns(), id));
}

TEST_CASE("a study's row has a cell for each column, absent where nothing is known")
{
    const SampleStudy study = someStudy();
    REQUIRE(sampleCells(study).size() == sampleColumns().size());
    CHECK(cellOf(study, "threshold_low") == Cell{120.65});
    CHECK(cellOf(study, "threshold_high") == Cell{});
    CHECK(cellOf(study, "band") == Cell{std::string("open above")});
    CHECK(std::get<double>(cellOf(study, "scale_low")) == Approx(0.95));
    CHECK(cellOf(study, "gap_db") == Cell{0.5});
    CHECK(cellOf(study, "parts") == Cell{std::uint64_t{2}});
    CHECK(cellOf(study, "orders") == Cell{});
    CHECK(cellOf(study, "converged_within_5") == Cell{std::uint64_t{8}});
    CHECK(cellOf(study, "flags") == Cell{std::string("not converged after 8 batches")});
    for (const Column& column : sampleColumns())
        CHECK_NOTHROW(sampleColumnSummary(column.id));
    CHECK_FALSE(sampleColumnSummary("gap_db").empty());
    CHECK_THROWS_AS(sampleColumnSummary("no"), std::invalid_argument);
}

TEST_CASE("a study with a problem has the choice and the reason alone")
{
    SampleStudy study = someStudy();
    study.problem = "a weight has no samples";
    CHECK(cellOf(study, "calibrator") == Cell{std::string("min-max")});
    CHECK(cellOf(study, "threshold") == Cell{});
    CHECK(cellOf(study, "notes") == Cell{std::string("a weight has no samples")});
    CHECK(sampleCurveRows(study).empty());
}

TEST_CASE("a curve has a row for each point")
{
    const std::vector<std::vector<Cell>> rows = sampleCurveRows(someStudy());
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].size() == sampleCurveColumns().size());
    CHECK(rows[0][placeOf(sampleCurveColumns(), "units")] == Cell{std::uint64_t{1}});
    CHECK(rows[0][placeOf(sampleCurveColumns(), "threshold_low")] == Cell{});
    CHECK(rows[1][placeOf(sampleCurveColumns(), "threshold_low")] == Cell{120.65});
    CHECK(rows[1][placeOf(sampleCurveColumns(), "resamples")] == Cell{std::uint64_t{200}});
}

}  // namespace samples_table_test
