#pragma once

#include "core/dump/slab_plan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope::hdf5 {

/// Where the elements of a chunk lie in a slab that holds it, as far as it lies in the dataset.
class ChunkBox
{
public:
    /// `origin`: the chunk's first element, per axis, not before the slab's.
    ChunkBox(const std::vector<std::uint64_t>& chunk, const std::vector<std::uint64_t>& origin,
             const Slab& slab, std::size_t elementBytes);

    /// Whether chunk and slab have the same elements in the same order.
    [[nodiscard]] bool isWholeSlab() const { return m_isWholeSlab; }
    /// Copies the chunk's bytes to their places in the slab's.
    void copy(std::span<const std::byte> chunk, std::span<std::byte> slab) const;

private:
    struct Axis
    {
        std::size_t count = 0;       ///< elements to be copied
        std::size_t chunkBytes = 0;  ///< from one to the next
        std::size_t slabBytes = 0;
    };
    void copyAxis(std::size_t axis, const std::byte* from, std::byte* to) const;

    std::vector<Axis> m_axes;
    std::size_t m_runAxis = 0;  ///< from here on elements are neighbours in both
    std::size_t m_slabOffset = 0;
    bool m_isWholeSlab = false;
};

}  // namespace calibscope::hdf5
