// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/block_errors.h"
#include "core/metrics/error_tally.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace calibscope {

/// So many values are summed in themselves before their sums are added to others': the grouping
/// that decides a sum's last bits.
constexpr std::size_t errorBlockValues = 4096;

/// Levels of a block's values, from 0 for the quantizer's lowest.
using BlockLevels = std::array<std::uint16_t, errorBlockValues + kernels::vectorRoom>;

/// Calls `use` with the finite ones of each errorBlockValues values, the last block being shorter;
/// a block without finite values is one, too.
void forEachFiniteBlock(std::span<const float> values,
                        const std::function<void(const kernels::ValueBlock&)>& use);

/// The same under every quantizer, so worked out once for a block.
[[nodiscard]] double sumSquaresOf(const kernels::ValueBlock& block);

/// The quantizer's levels as places on a lattice.
[[nodiscard]] kernels::Lattice latticeOf(const Quantizer& quantizer);

/// The errors of a block, of which the sum of squares is known. The largest error is at least
/// `known`, which is one of other blocks. Writes the values' levels.
[[nodiscard]] ErrorSums errorsOf(const kernels::ValueBlock& block, double sumSquares,
                                 const kernels::Lattice& lattice, double known,
                                 BlockLevels& levels);

}  // namespace calibscope
