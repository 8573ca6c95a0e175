// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace calibscope {

/// A box of a dataset that is one run of values in row-major order.
struct Slab
{
    std::vector<std::uint64_t> start;  ///< per axis
    std::vector<std::uint64_t> count;
    std::uint64_t firstIndex = 0;  ///< flat index of its first value
    std::uint64_t values = 0;
};

/// How a dataset is cut into slabs: along one axis, in steps that are whole chunks, so that each
/// chunk is read once.
///
/// The axes before the split axis have length 1 in every slab, those behind it their whole length.
///
///      split axis 1, chunks of 1 x 2 x 3:    +--+ +--+ +--+
///      the slabs of row 0 are                |  | |  | |  |  each a run of 2 x 6 values
///                                            +--+ +--+ +--+
struct SlabPlan
{
    std::vector<std::uint64_t> shape;
    std::size_t axis = 0;
    std::uint64_t step = 1;  ///< along the axis; the last slab of a row may be shorter

    /// Values of the largest slab.
    [[nodiscard]] std::uint64_t mostValues() const;
    /// The slab that begins at a flat index. Requires 0, or the end of another slab.
    [[nodiscard]] Slab slabAt(std::uint64_t firstIndex) const;
};

/// The plan with slabs as near below `targetBytes` as whole chunks allow; a slab is larger only
/// where a single row of chunks is. `chunk` has an entry per axis, all 1 for contiguous values.
/// Requires a shape without zeros whose product times `elementBytes` fits 64 bits.
[[nodiscard]] SlabPlan planSlabs(const std::vector<std::uint64_t>& shape,
                                 const std::vector<std::uint64_t>& chunk, std::size_t elementBytes,
                                 std::uint64_t targetBytes);

}  // namespace calibscope
