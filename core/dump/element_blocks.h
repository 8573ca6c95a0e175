// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// The elements of a tensor as a file holds them: in one piece, row-major.
struct StoredElements
{
    std::string who;                   ///< "PATH:/tensor: ", before sentences
    std::vector<std::uint64_t> shape;  ///< of all of them, axes as in the file
    std::uint64_t memoryBytes = 0;     ///< that may be taken
    bool isBigEndian = false;
    /// Calls its argument with whole elements, in order.
    std::function<void(const std::function<void(std::span<const std::byte>)>&)> visit;
};

/// Values of the tensor, with the axes and batches of `info`, in blocks of one batch each. Throws
/// Error(Input) where it is unreadable, or its batches lie along another axis than the first and
/// twice its bytes are more than the memory that may be taken.
void visitElements(const StoredElements& stored, const TensorInfo& info,
                   const BlockVisitor& visitor, const Progress& progress);

/// Values of a source by boxes. With the first box all are read and held: throws Error(Input) where
/// they take more memory than may be taken. `sourceOf`: makes the source of what it is given, the
/// tensor without batches.
[[nodiscard]] ValueBoxes heldBoxes(const std::string& who, TensorInfo info,
                                   std::uint64_t memoryBytes,
                                   const std::function<ValueSource(TensorInfo)>& sourceOf);

}  // namespace calibscope
