// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace calibscope {

/// The float32 sum of torch.sum (PyTorch 1.13) on a CPU with registers of eight float32 (AVX2) and
/// one thread: four times eight running sums, carried over to further ones every 16 steps or more
/// and added at the end. Other registers and more than one thread (from 32768 values on) add in
/// another order. 0 for no values.
[[nodiscard]] float torchSum(std::span<const float> values);

}  // namespace calibscope
