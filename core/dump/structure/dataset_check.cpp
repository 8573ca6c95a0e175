// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/chunk_table.h"
#include "core/dump/structure/local_heap.h"
#include "core/dump/structure/stored_type.h"
#include "core/dump/structure/structure_parts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::structure {

namespace {

constexpr unsigned shuffle = 2;  // H5Z_FILTER_SHUFFLE
constexpr unsigned firstForeignFilter = 256;
constexpr unsigned mostFilters = 32;  // H5Z_MAX_NFILTERS
constexpr std::uint64_t mostChunkBytes = UINT32_MAX;
constexpr unsigned mostSelectionAxes = 32;

/// How a virtual dataset's mapping selects elements; it is only stepped over, so that no name or
/// count in it leads outside.
void skipSelection(StoredReader& at)
{
    const std::uint32_t kind = at.u32();
    at.require(kind <= 3, "a selection of it is of no known kind");
    const std::uint32_t version = at.u32();
    if (kind == 0 || kind == 3) {  // none, all
        at.skip(8);
        return;
    }
    at.require(version >= 1 && version <= 3, "the version of a selection is unknown");
    if (kind == 2 && version >= 2) {
        const unsigned flags = at.u8();
        const std::size_t width = version == 2 ? 8 : at.u8();
        at.skip(version == 2 ? 4 : 0);
        const std::uint32_t axes = at.u32();
        at.require(axes > 0 && axes <= mostSelectionAxes && width <= 8,
                   "a selection of it has axes that cannot be");
        const std::uint64_t blocks = (flags & 1U) != 0 ? 2 : at.number(version == 2 ? 4 : width);
        at.require(blocks <= at.left() + 2, "a selection of it breaks off");
        at.skip(2 * axes * width * blocks);
        return;
    }
    const std::size_t width = kind == 1 && version == 2 ? at.u8() : 4;
    at.skip(version == 1 ? 8 : 0);
    const std::uint32_t axes = at.u32();
    at.require(axes > 0 && axes <= mostSelectionAxes && width <= 8,
               "a selection of it has axes that cannot be");
    const std::uint64_t count = at.number(width);
    at.require(count <= at.left(), "a selection of it breaks off");
    at.skip(count * axes * width * (kind == 2 ? 2 : 1));
}

class DatasetCheck
{
public:
    DatasetCheck(StructureParts& parts, const ObjectHeader& header)
        : m_parts(parts), m_header(header)
    {}

    CheckedDataset run()
    {
        StoredReader type = body(message::datatype, "there is no element type in its header");
        StoredReader space = body(message::dataspace, "there is no shape in its header");
        const StoredReader layout = body(message::layout, "there is no storage in its header");
        const StoredReader wholeType = type;
        m_element = readElement(type);
        const std::string roomBehindType =
            roomIn(type, "its element type", "it may have been another one");
        m_space = readSpace(space);
        // A single value is not a tensor, of which nothing is reported: it must be one.
        const std::string roomBehindSpace = roomIn(space, "its shape", "it may have had more axes");
        space.require(roomBehindSpace.empty() || m_space.kind != StoredSpace::Kind::Scalar,
                      "its shape is a single value with room for axes behind it");
        checkFilters();
        checkFill();
        checkRawFiles();
        checkLayout(layout);
        CheckedDataset checked{.doubt = !roomBehindType.empty()    ? roomBehindType
                                        : !roomBehindSpace.empty() ? roomBehindSpace
                                                                   : oddShape(),
                               .plain = {}};
        if (checked.doubt.empty() && isPlain())
            checked.plain = plainOf(wholeType, wholeType.left() - type.left());
        return checked;
    }

private:
    StoredReader body(unsigned type, const char* missing)
    {
        const StoredMessage* found = m_header.first(type);
        if (found == nullptr)
            throw Damage{m_parts.file.placeOf(m_parts.file.owner()), missing};
        return m_parts.shared.bodyOf(*found);
    }

    /// A message ends at the next multiple of 8 bytes. A float whose kind was damaged to an
    /// integer's leaves more, and nothing else tells.
    static std::string roomIn(const StoredReader& message, const char* what, const char* meaning)
    {
        constexpr std::size_t alignment = 8;
        if (message.left() < alignment)
            return {};
        return std::string(what) + " has room for " + std::to_string(message.left()) +
               " bytes more in the file: " + meaning;
    }

    /// A shape that damage made smaller leaves values out, and nothing else tells. Samples along
    /// the first axis may still come; further axes that are shorter than a chunk though they could
    /// hold more were not meant so, nor was any that can grow without chunks.
    [[nodiscard]] std::string oddShape() const
    {
        for (std::size_t axis = 0; axis < m_space.lengths.size(); ++axis) {
            const std::uint64_t length = m_space.lengths[axis];
            const std::uint64_t most = m_space.mostLengths[axis];
            const bool isShortened = m_chunk.empty() ? m_isInOnePiece && length < most
                                                     : axis > 0 && most != UINT64_MAX &&
                                                           length < most && length < m_chunk[axis];
            if (isShortened)
                return "axis " + std::to_string(axis) + " of its shape has length " +
                       std::to_string(length) + " but room for " + std::to_string(most) +
                       ": check whether the file is damaged";
        }
        return {};
    }

