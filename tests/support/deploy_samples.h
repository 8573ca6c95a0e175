// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/check_report.h"
#include "core/report/tables/deploy_plan.h"

#include <limits>

namespace calibscope::test {

/// What the check found of a small network.
inline CheckReport someCheck()
{
    CheckReport report{.model = "m.onnx",
                       .quantized = "q.onnx",
                       .dump = "a.h5",
                       .runtime = "fake 1",
                       .samples = 8,
                       .outputs = {{.name = "y", .op = "Softmax", .recordedDb = 120.0}},
                       .tensors = {{.name = "a",
                                    .op = "Input",
                                    .ownDb = 40.0,
                                    .runningDb = std::numeric_limits<double>::infinity(),
                                    .maxError = 0.0,
                                    .samples = 8},
                                   {.name = "w", .isWeight = true, .ownDb = 44.0, .maxError = 0.5},
                                   {.name = "/b",
                                    .op = "Relu",
                                    .ownDb = 33.0,
                                    .outputSqnrDb = 30.0,
                                    .runningDb = 12.5,
                                    .dropDb = 17.5,
                                    .maxError = 1.5,
                                    .samples = 8},
                                   {.name = "c",
                                    .op = "Conv",
                                    .ownDb = 35.0,
                                    .runningDb = 11.5,
                                    .dropDb = 1.0,
                                    .maxError = 2.5,
                                    .samples = 8}},
                       .notes = {"output \"y\" is 2.0 dB worse as fused"}};
    report.outputs[0].asWritten = {.samples = 8,
                                   .sqnrDb = 20.0,
                                   .leastDb = 18.0,
                                   .medianDb = 20.5,
                                   .largestDb = 25.0,
                                   .cosine = 0.995,
                                   .sameArgmax = 0.875};
    report.outputs[0].asFused = {.samples = 8, .sqnrDb = 18.0};
    report.outputs[0].draws = {{.draw = 1, .agreement = {.samples = 8, .sqnrDb = 17.0}},
                               {.draw = 2, .agreement = {.samples = 8, .sqnrDb = 19.0}}};
    report.outputs[0].drawSummary = {
        .draws = 2, .meanDb = 17.9, .lowestDb = 17.0, .highestDb = 19.0, .sdDb = 1.41};
    return report;
}

inline DeployPlan somePlan()
{
    return {
        .integers =
            {{.tensor = "w", .dumpTensor = "w", .isWeight = true, .scales = 4, .scale = 0.125},
             {.tensor = "/a", .dumpTensor = "a", .scale = 0.5, .zeroPoint = -3}},
        .biases = 1,
        .lints = {
            {.id = "few-samples",
             .level = FindingLevel::Warning,
             .subject = "/a",
             .text = "\"/a\" was recorded from 4 samples"},
            {.id = "clipped-share",
             .level = FindingLevel::Error,
             .subject = "/a",
             .text = "\"/a\" is clipped in 20 % of its values"},
            {.id = "functions", .level = FindingLevel::Note, .text = "functions are left alone"}}};
}

}  // namespace calibscope::test
