// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/fractal_heap.h"

#include "core/dump/structure/tree_two.h"

#include <algorithm>
#include <bit>
#include <string>

namespace calibscope::structure {

namespace {

constexpr std::uint64_t mostNames = 64;  // of one object, on average: shared messages have many
constexpr unsigned hugeTree = 1;         // type of the tree of huge objects, which no filter packed

unsigned bits(std::uint64_t powerOfTwo)
{
    return static_cast<unsigned>(std::countr_zero(powerOfTwo));
}

}  // namespace

FractalHeap::FractalHeap(StoredBytes& file, std::uint64_t address)
    : m_file(file), m_address(address)
{
    const std::size_t headerBytes = 26 + 12 * file.widths().length + 3 * file.widths().address;
    const StoredBlock header = file.take(address, headerBytes);
    StoredReader at = header.reader();
    at.signature("FRHP");
    at.version(0);
    m_nameBytes = at.u16();
    at.require(at.u16() == 0, "a heap's blocks are packed by filters, which no known writer does");
    header.requireChecksum(headerBytes);
    m_hasChecksums = (at.u8() & 2U) != 0;
    const std::uint64_t mostManaged = at.u32();
    at.skip(file.widths().length);
    const std::uint64_t huge = at.address();
    at.skip(file.widths().length + file.widths().address + 8 * file.widths().length);
    m_width = at.u16();
    m_firstBytes = at.length();
    m_directBytes = at.length();
    const unsigned heapBits = at.u16();
    at.skip(2);
    const std::uint64_t root = at.address();
    const unsigned rows = at.u16();
    at.require(m_nameBytes > 1 && std::has_single_bit(m_width) &&
                   std::has_single_bit(m_firstBytes) && std::has_single_bit(m_directBytes) &&
                   m_firstBytes <= m_directBytes && m_directBytes <= std::uint64_t{1} << 31 &&
                   heapBits <= 63,
               "a heap's sizes are impossible");
    const unsigned firstRowBits = bits(m_firstBytes) + bits(m_width);
    at.require(firstRowBits <= heapBits && rows <= heapBits - firstRowBits + 1,
               "a heap has more rows than can be");
    m_directRows = bits(m_directBytes) - bits(m_firstBytes) + 2;
    m_offsetBytes = (heapBits + 7) / 8;
    m_lengthBytes = std::min<std::size_t>(
        (bits(m_directBytes) + 7) / 8,
        (static_cast<std::size_t>(std::bit_width(mostManaged | 1U)) - 1) / 8 + 1);
    if (huge != undefinedAddress)
        readHuge(huge);
    if (root == undefinedAddress)
        return;
    if (rows == 0) {
        readDirect(root, m_firstBytes, 0);
        return;
    }
    std::vector<Indirect> waiting{{.address = root, .rows = rows, .offset = 0}};
    while (!waiting.empty()) {
        const Indirect next = waiting.back();
        waiting.pop_back();
        readIndirect(next, waiting);
    }
    std::ranges::sort(m_blocks, {}, &Stretch::offset);
}

void FractalHeap::readHuge(std::uint64_t tree)
{
    walkTreeTwo(m_file, tree, hugeTree, [this](StoredReader at) {
        Stretch object{.address = at.address()};
        object.bytes = at.length();
        m_file.claimMetadata(object.address, object.bytes);
        m_huge.emplace(at.length(), object);
    });
}

std::uint64_t FractalHeap::rowBytes(std::uint64_t row) const
{
    return row == 0 ? m_firstBytes : m_firstBytes << (row - 1);
}

std::uint64_t FractalHeap::rowsBelow(std::uint64_t row) const
{
    const unsigned firstRowBits = bits(m_firstBytes) + bits(m_width);
    const unsigned blockBits = bits(rowBytes(row));
    return blockBits < firstRowBits ? 0 : blockBits - firstRowBits + 1;
}

void FractalHeap::readIndirect(const Indirect& block, std::vector<Indirect>& below)
{
    const std::size_t addressBytes = m_file.widths().address;
    const std::uint64_t bytes =
        5 + addressBytes + m_offsetBytes + block.rows * m_width * addressBytes + 4;
    const StoredBlock stored = m_file.take(block.address, bytes);
    StoredReader at = stored.reader();
    at.signature("FHIB");
    stored.requireChecksum(stored.bytes.size());
    at.version(0);
    at.require(at.address() == m_address, "a heap's block belongs to another heap");
    at.require(at.number(m_offsetBytes) == block.offset, "a heap's block lies elsewhere in it");
    std::uint64_t offset = block.offset;
    for (std::uint64_t entry = 0; entry < block.rows * m_width; ++entry) {
        const std::uint64_t row = entry / m_width;
        const std::uint64_t address = at.address();
        if (address != undefinedAddress) {
            if (row < m_directRows)
                readDirect(address, rowBytes(row), offset);
            else
                below.push_back({.address = address, .rows = rowsBelow(row), .offset = offset});
        }
        offset += rowBytes(row);
    }
}

void FractalHeap::readDirect(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset)
{
    StoredBlock stored = m_file.take(address, bytes);
    StoredReader at = stored.reader();
    at.signature("FHDB");
    at.version(0);
    at.require(at.address() == m_address, "a heap's block belongs to another heap");
    at.require(at.number(m_offsetBytes) == offset, "a heap's block lies elsewhere in it");
    if (m_hasChecksums) {
        const std::size_t checksumAt = 5 + m_file.widths().address + m_offsetBytes;
        const std::uint32_t checksum = at.u32();
        stored.bytes.replace(checksumAt, 4, 4, '\0');
        if (lookup3(stored.bytes) != checksum)
            throw Damage{stored.place, "the checksum of a heap's block is wrong"};
    }
    m_blocks.push_back({.address = address, .bytes = bytes, .offset = offset});
}

StoredBlock FractalHeap::managedObject(StoredReader name) const
{
    const std::uint64_t offset = name.number(m_offsetBytes);
    const std::uint64_t bytes = name.number(m_lengthBytes);
    const auto behind = std::ranges::upper_bound(m_blocks, offset, {}, &Stretch::offset);
    name.require(behind != m_blocks.begin(), "an object of a heap lies outside of it");
    const Stretch& block = *(behind - 1);
    const std::uint64_t inBlock = offset - block.offset;
    const std::uint64_t prefix =
        5 + m_file.widths().address + m_offsetBytes + (m_hasChecksums ? 4 : 0);
    name.require(bytes > 0 && inBlock >= prefix && inBlock < block.bytes &&
                     bytes <= block.bytes - inBlock,
                 "an object of a heap lies outside of it");
    m_file.spend(m_file.placeOf(block.address), bytes / mostNames);
    return m_file.look(block.address + inBlock, bytes);
}

StoredBlock FractalHeap::object(StoredReader name) const
{
    const std::uint64_t place = name.place();
    const unsigned flags = name.u8();
    name.require(flags >> 6 == 0, "an object of a heap is named in an unknown way");
    switch (flags >> 4 & 3U) {
    case 0: return managedObject(name);
    case 1: {
        const auto huge = m_huge.find(name.number(std::min<std::size_t>(name.left(), 8)));
        if (huge == m_huge.end())
            throw Damage{place, "an object of a heap is not in it"};
        m_file.spend(m_file.placeOf(huge->second.address), huge->second.bytes / mostNames);
        return m_file.look(huge->second.address, huge->second.bytes);
    }
    case 2:
        return {.bytes = std::string(name.bytes((flags & 15U) + 1U)),
                .place = place + 1,
                .widths = m_file.widths()};
    default: name.fail("an object of a heap is named in an unknown way");
    }
}

}  // namespace calibscope::structure
