#include "core/dump/hdf5/read_values.h"

#include "core/base/error.h"
#include "core/dump/batch_first.h"
#include "core/dump/element_decoder.h"
#include "core/dump/hdf5/filters.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/lzf_filter.h"
#include "core/dump/hdf5/raw_slabs.h"
#include "core/dump/slab_plan.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <sys/stat.h>

namespace calibscope::hdf5 {

namespace {

constexpr std::uint64_t slabBytes = std::uint64_t{1} << 20;
/// Along another axis than the first a slab is made of pieces from all over the file.
constexpr std::uint64_t movedSlabBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t mostMovedBytes = 2 * movedSlabBytes;
constexpr std::uint64_t blockValues = std::uint64_t{1} << 18;

[[noreturn]] void fail(const OpenFile& file, const DatasetFacts& facts, const std::string& sentence)
{
    throw Error(Fault::Input, file.identity.path + ":" + facts.path + ": " + sentence);
}

/// Whether the file lost bytes since it was opened: the library would read zeros in their place.
bool becameShorter(const OpenFile& file)
{
    void* descriptor = nullptr;
    struct stat status
    {
    };
    return H5Fget_vfd_handle(file.handle.id(), H5P_DEFAULT, &descriptor) < 0 ||
           ::fstat(*static_cast<const int*>(descriptor), &status) != 0 ||
           static_cast<std::uint64_t>(status.st_size) < file.identity.bytes;
}

/// Whether the library leaves the reader's memory as it is where no chunk was written.
bool leavesGaps(hid_t creationProperties)
{
    H5D_fill_time_t time = H5D_FILL_TIME_ERROR;
    H5D_fill_value_t value = H5D_FILL_VALUE_ERROR;
    return H5Pget_fill_time(creationProperties, &time) < 0 ||
           H5Pfill_value_defined(creationProperties, &value) < 0 || time == H5D_FILL_TIME_NEVER ||
           value == H5D_FILL_VALUE_UNDEFINED;
}

/// Reads slabs of one dataset in the file's own element type, so that the library converts nothing.
/// `axis` of the file comes first in slabs and their bytes.
class SlabReader
{
public:
    SlabReader(const OpenFile& file, const DatasetFacts& facts, std::size_t axis,
               std::size_t elementBytes)
        : m_file(file), m_facts(facts), m_axis(axis), m_elementBytes(elementBytes)
    {
        const Lock lock;
        m_dataset =
            Handle(H5Dopen2(file.handle.id(), facts.path.c_str(), file.others->access()), H5Dclose);
        m_type = Handle(H5Dget_type(m_dataset.id()), H5Tclose);
        m_space = Handle(H5Dget_space(m_dataset.id()), H5Sclose);
        if (!m_space.isValid() || !m_type.isValid())
            fail(file, facts, "cannot be opened (" + lastReason() + "); the file is damaged");
        const Handle properties(H5Dget_create_plist(m_dataset.id()), H5Pclose);
        m_isLzfOfPackedChunks = isLzfOfPackedChunks(properties.id());
        m_leavesGaps = leavesGaps(properties.id());
        if (axis == 0)
            m_raw = RawSlabs::of(m_dataset.id(), properties.id(), elementBytes, facts.chunk);
    }

    /// How many slabs of so many bytes are worth reading at once.
    [[nodiscard]] std::size_t slabsAtOnce(std::uint64_t bytes) const
    {
        return m_raw ? m_raw->slabsAtOnce(bytes) : 1;
    }

    /// Reads the slabs' bytes as stored.
    void read(std::span<SlabRoom> rooms)
    {
        for (SlabRoom& room : rooms) {
            room.bytes.resize(room.slab.values * m_elementBytes);
            room.isFilled = false;
        }
        if (m_raw)
            m_raw->read(rooms);
        for (SlabRoom& room : rooms)
            if (!room.isFilled)
                readByLibrary(room);
        if (becameShorter(m_file))
            fail(m_file, m_facts,
                 "cannot be read: the file became shorter while it was open; open it again");
    }

private:
    void readByLibrary(SlabRoom& room)
    {
        const std::vector<std::uint64_t> count = movedBack(room.slab.count, m_axis);
        if (m_axis == 0) {
            readBox(room.slab, count, room.bytes);
            return;
        }
        m_inFile.resize(room.bytes.size());
        readBox(room.slab, count, m_inFile);
        moveAxisToFront(m_inFile, count, m_axis, m_elementBytes, room.bytes);
    }

    void readBox(const Slab& slab, const std::vector<std::uint64_t>& lengths,
                 std::span<std::byte> bytes)
    {
        const std::vector<std::uint64_t> first = movedBack(slab.start, m_axis);
        if (m_leavesGaps)
            std::ranges::fill(bytes, std::byte{0});
        const Lock lock;
        const LzfOfPackedChunks ofPackedChunks(m_isLzfOfPackedChunks);
        const std::vector<hsize_t> start(first.begin(), first.end());
        const std::vector<hsize_t> count(lengths.begin(), lengths.end());
        // As many axes as in the file: between different ranks the library maps chunks value by
        // value.
        const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
        if (H5Sselect_hyperslab(m_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr) < 0 ||
            H5Dread(m_dataset.id(), m_type.id(), memory.id(), m_space.id(), H5P_DEFAULT,
                    bytes.data()) < 0)
            fail(m_file, m_facts,
                 "values from number " + std::to_string(slab.firstIndex) + " on cannot be read (" +
                     lastReason() + "); the file is damaged, copy or record it again");
    }

