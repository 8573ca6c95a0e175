// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/check_plan.h"

#include "tests/support/catch.h"

namespace check_plan_test {

using namespace calibscope;
using namespace calibscope::deploy;

TEST_CASE("an end that stands before an output is named with it, also when the plan is read again")
{
    CheckPlan plan;
    plan.outputs = {
        {.name = "y", .op = "Sigmoid", .isOutput = true},
        {.name = "z", .op = "Gemm", .isOutput = true, .isEnd = true},
        {.name = "sum", .op = {}, .isEnd = true, .flattenedTo = "y"},
    };
    plan.judgesEnds = true;
    const CheckPlan read = parsePlan(planText(plan), "plan.json");
    CHECK(read == plan);
    CHECK(read.endText(read.outputs[1]) == "`z`");
    CHECK(read.endText(read.outputs[2]) == "`sum` (before the Sigmoid that makes the output `y`)");
}

}  // namespace check_plan_test
