// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_format.h"
#include "core/report/python/python_code.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>

namespace calibscope::python {

/// Lines that take a block from `batches`, compute its scale by the format's rule and print that and
/// each value with its pattern and what it decodes to, as `calib encode --block` does. A problem for
/// searches and for what is rounded otherwise than by default; and where there is no such block.
[[nodiscard]] Code blockCode(const TensorInfo& tensor, const BlockFormat& format,
                             std::uint64_t block);

}  // namespace calibscope::python
