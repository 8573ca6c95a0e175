// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/check_report.h"
#include "core/report/tables/deploy_plan.h"

#include <limits>
#include <string>

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

/// What calib improve says of a layer with remedies, and of one that can't be computed.
inline std::string improvedJson()
{
    return R"([
{"layer": "gone", "op": "Conv", "input": "u", "weight": "v", "remedy": "decided", "notes": "input u is not in the dump"},
{"layer": "y", "op": "Conv", "input": "a", "weight": "w", "remedy": "decided", "calibration_db": 21.0, "held_out_db": 20.0, "positions": 512, "columns": 9, "macs": 4608},
{"layer": "y", "op": "Conv", "input": "a", "weight": "w", "remedy": "channels", "setting": "alpha 0.5", "calibration_db": 33.5, "held_out_db": 32.0, "gain_db": 12.0, "interval_db": 0.5, "overfit_db": 0.5, "chosen": "yes", "changes": "`a`: 3 of 8 channels divided by 1 to 4", "notes": "fold into `k`"},
{"layer": "y", "op": "Conv", "input": "a", "weight": "w", "remedy": "bias", "setting": "local", "calibration_db": 34.0, "held_out_db": 32.3, "gain_db": 0.3, "interval_db": 0.1, "overfit_db": 0.2, "chosen": "yes", "changes": "bias of `y`: 2 channels moved by at most 3 steps"},
{"layer": "y", "op": "Conv", "input": "a", "weight": "w", "remedy": "all", "calibration_db": 34.0, "held_out_db": 32.3, "gain_db": 12.3, "interval_db": 0.5, "overfit_db": 0.7, "chosen": "yes"}
])";
}

/// And of a ladder.
inline std::string rungsJson()
{
    return R"([
{"step": "decided", "pooled_db": 26.0, "median_db": 27.0, "least_db": 22.0, "samples": 8, "int8_share": 1.0, "accepted": "yes"},
{"step": "+ channels", "remedies": "channels", "pooled_db": 34.0, "median_db": 34.5, "least_db": 30.0, "gain_db": 8.0, "low_db": 7.0, "high_db": 9.0, "median_gain_db": 7.5, "median_low_db": 6.5, "median_high_db": 8.5, "samples": 8, "int8_share": 1.0, "accepted": "yes"},
{"step": "+ bias", "remedies": "channels,bias", "int8_share": 1.0, "accepted": "no", "notes": "chosen for no layer"}
])";
}

}  // namespace calibscope::test
