// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/chunk_table.h"

#include "core/dump/structure/stored_bytes.h"
#include "core/dump/structure/tree_one.h"
#include "core/dump/structure/tree_two.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope::structure {

namespace {

/// Requirements on an array of chunks.
struct ChunkArrayShape
{
    std::uint64_t elementBytes = 0;
    bool isFiltered = false;
    std::uint64_t count = 0;  ///< of elements of a fixed array
};

/// Visits the elements of an array of chunks that were ever set, with their index (HDF5 File Format
/// Specification, VII.C and VII.D). Throws Damage.
using ChunkVisitor = std::function<void(std::uint64_t index, StoredReader element)>;

constexpr unsigned mostIndexBits = 48;  // of elements: more would not fit any file

/// Header, block or page of an array: its prefix is checked, the checksum stands behind the rest.
class ArrayReading
{
public:
    ArrayReading(StoredBytes& file, std::uint64_t header, const ChunkArrayShape& shape,
                 const ChunkVisitor& visit)
        : m_file(file), m_header(header), m_shape(shape), m_visit(visit)
    {}

    /// Behind signature, version and kind; in blocks also behind the header's address.
    StoredReader start(const StoredBlock& block, const char* signature, bool isHeader) const
    {
        StoredReader at = block.reader();
        at.signature(signature);
        block.requireChecksum(block.bytes.size());
        at.version(0);
        at.require(at.u8() == (m_shape.isFiltered ? 1U : 0U),
                   "a table of chunks is of another kind");
        at.require(isHeader || at.address() == m_header, "a table of chunks belongs to another");
        at.require(!isHeader || at.u8() == m_shape.elementBytes,
                   "the entries of a table of chunks are of another size");
        return at;
    }

    void visitElements(StoredReader& at, std::uint64_t first, std::uint64_t count) const
    {
        for (std::uint64_t index = first; index < first + count; ++index) {
            const StoredReader element = at.part(m_shape.elementBytes);
            StoredReader chunk = element;
            element.require(index < m_set || chunk.address() == undefinedAddress,
                            "a chunk stands behind the last of its table");
            m_visit(index, element);
        }
    }

    /// Pages of elements one behind the other, each with its checksum; `isSet` tells which.
    template <typename IsSet>
    void visitPages(std::uint64_t address, std::uint64_t first, std::uint64_t count,
                    std::uint64_t pageCount, IsSet isSet) const
    {
        for (std::uint64_t page = 0; page * pageCount < count; ++page) {
            const std::uint64_t inPage = std::min(pageCount, count - page * pageCount);
            const std::uint64_t bytes = inPage * m_shape.elementBytes + 4;
            if (isSet(page)) {
                const StoredBlock block = m_file.take(address, bytes);
                block.requireChecksum(block.bytes.size());
                StoredReader at = block.reader();
                visitElements(at, first + page * pageCount, inPage);
            }
            address += bytes;
        }
    }

protected:
    StoredBytes& m_file;
    std::uint64_t m_header;
    const ChunkArrayShape& m_shape;
    const ChunkVisitor& m_visit;
    std::uint64_t m_set = UINT64_MAX;  ///< elements behind this one were never set
};

bool isBitSet(std::string_view bitmap, std::uint64_t bit)
{
    return (static_cast<unsigned char>(bitmap[static_cast<std::size_t>(bit / 8)]) &
            (0x80U >> (bit % 8))) != 0;
}

class ExtensibleArray : ArrayReading
{
public:
    using ArrayReading::ArrayReading;

