#include "core/dump/structure/local_heap.h"

#include <algorithm>

namespace calibscope::structure {

namespace {

constexpr std::uint64_t noneFree = 1;  // H5HL_FREE_NULL
constexpr std::uint64_t piece = 64;

}  // namespace

LocalHeap::LocalHeap(StoredBytes& file, std::uint64_t address) : m_file(file)
{
    const std::size_t length = file.widths().length;
    const StoredBlock header = file.take(address, 8 + 2 * length + file.widths().address);
    StoredReader at = header.reader();
    at.signature("HEAP");
    at.version(0);
    at.skip(3);
    m_bytes = at.length();
    std::uint64_t free = at.length();
    m_address = at.address();
    file.claimMetadata(m_address, m_bytes);
    for (std::uint64_t count = 0; free != noneFree && free != undefinedAddress; ++count) {
        at.require(count <= m_bytes / (2 * length) && free <= m_bytes &&
                       m_bytes - free >= 2 * length,
                   "the free room of its names' heap goes in circles or lies outside of it");
        const StoredBlock block = file.look(m_address + free, 2 * length);
        StoredReader room = block.reader();
        const std::uint64_t next = room.length();
        const std::uint64_t bytes = room.length();
        room.require(bytes >= 2 * length && bytes <= m_bytes - free,
                     "the free room of its names' heap has an impossible size");
        free = next;
    }
}

std::string LocalHeap::text(std::uint64_t offset) const
{
    std::string found;
    while (offset < m_bytes) {
        const StoredBlock block =
            m_file.look(m_address + offset, std::min(piece, m_bytes - offset));
        const std::size_t end = block.bytes.find('\0');
        found += block.bytes.substr(0, end);
        if (end != std::string::npos)
            return found;
        offset += piece;
    }
    throw Damage{m_file.placeOf(m_address), "a name lies outside of the names' heap there"};
}

}  // namespace calibscope::structure
