#pragma once

#include "core/report/python/python_code.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/tensor_part.h"

#include <optional>

namespace calibscope::python {

/// An expression that reads a part of a tensor from the file named by the variable FILE: its
/// batches, each with the samples along axis 0. `tensor` has its axes as in the file.
[[nodiscard]] Code tensorCode(const TensorInfo& tensor, const TensorPart& part);

/// The channel axis with the batch axis in front, as the batches have it; nothing without one.
[[nodiscard]] std::optional<int> channelAxisOfBatches(const TensorInfo& tensor);

}  // namespace calibscope::python
