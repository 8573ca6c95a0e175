#pragma once

#include "core/model/quantize_file.h"
#include "core/report/tables/deploy_plan.h"

namespace calibscope::cli {

/// What is to be written into a quantized model, as it is told.
[[nodiscard]] DeployPlan deployPlanOf(const model::QuantizedFile& file);

}  // namespace calibscope::cli
