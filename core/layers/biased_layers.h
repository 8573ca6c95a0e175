// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope::layers {

/// A layer of a dump with a bias: places of its tensors among those of the dump.
struct BiasedLayer
{
    std::size_t weight = 0;
    std::size_t input = 0;
    std::size_t bias = 0;

    bool operator==(const BiasedLayer&) const = default;
};

/// The layers whose weight, input and bias a dump has: of each activation that Conv, ConvTranspose
/// or Gemm made, by the inputs that were recorded for it; of a MatMul with a weight, whose result
/// an Add takes with a bias. Without recorded inputs or biases there are none.
[[nodiscard]] std::vector<BiasedLayer> biasedLayers(std::span<const TensorInfo> tensors);

}  // namespace calibscope::layers