    void walk()
    {
        const std::size_t length = m_file.widths().length;
        const StoredBlock header = m_file.take(m_header, 16 + 6 * length + m_file.widths().address);
        StoredReader at = start(header, "EAHD", true);
        const unsigned mostBits = at.u8();
        m_inIndex = at.u8();
        m_leastInBlock = at.u8();
        m_leastPointers = at.u8();
        const unsigned pageBits = at.u8();
        at.skip(4 * length);
        m_set = at.length();
        at.skip(length);
        const std::uint64_t indexBlock = at.address();
        at.require(mostBits <= mostIndexBits && pageBits < mostIndexBits && m_leastPointers >= 2 &&
                       std::has_single_bit(m_leastInBlock) &&
                       std::has_single_bit(m_leastPointers) &&
                       static_cast<unsigned>(std::bit_width(m_leastInBlock)) <= mostBits,
                   "the sizes of a table of chunks are impossible");
        m_pageCount = std::uint64_t{1} << pageBits;
        m_offsetBytes = (mostBits + 7) / 8;
        m_superBlocks = 2U + mostBits - static_cast<unsigned>(std::bit_width(m_leastInBlock));
        if (indexBlock != undefinedAddress)
            readIndex(indexBlock);
        // The library looks at so many, one by one.
        at.require(m_set <= m_end, "a table of chunks tells of more chunks than it has room for");
    }

private:
    /// Of a super block: how many blocks it has, of how many elements each.
    static std::uint64_t blocksOf(unsigned superBlock)
    {
        return std::uint64_t{1} << superBlock / 2;
    }
    [[nodiscard]] std::uint64_t elementsOf(unsigned superBlock) const
    {
        return m_leastInBlock << (superBlock + 1) / 2;
    }

    void readIndex(std::uint64_t address)
    {
        const std::size_t addressBytes = m_file.widths().address;
        const auto direct =
            std::min(m_superBlocks, 2 * static_cast<unsigned>(std::bit_width(m_leastPointers) - 1));
        std::uint64_t pointers = m_superBlocks - direct;
        for (unsigned superBlock = 0; superBlock < direct; ++superBlock)
            pointers += blocksOf(superBlock);
        const StoredBlock block =
            m_file.take(address, 10 + addressBytes + m_inIndex * m_shape.elementBytes +
                                     pointers * addressBytes);
        StoredReader at = start(block, "EAIB", false);
        m_end = m_inIndex;
        visitElements(at, 0, m_inIndex);
        std::uint64_t first = m_inIndex;
        for (unsigned superBlock = 0; superBlock < m_superBlocks; ++superBlock) {
            if (superBlock < direct)
                for (std::uint64_t one = 0; one < blocksOf(superBlock); ++one)
                    readData(at.address(), superBlock, first + one * elementsOf(superBlock), {});
            else
                readSuper(at.address(), superBlock, first);
            first += blocksOf(superBlock) * elementsOf(superBlock);
        }
    }

    void readSuper(std::uint64_t address, unsigned superBlock, std::uint64_t first)
    {
        if (address == undefinedAddress)
            return;
        const std::size_t addressBytes = m_file.widths().address;
        const std::uint64_t elements = elementsOf(superBlock);
        const std::uint64_t bitmapBytes =
            elements > m_pageCount ? (elements / m_pageCount + 7) / 8 : 0;
        const StoredBlock block =
            m_file.take(address, 10 + addressBytes + m_offsetBytes +
                                     blocksOf(superBlock) * (bitmapBytes + addressBytes));
        StoredReader at = start(block, "EASB", false);
        at.require(at.number(m_offsetBytes) == first - m_inIndex,
                   "a part of a table of chunks lies elsewhere in it");
        const std::string_view bitmaps = at.bytes(blocksOf(superBlock) * bitmapBytes);
        for (std::uint64_t one = 0; one < blocksOf(superBlock); ++one)
            readData(at.address(), superBlock, first + one * elements,
                     bitmaps.substr(one * bitmapBytes, bitmapBytes));
    }

