// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/reading_loss.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

struct TensorProfile;

/// Consecutive values of one batch, in row-major order.
struct Block
{
    std::span<const float> values;
    std::uint64_t firstIndex = 0;  ///< flat index in the tensor of the first value
    std::uint64_t batch = 0;
    std::span<const LostValue> lost = {};     ///< values that were read otherwise than they are
                                              ///< stored, ascending by place
    std::optional<std::uint64_t> place = {};  ///< byte of the file where the first value is stored,
                                              ///< and the others behind it; nothing where they are
                                              ///< packed, in chunks, or in no file
};

using BlockVisitor = std::function<void(const Block&)>;

/// A tensor's values, to be visited as often as needed, block by block in order. Where they come
/// from is not its consumers' concern: a file, memory, or one channel of another source.
struct ValueSource
{
    TensorInfo info;
    /// Calls the visitor for each block, in order; every pass sees the same blocks. Throws
    /// Error(Input) where the values can't be read, Cancelled from the progress.
    std::function<void(const BlockVisitor&, const Progress&)> visit;
    bool isInMemory = false;  ///< a visit reads no file
    /// What was kept of the values, where they are gone: then a visit throws NoValues. Empty: they
    /// are there.
    std::function<TensorProfile()> storedProfile = {};
};

/// A source of values in memory; `values` must outlive it and has info.valueCount() entries. One
/// block per batch.
[[nodiscard]] ValueSource sourceOf(TensorInfo info, std::span<const float> values);

/// All values, in the order of the visit.
[[nodiscard]] std::vector<float> readAll(const ValueSource& source, const Progress& progress = {});

}  // namespace calibscope
