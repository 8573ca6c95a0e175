#include "ui/charts/marks.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

Outcome iterated()
{
    Outcome outcome;
    outcome.trace = {
        .objective = "squared error, halved", .scale = {2.0, 0.5, 1.0}, .error = {9.0, 4.0, 3.0}};
    return outcome;
}

}  // namespace

TEST_CASE("an outcome that searched nothing has no mark")
{
    CHECK_FALSE(searchMark(Outcome{}));
}

TEST_CASE("the steps of an iteration lie on its curve, scales as thresholds")
{
    Outcome outcome = iterated();
    outcome.curve = {
        .objective = "squared error, halved", .threshold = {127.0, 200.0}, .value = {3.0, 5.0}};
    const std::optional<CurveMark> mark = searchMark(outcome);
    REQUIRE(mark);
    CHECK(mark->curve.threshold == outcome.curve.threshold);
    CHECK(mark->stepThresholds == std::vector<double>{254.0, 63.5, 127.0});
    CHECK(mark->stepValues == outcome.trace.error);
}

TEST_CASE("an iteration without a grid has its steps for a curve, ascending, the result chosen")
{
    const std::optional<CurveMark> mark = searchMark(iterated());
    REQUIRE(mark);
    CHECK(mark->curve.objective == "squared error, halved");
    CHECK(mark->curve.threshold == std::vector<double>{63.5, 127.0, 254.0});
    CHECK(mark->curve.value == std::vector<double>{4.0, 3.0, 9.0});
    CHECK(mark->curve.chosen == 1);
}
