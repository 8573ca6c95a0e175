#include "ui/charts/outcome_marks.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

using namespace calibscope;

namespace {

OutcomeRow rowOf(const std::string& calibratorId, const std::string& label)
{
    OutcomeRow row;
    row.candidate = {
        makeChoice(calibratorId, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor),
        label,
        {}};
    row.isTicked = true;
    row.outcome = Outcome{.choice = row.candidate.choice};
    row.outcome->whole.quantizer.clip = {-2.0, 2.0};
    return row;
}

OutcomeRow searchedRow(const std::string& label)
{
    OutcomeRow row = rowOf("entropy", label);
    row.outcome->curve = {.objective = "KL", .threshold = {1.0, 2.0}, .value = {0.5, 0.25}};
    return row;
}

}  // namespace

TEST_CASE("ticked outcomes with a result are drawn, in the style of their place")
{
    std::vector<OutcomeRow> rows = {rowOf("min-max", "a"), rowOf("min-max", "b"),
                                    rowOf("min-max", "c")};
    rows[0].isTicked = false;
    rows[1].outcome->problem = "no values";
    const auto marks = thresholdMarks(rows, {lightChartColors()});
    REQUIRE(marks.size() == 1);
    CHECK(marks[0].label == "c");
    CHECK(marks[0].clip.high == 2.0);
    const auto all =
        thresholdMarks({rowOf("min-max", "a"), rowOf("min-max", "c")}, {lightChartColors()});
    CHECK(all[0].color != all[1].color);
}

TEST_CASE("the chosen recipe is emphasised unless a card is")
{
    std::vector<OutcomeRow> rows = {searchedRow("a"), searchedRow("b")};
    rows[0].isChosenRecipes = true;
    auto curves = curveMarks(rows, {lightChartColors()});
    CHECK(curves[0].emphasised);
    CHECK_FALSE(curves[0].showsParts);
    curves = curveMarks(rows, {lightChartColors(), "b"});
    CHECK_FALSE(curves[0].emphasised);
    CHECK(curves[1].emphasised);
    CHECK(curves[1].showsParts);
    CHECK(thresholdMarks(rows, {lightChartColors(), "b"})[1].emphasised);
}

TEST_CASE("what was not searched has no curve, and the text says what to do")
{
    CHECK(curveMarks({rowOf("min-max", "a")}, {lightChartColors()}).empty());
    CHECK(noCurvesText({rowOf("min-max", "a")}).contains("Tick an entropy"));
    CHECK(noCurvesText({rowOf("entropy", "a")}).contains("nothing to search"));
}
