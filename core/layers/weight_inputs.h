// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/input_products.h"
#include "core/layers/layer_errors.h"
#include "core/layers/layer_pass.h"
#include "core/layers/layer_plan.h"

namespace calibscope::layers {

/// The means of what a pass added up; with E[x_j x_k] if `together`.
[[nodiscard]] InputProducts inputProducts(const LayerPlan& plan, const InputGrams& grams,
                                          bool together);

/// Products of the inputs of the first layer that multiplies the weight, of all its positions, by
/// the columns of matrixShape(); with E[x_j x_k] if `together`. Throws Error(Input) with a sentence
/// where the dump has no such layer, where its weight is no matrix of that order (ConvTranspose,
/// a second activation), and as LayerReading does.
[[nodiscard]] InputProducts weightInputs(const LayerDump& dump, const TensorInfo& weight,
                                         bool together, const LayerOptions& options = {},
                                         const Progress& progress = {});

}  // namespace calibscope::layers
