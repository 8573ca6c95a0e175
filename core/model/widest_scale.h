// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensor_scales.h"

#include <span>

namespace calibscope::model {

/// One scale for the values of all, each of one scale: that of the one whose range holds all
/// others' ranges; where none does, a scale and zero point over all of them, with levels from -128
/// to 127. Requires at least one, and usable scales. Names are the first one's.
[[nodiscard]] TensorScales widestOf(std::span<const TensorScales> scales);

/// One scale for all channels, likewise: the widest channel's.
[[nodiscard]] TensorScales perTensor(const TensorScales& scales);

/// The same range on levels that reach to `mostLevel` both ways, where the levels reach beyond it.
[[nodiscard]] TensorScales withinLevels(const TensorScales& scales, int mostLevel);

}  // namespace calibscope::model
