// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <QString>

namespace calibscope {

/// "activation", "weight", "bias", "unknown", for readers.
[[nodiscard]] QString roleTitle(Role role);
/// "activations", "weights", "biases", "other".
[[nodiscard]] QString rolesTitle(Role role);
/// "8 × 40 × 240", "scalar".
[[nodiscard]] QString shapeLabel(const TensorInfo& tensor);
/// "float32", "uint16 as bfloat16", "float64 ≈" where float32 can't hold all of it.
[[nodiscard]] QString typeLabel(const TensorInfo& tensor);
/// "64 channels of 3 136 values each, 16 batches of 4 samples": what the axes lead to.
[[nodiscard]] QString divisionLabel(const TensorInfo& tensor);
/// "activation, axis 0 as samples, axis 1 as channels": how the axes are taken.
[[nodiscard]] QString axesLabel(const TensorInfo& tensor);
/// "axis 1 (64)", "none".
[[nodiscard]] QString axisLabel(const TensorInfo& tensor, const std::optional<int>& axis);

}  // namespace calibscope
