// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/deploy_plan.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

namespace deploy_plan_test {

using namespace calibscope;

TEST_CASE("a plan reads back from its JSON")
{
    const DeployPlan plan{
        .integers = {{.tensor = "w",
                      .dumpTensor = "d.w",
                      .isWeight = true,
                      .bits = 4,
                      .scales = 4,
                      .scale = 0.125},
                     {.tensor = "/a", .dumpTensor = "a", .scale = 0.5, .zeroPoint = -3}},
        .biases = 2,
        .lints = {
            {.id = "few-samples", .level = FindingLevel::Warning, .subject = "/a", .text = "few"},
            {.id = "functions", .level = FindingLevel::Note, .text = "left alone"}}};
    CHECK(parseDeployPlan(planJson(plan), "plan") == plan);
    CHECK(parseDeployPlan(planJson({}), "plan") == DeployPlan{});
    CHECK_THROWS_AS(parseDeployPlan("[1]", "plan"), Error);
    CHECK_THROWS_AS(parseDeployPlan("{\"lints\": [{\"level\": \"note\"}]}", "plan"), Error);
    CHECK_THROWS_AS(parseDeployPlan(R"({"lints": [{"level": "fatal", "text": "x"}]})", "plan"),
                    Error);
    CHECK_THROWS_AS(parseDeployPlan("{\"integers\": 3}", "plan"), Error);
}

}  // namespace deploy_plan_test