    const OpenFile& m_file;
    const DatasetFacts& m_facts;
    std::size_t m_axis;
    std::size_t m_elementBytes;
    Handle m_dataset;
    Handle m_type;
    Handle m_space;
    bool m_isLzfOfPackedChunks = false;
    bool m_leavesGaps = false;
    std::optional<RawSlabs> m_raw;
    std::vector<std::byte> m_inFile;  ///< a slab whose axis is still to be moved
};

/// Values of a batch; the last one may have fewer.
std::uint64_t valuesPerBatch(const TensorInfo& info)
{
    const std::uint64_t samples =
        info.batchSize == 0 ? info.sampleCount() : std::min(info.batchSize, info.sampleCount());
    return samples * info.valuesPerSample();
}

/// Hands a slab's values on in blocks that end where a batch does.
class BlockCutter
{
public:
    BlockCutter(const ElementType& element, const TensorInfo& info)
        : m_elementBytes(element.bytes()),
          m_decoder(element),
          m_perBatch(valuesPerBatch(info)),
          m_total(info.valueCount())
    {}

    void visit(const Slab& slab, std::span<const std::byte> bytes, const BlockVisitor& visitor,
               const Progress& progress)
    {
        const std::uint64_t end = slab.firstIndex + slab.values;
        for (std::uint64_t first = slab.firstIndex; first < end;) {
            const std::uint64_t batch = first / m_perBatch;
            const std::uint64_t count =
                std::min({blockValues, end - first, (batch + 1) * m_perBatch - first});
            const auto stored =
                bytes.subspan((first - slab.firstIndex) * m_elementBytes, count * m_elementBytes);
            const std::span<const float> values = m_decoder.decode(stored);
            visitor(
                {.values = values, .firstIndex = first, .batch = batch, .lost = m_decoder.lost()});
            first += count;
            progress.step(first, m_total, "values");
        }
    }

private:
    std::size_t m_elementBytes;
    ElementDecoder m_decoder;
    std::uint64_t m_perBatch;
    std::uint64_t m_total;
};

/// The type by which the elements are to be read.
ElementType elementOf(const OpenFile& file, const DatasetFacts& facts, const TensorInfo& info)
{
    for (const ElementType& other : facts.otherElements)
        if (other.kind == info.elementType)
            return other;
    if (!facts.unreadable.empty())
        fail(file, facts, facts.unreadable.sentence);
    if (info.elementType != facts.element->kind)
        fail(file, facts, "its elements cannot be read as " + elementText(info));
    return *facts.element;
}

/// How the values are cut that are visited along an axis of the file. Where chunks hold so much of
/// that axis that whole ones would take too much memory, each is read several times.
SlabPlan planFor(const std::vector<std::uint64_t>& visitedShape, std::vector<std::uint64_t> chunk,
                 std::size_t axis, std::size_t elementBytes)
{
    if (axis == 0)
        return planSlabs(visitedShape, chunk, elementBytes, slabBytes);
    chunk = movedToFront(std::move(chunk), axis);
    SlabPlan plan = planSlabs(visitedShape, chunk, elementBytes, movedSlabBytes);
    if (plan.mostValues() <= mostMovedBytes / elementBytes)
        return plan;
    chunk.front() = 1;
    return planSlabs(visitedShape, chunk, elementBytes, movedSlabBytes);
}

}  // namespace

void visitValues(const OpenFile& file, const DatasetFacts& facts, const TensorInfo& info,
                 const BlockVisitor& visitor, const Progress& progress)
{
    const ElementType element = elementOf(file, facts, info);
    const TensorInfo visited = batchFirst(info);
    const auto axis = static_cast<std::size_t>(info.batchAxis.value_or(0));
    const SlabPlan plan = planFor(visited.shape, facts.chunk, axis, element.bytes());
    SlabReader reader(file, facts, axis, element.bytes());
    BlockCutter cutter(element, visited);
    std::vector<SlabRoom> rooms(reader.slabsAtOnce(plan.mostValues() * element.bytes()));
    for (std::uint64_t first = 0; first < visited.valueCount();) {
        std::size_t count = 0;
        for (; count < rooms.size() && first < visited.valueCount(); ++count) {
            rooms[count].slab = plan.slabAt(first);
            first += rooms[count].slab.values;
        }
        const std::span<SlabRoom> read = std::span(rooms).first(count);
        reader.read(read);
        for (const SlabRoom& room : read)
            cutter.visit(room.slab, room.bytes, visitor, progress);
    }
}

}  // namespace calibscope::hdf5
