// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace calibscope {

/// A box of a tensor: per axis, in the order of the file, its first index and its length.
struct ValueBox
{
    std::vector<std::uint64_t> start;
    std::vector<std::uint64_t> count;

    /// Product of the lengths.
    [[nodiscard]] std::uint64_t values() const;
};

/// A tensor's values by boxes, in any order: for who looks at parts of what is too large to be
/// visited as a whole (ValueSource). Not for several threads at a time.
struct ValueBoxes
{
    TensorInfo info;  ///< with its axes as in the file
    /// Per axis, the box that is read as a whole whatever is asked for of it; all 1 for values in
    /// one piece, of which any run can be read.
    std::vector<std::uint64_t> chunk;
    std::size_t elementBytes = sizeof(float);  ///< as stored, unpacked
    /// The values of boxes inside the shape, none of them empty, each in row-major order and one
    /// box behind the other. They live until the next call. Memory: of these values, and of one
    /// chunk for each thread. Throws Error(Input) where they can't be read, Cancelled.
    std::function<std::span<const float>(std::span<const ValueBox>, const Progress&)> read;
};

/// Boxes of values in memory, in row-major order; they must outlive it, as many as the shape tells.
[[nodiscard]] ValueBoxes boxesOf(TensorInfo info, std::span<const float> values);

}  // namespace calibscope
