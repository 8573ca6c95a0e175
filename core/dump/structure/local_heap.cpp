// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/local_heap.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <string_view>

namespace calibscope::structure {

namespace {

constexpr std::uint64_t noneFree = 1;  // H5HL_FREE_NULL
constexpr std::uint64_t piece = 64;
constexpr std::uint64_t room = 8;  // all that is in a heap begins at a multiple

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
                   "the free list of its local heap is cyclic or out of bounds");
        const StoredBlock block = file.look(m_address + free, 2 * length);
        StoredReader entry = block.reader();
        const std::uint64_t next = entry.length();
        const std::uint64_t bytes = entry.length();
        entry.require(bytes >= 2 * length && bytes <= m_bytes - free,
                      "the free space of its local heap has an impossible size");
        m_known.push_back({.first = free, .last = free + bytes, .isFree = true});
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
    throw Damage{m_file.placeOf(m_address), "a name lies outside of its local heap"};
}

std::string LocalHeap::take(std::uint64_t offset)
{
    std::string found = text(offset);
    const std::uint64_t end = (offset + found.size() + room) / room * room;
    m_known.push_back({.first = offset, .last = std::min(end, m_bytes)});
    return found;
}

std::string LocalHeap::oddRoom() const
{
    std::vector<Stretch> known = m_known;
    std::ranges::sort(known, {}, &Stretch::first);
    known.push_back({.first = m_bytes, .last = m_bytes, .isFree = true});
    std::uint64_t end = 0;
    bool isFree = true;
    for (const Stretch& one : known) {
        if (one.first < end && (!one.isFree || !isFree))
            return "a member's name overlaps free space or another name";
        if (!one.isFree && one.first % room != 0)
            return "a member's name begins at an impossible offset";
        if (one.first > end + room)
            if (const std::string text = textBetween(end, one.first); !text.empty())
                return "no member is called \"" + text + "\", which stands among their names";
        end = std::max(end, one.last);
        isFree = one.isFree;
    }
    return {};
}

/// A text that has its end there and more bytes than those of removed members whose room is lost.
std::string LocalHeap::textBetween(std::uint64_t first, std::uint64_t last) const
{
    constexpr std::uint64_t mostBytes = std::uint64_t{1} << 20;
    const StoredBlock block = m_file.look(m_address + first, std::min(last - first, mostBytes));
    std::string_view rest = block.bytes;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\0');
        if (end == std::string_view::npos)
            break;
        if (end >= room)
            return validUtf8(rest.substr(0, end));
        rest.remove_prefix(std::min<std::size_t>(room, rest.size()));
    }
    return {};
}

}  // namespace calibscope::structure
