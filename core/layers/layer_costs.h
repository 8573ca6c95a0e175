// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layers/found_layers.h"
#include "core/layers/sample_split.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <span>

namespace calibscope::layers {

/// Multiplications that a layer does for one sample, from its tensors' shapes; 0 where its output is
/// not in the dump or its second operand is an activation.
[[nodiscard]] std::uint64_t multiplicationsOf(const FoundLayer& layer,
                                              std::span<const TensorInfo> tensors);

/// Fewer positions than these, and a layer's remedies overfit: it stays float if all such layers
/// together are below 1 % of the multiplications.
constexpr std::uint64_t fewPositions = 256;

/// Outputs of one channel over the samples that calibrate; 0 where that is not known.
[[nodiscard]] std::uint64_t calibratingPositions(const FoundLayer& layer,
                                                 std::span<const TensorInfo> tensors,
                                                 SplitRule heldOut);

/// Share of the layers with few positions in all multiplications.
struct FewPositions
{
    bool isSmallShare = false;
    double share = 0.0;
};
[[nodiscard]] FewPositions fewPositionsIn(std::span<const TensorInfo> tensors, SplitRule heldOut);

}  // namespace calibscope::layers
