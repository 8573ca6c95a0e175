// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_code.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Columns of a row whose blocks are searched together: those of a super-block, the whole row where
/// importance counts next to its mean square, else one block.
[[nodiscard]] std::uint64_t searchedColumns(const BlockFormat& format, std::uint64_t rowLength);

/// Scales of neighbouring blocks of a row by llama.cpp's searches (ggml-quants.c): a few scales near
/// that of the largest magnitude, each refitted by least squares under weights: x^2, rms + |x|, or
/// importance. One scale for each block; the last one may be short. In float32 and in its order of
/// sums, of values over a power of two, which changes no digit and keeps squares within the range.
/// What is not finite is left out. Requires as many importances as values, or none.
[[nodiscard]] std::vector<BlockScale> weightedScales(const BlockFormat& format,
                                                     std::span<const float> values,
                                                     std::span<const float> importance = {});

}  // namespace calibscope
