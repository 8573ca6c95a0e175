// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/chunk_table.h"

#include "core/dump/structure/chunk_arrays.h"
#include "core/dump/structure/tree_one.h"
#include "core/dump/structure/tree_two.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace calibscope::structure {

namespace {

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
