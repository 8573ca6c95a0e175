// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/box_copy.h"

#include <algorithm>
#include <cstring>

namespace calibscope::hdf5 {

void repeat(std::span<const std::byte> element, std::span<std::byte> room)
{
    if (room.size() < element.size())
        return;
    std::ranges::copy(element, room.begin());
    for (std::size_t done = element.size(); done < room.size();) {
        const std::size_t more = std::min(done, room.size() - done);
        std::memcpy(&room[done], room.data(), more);
        done += more;
    }
}

ChunkBox::ChunkBox(const std::vector<std::uint64_t>& chunk,
                   const std::vector<std::uint64_t>& origin, const Slab& slab,
                   std::size_t elementBytes)
    : m_axes(chunk.size())
{
    std::size_t chunkBytes = elementBytes;
    std::size_t slabBytes = elementBytes;
    for (std::size_t axis = chunk.size(); axis-- > 0;) {
        const std::uint64_t first = std::max(origin[axis], slab.start[axis]);
        const std::uint64_t end =
            std::min(origin[axis] + chunk[axis], slab.start[axis] + slab.count[axis]);
        m_axes[axis] = {.count = end - first, .chunkBytes = chunkBytes, .slabBytes = slabBytes};
        m_chunkOffset += (first - origin[axis]) * chunkBytes;
        m_slabOffset += (first - slab.start[axis]) * slabBytes;
        chunkBytes *= chunk[axis];
        slabBytes *= slab.count[axis];
    }
    m_runAxis = chunk.size() - 1;
    while (m_runAxis > 0 && chunk[m_runAxis] == slab.count[m_runAxis] &&
           origin[m_runAxis] == slab.start[m_runAxis])
        --m_runAxis;
    m_isWholeSlab = chunk == slab.count && origin == slab.start;
}

template <typename Write>
void ChunkBox::forEachRun(std::size_t axis, std::size_t from, std::size_t to,
                          const Write& write) const
{
    const Axis& along = m_axes[axis];
    if (axis == m_runAxis) {
        write(from, to, along.count * along.chunkBytes);
        return;
    }
    for (std::size_t index = 0; index < along.count; ++index)
        forEachRun(axis + 1, from + index * along.chunkBytes, to + index * along.slabBytes, write);
}

void ChunkBox::copy(std::span<const std::byte> chunk, std::span<std::byte> slab) const
{
    forEachRun(0, m_chunkOffset, m_slabOffset,
               [&](std::size_t from, std::size_t to, std::size_t bytes) {
                   std::memcpy(&slab[to], &chunk[from], bytes);
               });
}

void ChunkBox::fill(std::span<const std::byte> element, std::span<std::byte> slab) const
{
    forEachRun(0, m_chunkOffset, m_slabOffset,
               [&](std::size_t /*from*/, std::size_t to, std::size_t bytes) {
                   repeat(element, slab.subspan(to, bytes));
               });
}

}  // namespace calibscope::hdf5