    /// Nothing but elements, shape, an address, times and attributes is in the header.
    [[nodiscard]] bool isPlain() const
    {
        constexpr std::uint64_t kinds =
            1U | 1U << message::dataspace | 1U << message::datatype | 1U << message::oldFill |
            1U << message::fill | 1U << message::layout | 1U << message::attribute |
            1U << message::continuation | 1U << message::time | 1U << message::attributeInfo;
        return m_isWhole && !m_hasFillValue &&
               std::ranges::all_of(m_header.messages, [](const StoredMessage& one) {
                   return one.type < 64 && (kinds >> one.type & 1U) != 0 && !one.isShared();
               });
    }

    [[nodiscard]] std::optional<PlainDataset> plainOf(StoredReader type,
                                                      std::size_t typeBytes) const
    {
        PlainDataset plain{
            .type = std::string(type.bytes(typeBytes)), .shape = m_space.lengths, .attributes = {}};
        constexpr unsigned floats = 1;  // and 0: integers
        if ((static_cast<unsigned char>(plain.type.front()) & 15U) > floats)
            return std::nullopt;
        return plain;
    }

    void checkFilters()
    {
        const StoredMessage* found = m_header.first(message::filters);
        if (found == nullptr)
            return;
        StoredReader at = m_parts.shared.bodyOf(*found);
        const unsigned version = at.version(1, 2, "its list of filters");
        const unsigned count = at.u8();
        at.require(count <= mostFilters, "it has too many filters");
        at.skip(version == 1 ? 6 : 0);
        m_filterCount = count;
        for (unsigned filter = 0; filter < count; ++filter) {
            const unsigned id = at.u16();
            const unsigned nameBytes = version == 1 || id >= firstForeignFilter ? at.u16() : 0;
            at.skip(2);
            const unsigned values = at.u16();
            at.skip(version == 1 ? (nameBytes + 7) / 8 * 8 : nameBytes);
            StoredReader parameters = at.part(4 * std::uint64_t{values});
            at.skip(version == 1 && values % 2 == 1 ? 4 : 0);
            if (id == shuffle && values > 0)
                at.require(parameters.u32() == m_element.bytes,
                           "its bytes are shuffled for elements of another size");
        }
    }

    void checkFill()
    {
        for (const StoredMessage& one : m_header.messages) {
            if (one.type != message::fill && one.type != message::oldFill)
                continue;
            StoredReader at = m_parts.shared.bodyOf(one);
            bool hasValue = true;
            if (one.type == message::fill) {
                const unsigned version = at.version(1, 3, "its fill value");
                const unsigned flags = version == 3 ? at.u8() : 0;
                at.skip(version == 3 ? 0 : 2);
                const unsigned defined = version == 3 ? flags >> 5 & 1U : at.u8();
                hasValue = defined != 0 || version == 1;
            }
            const std::uint32_t bytes = hasValue ? at.u32() : 0;
            if (bytes == 0 || bytes == UINT32_MAX)
                continue;
            m_hasFillValue = true;
            StoredReader value = at.part(bytes);
            at.require(bytes == m_element.bytes,
                       "its fill value has another size than its elements");
            if (m_element.isVariable)
                checkVariable(m_parts, value, m_element.variableBytes);
            else
                at.require(!m_element.holdsVariable, "its fill value is a text within a record");
        }
    }

    void checkRawFiles()
    {
        const StoredMessage* found = m_header.first(message::rawFiles);
        if (found == nullptr)
            return;
        StoredReader at = m_parts.shared.bodyOf(*found);
        at.version(1);
        at.skip(5);
        const unsigned count = at.u16();
        const LocalHeap names(m_parts.file, at.address());
        for (unsigned file = 0; file < count; ++file) {
            static_cast<void>(names.text(at.length()));
            at.skip(2 * at.widths().length);
        }
    }

    void checkLayout(StoredReader at)
    {
        const unsigned version = at.version(1, 4, "its storage");
        if (version < 3)
            return checkEarliestLayout(at);
        const unsigned kind = at.u8();
        switch (kind) {
        case 0:
            m_isInOnePiece = true;
            at.skip(at.u16());
            break;
        case 1: {
            m_isInOnePiece = m_header.first(message::rawFiles) == nullptr;
            const std::uint64_t address = at.address();
            const std::uint64_t bytes = at.length();
            at.require(m_space.kind != StoredSpace::Kind::Scalar || address == undefinedAddress ||
                           bytes == m_element.bytes,
                       "its storage is not that of a single value");
            claimPiece(address, bytes);
            m_isWhole = m_isInOnePiece && m_space.kind == StoredSpace::Kind::Simple && bytes > 0 &&
                        address != undefinedAddress && m_parts.file.isInside(address, bytes) &&
                        m_space.count() <= UINT64_MAX / m_element.bytes &&
                        bytes == m_space.count() * m_element.bytes;
            break;
        }
        case 2: version == 3 ? checkChunksThree(at) : checkChunksFour(at); break;
        case 3: checkMappings(at); break;
        default: at.fail("its storage is of no known kind");
        }
    }

