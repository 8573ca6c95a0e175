// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/zero_blocks.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Zeros in a row that lie in the file one behind the other.
struct ZeroRun
{
    std::uint64_t firstIndex = 0;  ///< flat, in the tensor
    std::uint64_t place = 0;       ///< byte of the file
    std::uint64_t count = 0;

    bool operator==(const ZeroRun&) const = default;
};

/// Counts the zero blocks of a part of a tensor's values. The runs at either end, which may go on
/// where others count, are kept apart.
class ZeroEndsCounter
{
public:
    explicit ZeroEndsCounter(const TensorInfo& info);

    /// Consecutive values of the tensor.
    void add(const Block& block);
    /// What lies between the runs at both ends, which are added to `ends`.
    [[nodiscard]] ZeroBlocks finish(std::vector<ZeroRun>& ends);

private:
    void settle();

    ZeroBlockCounter m_counter;
    std::size_t m_elementBytes;
    bool m_isLeading = true;            ///< all values so far are zeros
    std::optional<ZeroRun> m_trailing;  ///< at the end of what was added
    std::vector<ZeroRun> m_ends;
};

/// What the runs come to that the counters of all parts have left, in any order.
[[nodiscard]] ZeroBlocks zeroBlocksOf(const TensorInfo& info, std::vector<ZeroRun> ends);

}  // namespace calibscope
