#include "app/calib/model_plan.h"

#include <algorithm>

namespace calibscope::cli {

namespace {

PlannedIntegers plannedIntegers(const model::IntegerTensor& tensor, bool isWeight)
{
    const model::TensorScales& scales = tensor.scales;
    return {.tensor = scales.tensor,
            .dumpTensor = scales.dumpName,
            .isWeight = isWeight,
            .scales = scales.scales.size(),
            .scale = scales.scales.empty()
                         ? 0.0
                         : static_cast<double>(*std::ranges::max_element(scales.scales)),
            .zeroPoint = scales.zeroPoints.empty() ? 0 : scales.zeroPoints.front()};
}

}  // namespace

DeployPlan deployPlanOf(const model::QuantizedFile& file)
{
    DeployPlan plan{.integers = {}, .biases = file.model.biases, .lints = {}};
    for (const model::IntegerTensor& weight : file.model.weights)
        plan.integers.push_back(plannedIntegers(weight, true));
    for (const model::IntegerTensor& activation : file.model.activations)
        plan.integers.push_back(plannedIntegers(activation, false));
    for (const model::ModelLint& lint : file.model.lints)
        plan.lints.push_back({.level = std::string(model::lintLevelText(lint.level)),
                              .rule = std::string(lint.rule),
                              .tensor = lint.tensor,
                              .text = lint.text});
    for (const std::string& note : file.notes)
        plan.lints.push_back({.level = "note", .rule = "lifted", .tensor = {}, .text = note});
    return plan;
}

}  // namespace calibscope::cli