    void readData(std::uint64_t address, unsigned superBlock, std::uint64_t first,
                  std::string_view bitmap)
    {
        if (address == undefinedAddress)
            return;
        const std::uint64_t elements = elementsOf(superBlock);
        m_end = std::max(m_end, first + elements);
        const std::uint64_t prefix = 10 + m_file.widths().address + m_offsetBytes;
        const bool isPaged = elements > m_pageCount;
        const StoredBlock block =
            m_file.take(address, prefix + (isPaged ? 0 : elements * m_shape.elementBytes));
        StoredReader at = start(block, "EADB", false);
        at.skip(m_offsetBytes);  // the library counts it in two ways
        if (isPaged)
            visitPages(address + prefix, first, elements, m_pageCount, [&](std::uint64_t page) {
                return bitmap.empty() || isBitSet(bitmap, page);
            });
        else
            visitElements(at, first, elements);
    }

    std::uint64_t m_inIndex = 0;
    std::uint64_t m_leastInBlock = 0;
    std::uint64_t m_leastPointers = 0;
    std::uint64_t m_pageCount = 0;
    std::uint64_t m_end = 0;  ///< behind the last element that has room
    std::size_t m_offsetBytes = 0;
    unsigned m_superBlocks = 0;
};

class FixedArray : ArrayReading
{
public:
    using ArrayReading::ArrayReading;

    void walk()
    {
        const std::size_t addressBytes = m_file.widths().address;
        const StoredBlock header =
            m_file.take(m_header, 12 + m_file.widths().length + addressBytes);
        StoredReader at = start(header, "FAHD", true);
        const unsigned pageBits = at.u8();
        const std::uint64_t count = at.length();
        const std::uint64_t address = at.address();
        at.require(count == m_shape.count && pageBits < mostIndexBits,
                   "a table of chunks has another length than its shape needs");
        if (address == undefinedAddress)
            return;
        const std::uint64_t pageCount = std::uint64_t{1} << pageBits;
        at.require(count <= 8 * m_file.end(), "a table of chunks is longer than the file");
        const bool isPaged = count > pageCount;
        const std::uint64_t bitmapBytes = isPaged ? ((count - 1) / pageCount + 8) / 8 : 0;
        const std::uint64_t prefix = 10 + addressBytes + bitmapBytes;
        const StoredBlock block =
            m_file.take(address, prefix + (isPaged ? 0 : count * m_shape.elementBytes));
        at = start(block, "FADB", false);
        const std::string_view bitmap = at.bytes(bitmapBytes);
        if (isPaged)
            visitPages(address + prefix, 0, count, pageCount,
                       [&](std::uint64_t page) { return isBitSet(bitmap, page); });
        else
            visitElements(at, 0, count);
    }
};

void walkFixedArray(StoredBytes& file, std::uint64_t address, const ChunkArrayShape& shape,
                    const ChunkVisitor& visit)
{
    FixedArray(file, address, shape, visit).walk();
}

void walkExtensibleArray(StoredBytes& file, std::uint64_t address, const ChunkArrayShape& shape,
                         const ChunkVisitor& visit)
{
    ExtensibleArray(file, address, shape, visit).walk();
}

using Coordinates = std::vector<std::uint64_t>;

constexpr unsigned plainTree = 10;
constexpr unsigned filteredTree = 11;

class ChunkCheck
{
public:
    ChunkCheck(StoredBytes& file, const ChunkTable& table)
        : m_file(file), m_table(table), m_axes(table.chunk.size())
    {}

