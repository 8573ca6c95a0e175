// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/global_heap.h"

#include <algorithm>
#include <utility>

namespace calibscope::structure {

namespace {

constexpr std::uint64_t itemPrefix = 8;                      // index, references, 4 unused
constexpr std::uint64_t mostItems = std::uint64_t{1} << 22;  // that are kept
constexpr std::uint64_t leastCollection = 4096;              // H5HG_MINSIZE

}  // namespace

GlobalHeap::Item GlobalHeap::find(std::uint64_t collection, unsigned index)
{
    if (const auto damaged = m_damaged.find(collection); damaged != m_damaged.end())
        throw damaged->second;
    auto found = m_collections.find(collection);
    if (found == m_collections.end()) {
        const std::uint64_t owner = m_file.owner();
        m_file.setOwner(0);
        try {
            found = m_collections.emplace(collection, read(collection)).first;
        } catch (const Damage& damage) {
            m_file.setOwner(owner);
            m_damaged.emplace(collection, damage);
            throw;
        }
        m_file.setOwner(owner);
    }
    const auto item = std::ranges::lower_bound(found->second, index, {}, &Item::index);
    if (item == found->second.end() || item->index != index)
        throw Damage{m_file.placeOf(collection),
                     "the heap there has no item " + std::to_string(index)};
    return *item;
}

GlobalHeap::Items GlobalHeap::read(std::uint64_t address)
{
    const std::size_t prefix = 8 + m_file.widths().length;
    const StoredBlock header = m_file.look(address, prefix);
    StoredReader at = header.reader();
    at.signature("GCOL");
    at.version(1);
    at.skip(3);
    const std::uint64_t bytes = at.length();
    at.require(bytes >= leastCollection, "the heap there is too small");
    m_file.claimMetadata(address, bytes);
    Items items;
    const std::uint64_t room = (itemPrefix + m_file.widths().length + 7) / 8 * 8;
    std::uint64_t done = (prefix + 7) / 8 * 8;
    while (bytes - done >= room) {
        const StoredBlock block = m_file.look(address + done, room);
        StoredReader item = block.reader();
        const unsigned index = item.u16();
        item.skip(itemPrefix - 2);
        const std::uint64_t size = item.length();
        item.require(size <= bytes - done, "an item of the heap is larger than the heap");
        if (index == 0) {  // what is free, with its prefix
            item.require(size >= room, "the free space of the heap has no size");
            done += size;
            continue;
        }
        const std::uint64_t step = room + (size + 7) / 8 * 8;
        item.require(step <= bytes - done, "an item of the heap is larger than the heap");
        items.push_back({.index = index, .address = address + done + room, .bytes = size});
        item.require(++m_count <= mostItems, "the heap has too many items");
        done += step;
    }
    std::ranges::sort(items, {}, &Item::index);
    at.require(std::ranges::adjacent_find(items, {}, &Item::index) == items.end(),
               "two items of the heap have one number");
    return items;
}

}  // namespace calibscope::structure
