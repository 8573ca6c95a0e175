// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/slab_plan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope::hdf5 {

/// Writes an element over and over, as often as there is room for it.
void repeat(std::span<const std::byte> element, std::span<std::byte> room);

/// Which elements a chunk and a slab (any box of a dataset) have in common, and where they lie in
/// both.
class ChunkBox
{
public:
    /// `origin`: the chunk's first element, per axis. Requires that they have some in common.
    ChunkBox(const std::vector<std::uint64_t>& chunk, const std::vector<std::uint64_t>& origin,
             const Slab& slab, std::size_t elementBytes);

    /// Whether chunk and slab have the same elements in the same order.
    [[nodiscard]] bool isWholeSlab() const { return m_isWholeSlab; }
    /// Copies the chunk's bytes to their places in the slab's.
    void copy(std::span<const std::byte> chunk, std::span<std::byte> slab) const;
    /// Writes an element, over and over, to where the chunk's bytes would go.
    void fill(std::span<const std::byte> element, std::span<std::byte> slab) const;

private:
    struct Axis
    {
        std::size_t count = 0;       ///< elements to be copied
        std::size_t chunkBytes = 0;  ///< from one to the next
        std::size_t slabBytes = 0;
    };
    template <typename Write>
    void forEachRun(std::size_t axis, std::size_t from, std::size_t to, const Write& write) const;

    std::vector<Axis> m_axes;
    std::size_t m_runAxis = 0;  ///< from here on elements are neighbours in both
    std::size_t m_chunkOffset = 0;
    std::size_t m_slabOffset = 0;
    bool m_isWholeSlab = false;
};

}  // namespace calibscope::hdf5