    void run()
    {
        switch (m_table.index) {
        case ChunkTable::Index::TreeOne: checkTreeOne(); break;
        case ChunkTable::Index::Single:
            checkChunk(Coordinates(m_axes, 0),
                       m_table.isFiltered ? m_table.singleBytes : m_table.chunkBytes,
                       m_table.address, m_file.placeOf(m_table.address));
            break;
        case ChunkTable::Index::Implicit: checkImplicit(); break;
        case ChunkTable::Index::FixedArray:
            walkFixedArray(m_file, m_table.address, arrayShape(), arrayVisitor(std::nullopt));
            break;
        case ChunkTable::Index::ExtensibleArray: {
            const auto unlimited = std::ranges::find(m_table.space.mostLengths, UINT64_MAX);
            if (unlimited == m_table.space.mostLengths.end())
                throw Damage{m_file.placeOf(m_table.address), "its shape cannot grow as its table"};
            const auto axis =
                static_cast<std::size_t>(unlimited - m_table.space.mostLengths.begin());
            walkExtensibleArray(m_file, m_table.address, arrayShape(), arrayVisitor(axis));
            break;
        }
        case ChunkTable::Index::TreeTwo: checkTreeTwo(); break;
        }
    }

private:
    /// Chunks along an axis of a length.
    [[nodiscard]] std::uint64_t gridLength(std::size_t axis, std::uint64_t length) const
    {
        return length == 0 ? 0 : (length - 1) / m_table.chunk[axis] + 1;
    }

    /// How wide the size of a filtered chunk is stored, but for trees of version 1.
    [[nodiscard]] std::size_t sizeBytes() const
    {
        const auto log2 = static_cast<std::size_t>(std::bit_width(m_table.chunkBytes) - 1);
        return std::min<std::size_t>(1 + (log2 + 8) / 8, 8);
    }

    /// Where the chunk at those coordinates of the grid lies; its entry stands at `place`.
    void checkChunk(const Coordinates& grid, std::uint64_t bytes, std::uint64_t address,
                    std::uint64_t place)
    {
        for (std::size_t axis = 0; axis < m_axes; ++axis)
            if (grid[axis] >= gridLength(axis, m_table.space.lengths[axis]))
                throw Damage{place, "a chunk lies outside of its shape"};
        if (bytes == 0 || (!m_table.isFiltered && bytes != m_table.chunkBytes))
            throw Damage{place, "a chunk has another size than its elements need"};
        if (!m_file.isInside(address, bytes))
            throw Damage{place, "a chunk lies outside of the file"};
        m_file.claimValues(address, bytes);
    }

    /// The key's coordinates, in elements; its last is a byte in an element, 0 for chunks.
    [[nodiscard]] Coordinates keyCoordinates(StoredReader key, bool isChunk) const
    {
        key.skip(8);
        Coordinates coordinates(m_axes + 1);
        for (std::size_t axis = 0; axis < m_axes; ++axis) {
            coordinates[axis] = key.u64();
            key.require(coordinates[axis] % m_table.chunk[axis] == 0,
                        "a chunk does not begin where chunks do");
        }
        coordinates[m_axes] = key.u64();
        key.require(!isChunk || coordinates[m_axes] == 0, "a chunk begins within an element");
        return coordinates;
    }

    void checkTreeOne()
    {
        const TreeOneShape shape{.type = 1,
                                 .keyBytes = 8 * (m_axes + 2),
                                 .mostEntries = 2 * std::uint64_t{m_table.treeEntries}};
        std::vector<std::pair<Coordinates, Coordinates>> bounds;  // by level, what lies between
        std::optional<Coordinates> last;
        static_cast<void>(
            walkTreeOne(m_file, m_table.address, shape, [&](const TreeOneEntry& entry) {
                const bool isChunk = entry.level == 0;
                Coordinates low = keyCoordinates(entry.lowKey, isChunk);
                const Coordinates high = keyCoordinates(entry.highKey, false);
                entry.lowKey.require(low < high, "its chunks are not in their order");
                if (bounds.size() < entry.level + 1U)
                    bounds.resize(entry.level + 1U);
                bounds[entry.level] = {low, high};
                if (!isChunk)
                    return;
                for (const auto& [least, most] : bounds)  // else the library would not find it
                    entry.lowKey.require(low >= least && low < most,
                                         "its chunks are not in their order");
                entry.lowKey.require(!last || low > *last, "its chunks are not in their order");
                StoredReader key = entry.lowKey;
                const std::uint64_t place = key.place();
                const std::uint64_t bytes = key.u32();
                last = low;
                for (std::size_t axis = 0; axis < m_axes; ++axis)
                    low[axis] /= m_table.chunk[axis];
                checkChunk(low, bytes, entry.child, place);
            }));
    }

