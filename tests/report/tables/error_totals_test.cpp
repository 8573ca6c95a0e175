#include "core/report/tables/error_totals.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

Outcome outcome(Role role, const std::string& recipe, double squaredError)
{
    Outcome made;
    made.role = role;
    made.choice.recipe = recipe;
    made.choice.calibrator = "min-max";
    made.whole.metrics = {{"squared_error", squaredError}};
    return made;
}

}  // namespace

TEST_CASE("squared errors of activations are added up for each recipe, weights left out")
{
    ErrorTotals totals;
    totals.add(outcome(Role::Activation, "one", 0.5));
    totals.add(outcome(Role::Activation, "two", 8.0));
    totals.add(outcome(Role::Weight, "one", 100.0));
    totals.add(outcome(Role::Unknown, "one", 0.25));
    CHECK(totals.json() == R"([{"recipe":"one","activations":2,"squared_error":0.75},)"
                           R"({"recipe":"two","activations":1,"squared_error":8}])");
}

TEST_CASE("an outcome with a problem, or without the metric, adds nothing")
{
    ErrorTotals totals;
    Outcome failed = outcome(Role::Activation, "one", 1.0);
    failed.problem = "it failed";
    totals.add(failed);
    Outcome empty = outcome(Role::Activation, "one", 1.0);
    empty.whole.metrics.clear();
    totals.add(empty);
    CHECK(totals.json() == "[]");
}

TEST_CASE("presets and calibrators are told apart from recipes")
{
    ErrorTotals totals;
    Outcome preset = outcome(Role::Activation, "", 1.0);
    preset.choice.preset = "p";
    totals.add(preset);
    totals.add(outcome(Role::Activation, "", 2.0));
    CHECK(totals.json() == R"([{"preset":"p","activations":1,"squared_error":1},)"
                           R"({"calibrator":"min-max:","activations":1,"squared_error":2}])");
}
