// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/shared_messages.h"

#include <string>

namespace calibscope::structure {

namespace {

constexpr std::uint64_t mostFoundBytes = std::uint64_t{32} << 20;

}  // namespace

void SharedMessages::readTable(std::uint64_t address, unsigned indexCount)
{
    const std::size_t bytes = 8 + indexCount * (14 + 2 * m_file.widths().address);
    const StoredBlock table = m_file.take(address, bytes);
    StoredReader at = table.reader();
    at.signature("SMTB");
    table.requireChecksum(bytes);
    for (unsigned index = 0; index < indexCount; ++index) {
        at.version(0);
        at.skip(1);
        Index& one = m_indices.emplace_back();
        one.types = at.u16();
        at.skip(10);
        at.skip(m_file.widths().address);
        one.heap = at.address();
    }
}

StoredBlock SharedMessages::inHeap(unsigned type, StoredReader name)
{
    for (const Index& index : m_indices) {
        if ((index.types >> type & 1U) == 0)
            continue;
        std::unique_ptr<FractalHeap>& heap = m_heaps[index.heap];
        if (!heap) {
            const std::uint64_t owner = m_file.owner();
            m_file.setOwner(0);
            try {
                heap = std::make_unique<FractalHeap>(m_file, index.heap);
            } catch (const Damage&) {
                m_file.setOwner(owner);
                throw;
            }
            m_file.setOwner(owner);
        }
        return heap->object(name);
    }
    name.fail("the file has no shared messages of its kind");
}

StoredBlock SharedMessages::ofObject(unsigned type, std::uint64_t address)
{
    const ObjectHeader header = readObjectHeader(m_file, address);
    const StoredMessage* found = header.first(type);
    if (found == nullptr || found->isShared())
        throw Damage{m_file.placeOf(address), "the object there is no named type"};
    StoredReader body = found->body;
    const std::uint64_t place = body.place();
    return {.bytes = std::string(body.bytes(body.left())), .place = place, .widths = body.widths()};
}

StoredReader SharedMessages::find(unsigned type, StoredReader reference)
{
    StoredReader whole = reference;
    const std::pair<unsigned, std::string> key{type, whole.bytes(whole.left())};
    if (const auto known = m_found.find(key); known != m_found.end())
        return known->second.reader();
    const unsigned version = reference.u8();
    const unsigned kind = reference.u8();
    reference.require(version >= 1 && version <= 3, "the version of a shared message is unknown");
    if (version == 1)
        reference.skip(6 + m_file.widths().length);
    StoredBlock block =
        version == 3 && kind == 1 ? inHeap(type, reference) : ofObject(type, reference.address());
    m_foundBytes += block.bytes.size();
    reference.require(m_foundBytes <= mostFoundBytes, "the file's shared messages are too large");
    return m_found.emplace(key, std::move(block)).first->second.reader();
}

}  // namespace calibscope::structure