    void checkTreeTwo()
    {
        const std::size_t recordBytes =
            m_file.widths().address + 8 * m_axes + (m_table.isFiltered ? sizeBytes() + 4 : 0);
        std::optional<Coordinates> last;
        walkTreeTwo(m_file, m_table.address, m_table.isFiltered ? filteredTree : plainTree,
                    [&](StoredReader record) {
                        record.require(record.left() == recordBytes,
                                       "its chunks' entries are of another size");
                        const std::uint64_t place = record.place();
                        const std::uint64_t address = record.address();
                        const std::uint64_t bytes = storedBytes(record);
                        Coordinates grid(m_axes);
                        for (std::uint64_t& coordinate : grid)
                            coordinate = record.u64();
                        record.require(!last || grid > *last, "its chunks are not in their order");
                        checkChunk(grid, bytes, address, place);
                        last = std::move(grid);
                    });
    }

    /// A chunk's size and mask, where an entry has them.
    [[nodiscard]] std::uint64_t storedBytes(StoredReader& entry) const
    {
        if (!m_table.isFiltered)
            return m_table.chunkBytes;
        const std::uint64_t bytes = entry.number(sizeBytes());
        entry.skip(4);
        return bytes;
    }

    void checkImplicit()
    {
        std::uint64_t bytes = m_table.chunkBytes;
        for (std::size_t axis = 0; axis < m_axes; ++axis)
            if (__builtin_mul_overflow(bytes, gridLength(axis, m_table.space.mostLengths[axis]),
                                       &bytes))
                bytes = UINT64_MAX;
        if (!m_file.isInside(m_table.address, bytes))
            throw Damage{m_file.placeOf(std::min(m_table.address, m_file.end())),
                         "its chunks do not lie in the file"};
        m_file.claimValues(m_table.address, bytes);
    }

    [[nodiscard]] ChunkArrayShape arrayShape() const
    {
        ChunkArrayShape shape{
            .elementBytes = m_file.widths().address, .isFiltered = m_table.isFiltered, .count = 1};
        if (m_table.isFiltered)
            shape.elementBytes += sizeBytes() + 4;
        for (std::size_t axis = 0; axis < m_axes; ++axis)
            if (__builtin_mul_overflow(
                    shape.count, gridLength(axis, m_table.space.mostLengths[axis]), &shape.count))
                shape.count = UINT64_MAX;
        return shape;
    }

    /// Elements stand in the order of the grid as large as it may become; an axis without a limit
    /// comes first.
    [[nodiscard]] ChunkVisitor arrayVisitor(std::optional<std::size_t> unlimited)
    {
        return [this, unlimited](std::uint64_t index, StoredReader element) {
            const std::uint64_t place = element.place();
            const std::uint64_t address = element.address();
            if (address == undefinedAddress)
                return;
            Coordinates grid(m_axes);
            for (std::size_t axis = m_axes; axis-- > 0;) {
                if (axis == unlimited)
                    continue;
                const std::uint64_t length =
                    std::max<std::uint64_t>(gridLength(axis, m_table.space.mostLengths[axis]), 1);
                grid[axis] = index % length;
                index /= length;
            }
            if (unlimited)
                grid[*unlimited] = index;
            checkChunk(grid, storedBytes(element), address, place);
        };
    }

    StoredBytes& m_file;
    const ChunkTable& m_table;
    std::size_t m_axes;
};

}  // namespace

void checkChunkTable(StoredBytes& file, const ChunkTable& table)
{
    if (table.address != undefinedAddress)
        ChunkCheck(file, table).run();
}

}  // namespace calibscope::structure
