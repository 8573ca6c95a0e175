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

TEST_CASE(
    "the job of a cut: batch by batch one operand quantized, the others as the float run has them")
{
    CheckPlan plan;
    plan.model = "m.onnx";
    plan.dump = "d.h5";
    plan.inputs = {"x"};
    plan.batches = {{.first = 0, .count = 2}, {.first = 2, .count = 1}};
    plan.outputs = {{.name = "y", .op = "Sigmoid", .isOutput = true},
                    {.name = "z", .op = {}, .isEnd = true, .flattenedTo = "y"}};
    plan.sized = {"a"};
    plan.given = {"a", "around"};
    plan.judgesEnds = true;
    const TensorQuantization quantization{.scales = {0.5F}, .zeroPoints = {3.0}};
    plan.cuts = {
        {.operands =
             {{.asked = 4, .tensor = "a", .input = "a_operand", .quantization = quantization},
              {.asked = 7, .tensor = "w", .input = "w_operand", .isWeight = true}},
         .taken = {"x", "around"}}};
    CHECK(parsePlan(planText(plan), "plan.json") == plan);
    const RunnerJob job = cutJobOf(plan, 0, 0, 2);
    CHECK(job.model == "cut-0.onnx");
    REQUIRE(job.batches.size() == 4);
    using Tensors = std::vector<JobTensor>;
    CHECK(job.batches[1].feeds == Tensors{{"x", "feeds/1-0.npy"},
                                          {"around", "float/1-4.npy"},
                                          {"a_operand", "cut/0-0-1.npy"},
                                          {"w_operand", "feeds/cut-0-1.npy"}});
    CHECK(job.batches[2].feeds == Tensors{{"x", "feeds/0-0.npy"},
                                          {"around", "float/0-4.npy"},
                                          {"a_operand", "float/0-3.npy"},
                                          {"w_operand", "feeds/cut-0-1-quantized.npy"}});
    CHECK(job.batches[3].outputs == Tensors{{"z", "cut/0-1-1-1.npy"}});
    const RunnerJob given = jobOf(plan, CheckRun::Float, 1, 1);
    CHECK(given.batches[0].outputs.back() == JobTensor{"around", "float/1-4.npy"});
    CHECK(jobOf(plan, CheckRun::Draw, 1, 1, 1).batches[0].outputs.size() == 2);
}

}  // namespace check_plan_test