    void checkEarliestLayout(StoredReader& at)
    {
        const unsigned axes = at.u8();
        const unsigned kind = at.u8();
        at.skip(5);
        at.require(kind <= 2 && axes <= 33, "its storage is of no known kind");
        ChunkTable table;
        table.address = kind == 0 ? undefinedAddress : at.address();
        for (unsigned axis = 0; axis < axes; ++axis)
            table.chunk.push_back(at.u32());
        if (kind == 0)
            at.skip(at.u32());
        else if (kind == 1)
            claimPiece(table.address, m_element.bytes * m_space.count());
        else if (!table.chunk.empty()) {
            const std::uint64_t elementBytes = table.chunk.back();  // stands as a last axis
            table.chunk.pop_back();
            checkTable(at, std::move(table), elementBytes);
        }
    }

    /// Values in one piece; where they do not fit shape or file is reported where storage is read.
    void claimPiece(std::uint64_t address, std::uint64_t bytes)
    {
        if (address != undefinedAddress && m_parts.file.isInside(address, bytes))
            m_parts.file.claimValues(address, bytes);
    }

    void checkChunksThree(StoredReader& at)
    {
        ChunkTable table;
        const unsigned axes = at.u8();
        at.require(axes > 1 && axes <= 33, "its chunks have axes that cannot be");
        table.address = at.address();
        for (unsigned axis = 0; axis + 1 < axes; ++axis)
            table.chunk.push_back(at.u32());
        checkTable(at, std::move(table), at.u32());
    }

    void checkChunksFour(StoredReader& at)
    {
        ChunkTable table;
        const unsigned flags = at.u8();
        const unsigned axes = at.u8();
        const std::size_t width = at.u8();
        at.require(axes > 1 && axes <= 33 && width >= 1 && width <= 8,
                   "its chunks have axes that cannot be");
        for (unsigned axis = 0; axis + 1 < axes; ++axis)
            table.chunk.push_back(at.number(width));
        const std::uint64_t elementBytes = at.number(width);
        const unsigned index = at.u8();
        at.require(index >= 1 && index <= 5, "its table of chunks is of no known kind");
        table.index = static_cast<ChunkTable::Index>(index);
        table.singleBytes = index == 1 && (flags & 2U) != 0 ? at.length() : 0;
        at.skip(index == 1   ? (flags & 2U) * 2
                : index == 2 ? 0
                : index == 3 ? 1
                : index == 4 ? 5
                             : 6);
        table.address = at.address();
        at.require(index != 2 || m_filterCount == 0, "its table of chunks allows no filters");
        checkTable(at, std::move(table), elementBytes);
    }

    void checkTable(const StoredReader& at, ChunkTable table, std::uint64_t elementBytes)
    {
        at.require(m_space.kind == StoredSpace::Kind::Simple &&
                       table.chunk.size() == m_space.lengths.size(),
                   "its chunks have other axes than its shape");
        at.require(elementBytes == m_element.bytes, "its chunks have elements of another size");
        table.chunkBytes = elementBytes;
        for (const std::uint64_t length : table.chunk)
            at.require(length > 0 &&
                           !__builtin_mul_overflow(table.chunkBytes, length, &table.chunkBytes) &&
                           table.chunkBytes <= mostChunkBytes,
                       "its chunks are empty or too large");
        m_chunk = table.chunk;
        table.space = m_space;
        table.isFiltered = m_filterCount > 0;
        table.treeEntries = m_parts.superblock.chunkK;
        checkChunkTable(m_parts.file, table);
    }

    /// A virtual dataset's mappings stand in the global heap.
    void checkMappings(StoredReader& at)
    {
        const std::uint64_t collection = at.address();
        const std::uint32_t index = at.u32();
        if (collection == undefinedAddress || collection == 0)
            return;
        const GlobalHeap::Item item = m_parts.texts.find(collection, index);
        const StoredBlock block = m_parts.file.look(item.address, item.bytes);
        block.requireChecksum(block.bytes.size());
        StoredReader mapping = block.reader();
        mapping.version(0);
        const std::uint64_t count = mapping.length();
        for (std::uint64_t one = 0; one < count; ++one) {
            static_cast<void>(mapping.text());
            static_cast<void>(mapping.text());
            skipSelection(mapping);
            skipSelection(mapping);
        }
        mapping.require(mapping.left() == 4, "its mappings do not end where they should");
    }

    StructureParts& m_parts;
    const ObjectHeader& m_header;
    StoredElement m_element;
    StoredSpace m_space;
    unsigned m_filterCount = 0;
    bool m_isInOnePiece = false;  ///< in this file, as far as is known
    bool m_isWhole = false;       ///< so, and all of its elements are there
    bool m_hasFillValue = false;
    std::vector<std::uint64_t> m_chunk;  ///< empty: no chunks
};

}  // namespace

CheckedDataset checkDataset(StructureParts& parts, const ObjectHeader& header)
{
    return DatasetCheck(parts, header).run();
}

}  // namespace calibscope::structure
