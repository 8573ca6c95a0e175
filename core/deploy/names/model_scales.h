// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/model/tensor_scales.h"
#include "core/recipes/decided_tensor.h"

namespace calibscope::deploy {

/// A decision as a model takes it: scales rounded to float32, levels and zero points within int8
/// (those from 0 on are shifted by 2^(bits-1)), the axis of scales per channel or row; and what is
/// linted: the share that is clipped, if it was measured, and the samples.
[[nodiscard]] model::TensorScales modelScales(const DecidedTensor& decided,
                                              const model::GraphTensor& found);

}  // namespace calibscope::deploy
