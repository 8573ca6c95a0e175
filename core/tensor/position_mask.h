// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace calibscope {

/// Which values of a tensor count: with as many axes as it, each of its length, or of 1 where what
/// counts is alike along that axis.
struct PositionMask
{
    std::vector<std::uint64_t> shape;
    std::shared_ptr<const std::vector<std::uint8_t>> counts;  ///< row-major; other than 0: counts

    /// Values that count in a tensor of that shape. Its first axis may be shorter than the mask's,
    /// which is then cut.
    [[nodiscard]] std::uint64_t countedIn(std::span<const std::uint64_t> tensor) const;
};

/// Where values count in a tensor of some shape, which PositionMask::countedIn() takes, too.
class MaskRuns
{
public:
    MaskRuns(PositionMask mask, std::span<const std::uint64_t> tensor);

    /// Calls use(first, count, counts) for the longest runs of the `count` values from the flat
    /// index `first` on that all count, or do not, in order.
    using Use = std::function<void(std::uint64_t first, std::uint64_t count, bool counts)>;
    void forEach(std::uint64_t first, std::uint64_t count, const Use& use) const;

private:
    PositionMask m_mask;
    std::vector<std::uint64_t> m_shape;    ///< of the axes up to the last that the mask tells apart
    std::vector<std::uint64_t> m_strides;  ///< of the mask, along these
    std::uint64_t m_inner = 1;             ///< neighbouring values that count alike
};

/// The values that count, at their flat indices in the tensor: a block becomes its runs of these,
/// and an empty block behind them where it ends in others. `mask` fits the source's info, whose own
/// mask is set to what counts of it.
[[nodiscard]] ValueSource masked(ValueSource source, PositionMask mask);

/// The masks of tensors that follow each other along axis 0, of these shapes; of a tensor without a
/// mask (no counts) all values count.
[[nodiscard]] PositionMask joinedMasks(std::span<const PositionMask> masks,
                                       std::span<const std::vector<std::uint64_t>> tensors);

}  // namespace calibscope
