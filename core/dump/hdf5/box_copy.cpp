#include "core/dump/hdf5/box_copy.h"

#include <algorithm>
#include <cstring>

namespace calibscope::hdf5 {

ChunkBox::ChunkBox(const std::vector<std::uint64_t>& chunk,
                   const std::vector<std::uint64_t>& origin, const Slab& slab,
                   std::size_t elementBytes)
    : m_axes(chunk.size())
{
    std::size_t chunkBytes = elementBytes;
    std::size_t slabBytes = elementBytes;
    for (std::size_t axis = chunk.size(); axis-- > 0;) {
        const std::uint64_t first = origin[axis] - slab.start[axis];
        m_axes[axis] = {.count = std::min(chunk[axis], slab.count[axis] - first),
                        .chunkBytes = chunkBytes,
                        .slabBytes = slabBytes};
        m_slabOffset += first * slabBytes;
        chunkBytes *= chunk[axis];
        slabBytes *= slab.count[axis];
    }
    m_runAxis = chunk.size() - 1;
    while (m_runAxis > 0 && chunk[m_runAxis] == slab.count[m_runAxis])
        --m_runAxis;
    m_isWholeSlab = chunk == slab.count;
}

void ChunkBox::copyAxis(std::size_t axis, const std::byte* from, std::byte* to) const
{
    const Axis& along = m_axes[axis];
    if (axis == m_runAxis) {
        std::memcpy(to, from, along.count * along.chunkBytes);
        return;
    }
    for (std::size_t index = 0; index < along.count; ++index)
        copyAxis(axis + 1, from + index * along.chunkBytes, to + index * along.slabBytes);
}

void ChunkBox::copy(std::span<const std::byte> chunk, std::span<std::byte> slab) const
{
    copyAxis(0, chunk.data(), slab.data() + m_slabOffset);
}

}  // namespace calibscope::hdf5
