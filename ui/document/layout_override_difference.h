#pragma once

#include "core/tensor/layout_override.h"

namespace calibscope {

/// What has to be said of a recorded tensor so that it has the role, axes, batch size and element
/// type of `wanted`: no more than differs, so that the same can be said of tensors like it.
/// Requires axes and type that the tensor has, and not one axis for both.
[[nodiscard]] LayoutOverride differenceOf(const TensorInfo& recorded, const TensorInfo& wanted);

}  // namespace calibscope
