// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/position_mask.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// The tensor with its batch axis in front of the others, as its values are visited: shape, channel
/// axis and layout follow. Unchanged where there is no batch axis, or where it is the first.
[[nodiscard]] TensorInfo batchFirst(TensorInfo info);

/// The tensor's mask likewise.
[[nodiscard]] PositionMask batchFirst(PositionMask mask, const TensorInfo& info);

/// Flat index in the file's order of the value at a flat index with the batch axis in front; `info`
/// has its axes as in the file.
[[nodiscard]] std::uint64_t indexInFile(const TensorInfo& info, std::uint64_t batchFirstIndex);

/// Entries per axis, the one of that axis moved to the front.
[[nodiscard]] std::vector<std::uint64_t> movedToFront(std::vector<std::uint64_t> perAxis,
                                                      std::size_t axis);
/// The inverse: the first entry moved back to that axis.
[[nodiscard]] std::vector<std::uint64_t> movedBack(std::vector<std::uint64_t> perAxis,
                                                   std::size_t axis);

/// The elements of a box in row-major order, put into the order that they have when one axis is
/// moved to the front.
///
///      2 x 3, axis 1:   a b c      a d
///                       d e f  ->  b e
///                                  c f
///
/// `count` is the box before; `moved` has as many bytes.
void moveAxisToFront(std::span<const std::byte> box, std::span<const std::uint64_t> count,
                     std::size_t axis, std::size_t elementBytes, std::span<std::byte> moved);

}  // namespace calibscope
