// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/read_values.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/float32.h"
#include "core/base/hex.h"
#include "core/dump/batch_first.h"
#include "core/dump/element_decoder.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/file_driver.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/raw_slabs.h"
#include "core/dump/slab_plan.h"
#include "core/stats/extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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

constexpr std::string_view damagedFile = "; the file is damaged, copy or record it again";
constexpr const char* changedSentence =
    "cannot be read: the file was changed since it was opened; open it again";

/// Whether the file is no longer what was opened: what was read may be of both states. Of a file
/// that grows, what was there stays: a writer for SWMR appends.
bool isChanged(const OpenFile& file)
{
    const Lock lock;
    const std::optional<int> descriptor = descriptorOf(file.handle.id());
    if (!descriptor)
        return true;
    if (file.findings.isGrowing)
        return bytesOf(*descriptor) < file.identity.bytes;
    return stampOf(*descriptor) != file.identity.stamp;
}

std::vector<std::uint64_t> shapeOf(const Handle& space)
{
    const int axes = H5Sget_simple_extent_ndims(space.id());
    std::vector<hsize_t> lengths(static_cast<std::size_t>(std::max(axes, 0)));
    if (axes > 0)
        H5Sget_simple_extent_dims(space.id(), lengths.data(), nullptr);
    return {lengths.begin(), lengths.end()};
}

/// Whether the dataset has the values that were listed; of a file that grows, perhaps more.
bool holdsListed(const OpenFile& file, const DatasetFacts& facts, std::vector<std::uint64_t> shape)
{
    if (file.findings.isGrowing && shape.size() == facts.shape.size() && !shape.empty())
        shape.front() = std::min(shape.front(), facts.shape.front());
    return shape == facts.shape;
}

/// Why a source's values can't be read, as a clause.
std::string faultOfSource(const OpenFile& file, const DatasetSource& source,
                          const Progress& progress)
{
    Handle other;
    Handle dataset;
    {
        const Lock lock;
        if (source.file != ".") {
            const std::optional<std::string> path = file.others->find(source.file);
            const Handle access = fileAccess();
            if (path)
                other = Handle(H5Fopen(path->c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
        }
        const hid_t where = source.file == "." ? file.handle.id() : other.id();
        if (where >= 0)
            dataset =
                Handle(H5Dopen2(where, source.dataset.c_str(), file.others->access()), H5Dclose);
    }
    return dataset.isValid() ? faultOfValues(dataset.id(), progress) : "it is no longer there";
}

/// Why a dataset's sources can't be read, as a sentence: the library, which puts a virtual dataset
/// together, believes what its file says of the lengths of chunks. Each is read once per opening.
std::string faultOfSources(const OpenFile& file, const DatasetFacts& facts,
                           const Progress& progress)
{
    for (const DatasetSource& source : facts.sources) {
        const std::scoped_lock lock(file.checked->mutex);
        auto known = file.checked->faults.find(source);
        if (known == file.checked->faults.end())
            known =
                file.checked->faults.emplace(source, faultOfSource(file, source, progress)).first;
        if (!known->second.empty())
            return "its source " + source.dataset +
                   (source.file == "." ? "" : " in the file " + source.file) + ": " + known->second;
    }
    return {};
}

/// Reads slabs of one dataset in the file's own element type, so that the library converts nothing.
/// `axis` of the file comes first in slabs and their bytes.
class SlabReader
{
public:
    SlabReader(const OpenFile& file, const DatasetFacts& facts, std::size_t axis,
               std::size_t elementBytes, const Progress& progress)
        : m_file(file), m_facts(facts), m_axis(axis), m_elementBytes(elementBytes)
    {
        if (const std::string fault = faultOfSources(file, facts, progress); !fault.empty())
            fail(file, facts, "it is a virtual dataset: " + fault + std::string(damagedFile));
        const Lock lock;
        m_dataset =
            facts.address
                ? Handle(H5Oopen_by_addr(file.handle.id(), *facts.address), H5Oclose)
                : Handle(H5Dopen2(file.handle.id(), facts.path.c_str(), file.others->access()),
                         H5Dclose);
        m_type = Handle(H5Dget_type(m_dataset.id()), H5Tclose);
        m_space = Handle(H5Dget_space(m_dataset.id()), H5Sclose);
        if ((!m_space.isValid() || !m_type.isValid()) && isChanged(file))
            fail(file, facts, changedSentence);
        if (!m_space.isValid() || !m_type.isValid())
            fail(file, facts, "cannot be opened (" + lastReason() + "); the file is damaged");
        if (H5Tget_size(m_type.id()) != elementBytes || !holdsListed(file, facts, shapeOf(m_space)))
            fail(file, facts, changedSentence);
        const Handle properties(H5Dget_create_plist(m_dataset.id()), H5Pclose);
        m_raw = RawSlabs::of(m_dataset.id(), properties.id(), elementBytes, facts.chunk,
                             facts.storedChunks);
        if (m_raw && !m_raw->isChunked() && axis != 0)
            m_raw.reset();  // the library gathers pieces from all over the file
        if (!m_raw && H5Pget_layout(properties.id()) == H5D_CHUNKED)
            fail(file, facts, "the place of its chunks cannot be read; the file is damaged");
    }

    /// How many slabs of so many bytes are worth reading at once.
    [[nodiscard]] std::size_t slabsAtOnce(std::uint64_t bytes) const
    {
        return m_raw && m_axis == 0 ? m_raw->slabsAtOnce(bytes) : 1;
    }

    /// Reads the slabs' bytes as stored.
    void read(std::span<SlabRoom> rooms)
    {
        for (SlabRoom& room : rooms) {
            const std::size_t bytes = room.slab.values * m_elementBytes;
            room.isFill = room.isFill && room.bytes.size() == bytes;
            room.bytes.resize(bytes);
        }
        if (m_raw && m_axis == 0) {
            m_raw->read(rooms);
            for (const SlabRoom& room : rooms)
                requireRead(room.slab, room.fault);
        } else {
            for (SlabRoom& room : rooms)
                readMoved(room);
        }
        if (isChanged(m_file))
            fail(m_file, m_facts, changedSentence);
    }

    /// Reads boxes of any form along axis 0, whose rooms are given in no order.
    void readBoxes(std::span<SlabRoom> rooms, const Progress& progress)
    {
        if (m_raw && m_raw->isChunked())
            return read(rooms);
        for (SlabRoom& room : rooms) {
            room.bytes.resize(room.slab.values * m_elementBytes);
            if (!m_raw) {
                progress.step(0, 0, "values");
                readByLibrary(room.slab, room.bytes);
                continue;
            }
            m_raw->readBox(room, m_facts.shape, progress);
            requireRead(room.slab, room.fault);
        }
        if (isChanged(m_file))
            fail(m_file, m_facts, changedSentence);
    }

    /// Byte of the file where a slab's values begin, which lie there as they are; else nothing.
    [[nodiscard]] std::optional<std::uint64_t> placeOf(const Slab& slab) const
    {
        if (!m_raw || m_raw->isChunked())
            return std::nullopt;
        return m_raw->offset() + slab.firstIndex * m_elementBytes;
    }

    /// To be called when all slabs of the dataset were read once, along axis 0.
    void requireAllFound() const
    {
        if (const std::string fault = m_raw ? m_raw->faultOfCount() : ""; !fault.empty())
            fail(m_file, m_facts, "cannot be read: " + fault + std::string(damagedFile));
    }

    /// The same of the last of several readers of parts of the dataset: looks all chunks up.
    void requireAllListed(const Progress& progress) const
    {
        const std::string fault = m_raw ? m_raw->faultOfIndex(m_facts.shape, progress) : "";
        if (!fault.empty())
            fail(m_file, m_facts, "cannot be read: " + fault + std::string(damagedFile));
    }

private:
    void readMoved(SlabRoom& room)
    {
        m_inFile.slab = room.slab;
        m_inFile.slab.start = movedBack(room.slab.start, m_axis);
        m_inFile.slab.count = movedBack(room.slab.count, m_axis);
        std::vector<std::byte>& bytes = m_axis == 0 ? room.bytes : m_inFile.bytes;
        m_inFile.isFill = m_inFile.isFill && bytes.size() == room.bytes.size();
        bytes.resize(room.bytes.size());
        if (m_raw) {
            m_raw->read(std::span(&m_inFile, 1));
            requireRead(room.slab, m_inFile.fault);
        } else {
            readByLibrary(m_inFile.slab, bytes);
        }
        if (m_axis != 0)
            moveAxisToFront(bytes, m_inFile.slab.count, m_axis, m_elementBytes, room.bytes);
    }

    void requireRead(const Slab& slab, const std::string& fault) const
    {
        if (fault.empty())
            return;
        if (isChanged(m_file))
            fail(m_file, m_facts, changedSentence);
        fail(m_file, m_facts,
             (slab.firstIndex == 0 ? "its values cannot be read ("
                                   : "its values cannot be read from index " +
                                         std::to_string(slab.firstIndex) + " on (") +
                 fault + ")" + std::string(damagedFile));
    }

    void readByLibrary(const Slab& slab, std::span<std::byte> bytes)
    {
        std::ranges::fill(bytes, std::byte{0});  // the library may leave some as they are
        const Lock lock;
        const std::vector<hsize_t> start(slab.start.begin(), slab.start.end());
        const std::vector<hsize_t> count(slab.count.begin(), slab.count.end());
        // As many axes as in the file: between different ranks the library maps chunks value by
        // value.
        const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
        if (H5Sselect_hyperslab(m_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr) < 0 ||
            H5Dread(m_dataset.id(), m_type.id(), memory.id(), m_space.id(), H5P_DEFAULT,
                    bytes.data()) < 0)
            requireRead(slab, lastReason());
    }

    const OpenFile& m_file;
    const DatasetFacts& m_facts;
    std::size_t m_axis;
    std::size_t m_elementBytes;
    Handle m_dataset;
    Handle m_type;
    Handle m_space;
    std::optional<RawSlabs> m_raw;
    SlabRoom m_inFile;  ///< whose axis is still to be moved
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

    /// `place`: byte of the file where the slab begins, if its values lie there as they are.
    void visit(const Slab& slab, std::span<const std::byte> bytes,
               std::optional<std::uint64_t> place, const BlockVisitor& visitor,
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
            const std::uint64_t before = (first - slab.firstIndex) * m_elementBytes;
            visitor({.values = values,
                     .firstIndex = first,
                     .batch = batch,
                     .lost = m_decoder.lost(),
                     .place = place ? std::optional(*place + before) : std::nullopt});
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

/// The values as little-endian bytes.
std::span<const std::byte> inLittleEndian(std::span<const std::byte> bytes,
                                          const ElementType& element,
                                          std::vector<std::byte>& swapped)
{
    if (!element.isBigEndian || element.bytes() == 1)
        return bytes;
    swapped.assign(bytes.begin(), bytes.end());
    for (auto first = swapped.begin(); first != swapped.end();) {
        const auto end = first + static_cast<std::ptrdiff_t>(element.bytes());
        std::reverse(first, end);
        first = end;
    }
    return swapped;
}

/// What contradicts the recorded digest, as a clause, or nothing.
std::string contradiction(const RecordedDigest& told, const std::string& sha256,
                          const Extents& extents)
{
    if (!told.sha256.empty() && sha256 != told.sha256)
        return "its values do not fit the SHA-256 that was recorded with them";
    // Of float64 the nearest float32 is read; beyond those it becomes an infinity.
    const auto differs = [&](const std::optional<double>& recorded, double found) {
        return recorded && extents.finite > 0 &&
               std::abs(*recorded) <= static_cast<double>(std::numeric_limits<float>::max()) &&
               toFloat32(*recorded) != found;
    };
    if (differs(told.min, extents.min))
        return fmt::format("their least value is {}, {} was recorded with them", extents.min,
                           *told.min);
    if (differs(told.max, extents.max))
        return fmt::format("their greatest value is {}, {} was recorded with them", extents.max,
                           *told.max);
    return {};
}

/// Reads all values of a dataset, and compares them with what was recorded of them.
std::string faultOfDigest(const OpenFile& file, const DatasetFacts& facts, const Progress& progress)
{
    const ElementType element = facts.element ? *facts.element : facts.otherElements.front();
    const SlabPlan plan = planFor(facts.shape, facts.chunk, 0, element.bytes());
    SlabReader reader(file, facts, 0, element.bytes(), progress);
    const std::uint64_t total = std::accumulate(facts.shape.begin(), facts.shape.end(),
                                                std::uint64_t{1}, std::multiplies{});
    // Attributes are read as numbers that do not hold all of uint64.
    const bool withExtents = facts.element && facts.element->kind != ElementKind::Uint64 &&
                             (facts.digest.min || facts.digest.max);
    std::vector<SlabRoom> room(1);
    std::vector<std::byte> swapped;
    ElementDecoder decoder(element);
    Sha256 digest;
    Extents extents;
    for (std::uint64_t first = 0; first < total; first += room.front().slab.values) {
        progress.step(first, total, "values to be verified");
        room.front().slab = plan.slabAt(first);
        reader.read(room);
        const std::span<const std::byte> bytes = room.front().bytes;
        const std::span<const std::byte> ordered = inLittleEndian(bytes, element, swapped);
        if (!facts.digest.sha256.empty())
            digest.add({reinterpret_cast<const char*>(ordered.data()), ordered.size()});
        if (withExtents)
            extents.add(decoder.decode(bytes));
    }
    return contradiction(facts.digest, hexText(digest.finish()), extents);
}

/// Once per opening, before any of the values are used.
void requireDigest(const OpenFile& file, const DatasetFacts& facts, Digests digests,
                   const Progress& progress)
{
    if (facts.digest.isEmpty())
        return;
    std::unique_lock lock(file.checked->mutex);
    auto known = file.checked->digestFaults.find(facts.path);
    if (known == file.checked->digestFaults.end()) {
        if (digests == Digests::AsFarAsKnown)
            return;
        lock.unlock();  // two threads may find out the same
        std::string fault = faultOfDigest(file, facts, progress);
        lock.lock();
        known = file.checked->digestFaults.emplace(facts.path, std::move(fault)).first;
    }
    if (!known->second.empty())
        fail(file, facts, "cannot be read: " + known->second + std::string(damagedFile));
}

/// A dataset that is open for reading boxes of it.
class BoxReader
{
public:
    BoxReader(const OpenFile& file, const DatasetFacts& facts, const TensorInfo& info,
              const Progress& progress)
        : m_element(elementOf(file, facts, info)),
          m_reader(file, facts, 0, m_element.bytes(), progress),
          m_shape(facts.shape),
          m_decoder(m_element)
    {}

    [[nodiscard]] std::span<const float> read(std::span<const ValueBox> boxes,
                                              const Progress& progress)
    {
        m_rooms.resize(boxes.size());
        for (std::size_t box = 0; box < boxes.size(); ++box)
            m_rooms[box].slab = {.start = boxes[box].start,
                                 .count = boxes[box].count,
                                 .firstIndex = flatIndexOf(boxes[box].start),
                                 .values = boxes[box].values()};
        progress.step(0, boxes.size(), "values");
        m_reader.readBoxes(m_rooms, progress);
        if (m_rooms.size() == 1)
            return m_decoder.decode(m_rooms.front().bytes);
        m_values.clear();
        for (const SlabRoom& room : m_rooms) {
            const std::span<const float> values = m_decoder.decode(room.bytes);
            m_values.insert(m_values.end(), values.begin(), values.end());
        }
        return m_values;
    }

private:
    [[nodiscard]] std::uint64_t flatIndexOf(const std::vector<std::uint64_t>& index) const
    {
        std::uint64_t flat = 0;
        for (std::size_t axis = 0; axis < m_shape.size(); ++axis)
            flat = flat * m_shape[axis] + index[axis];
        return flat;
    }

    ElementType m_element;
    SlabReader m_reader;
    std::vector<std::uint64_t> m_shape;
    ElementDecoder m_decoder;
    std::vector<SlabRoom> m_rooms;
    std::vector<float> m_values;
};

}  // namespace

ValueBoxes valueBoxes(std::shared_ptr<const OpenFile> file,
                      std::shared_ptr<const DatasetFacts> facts, TensorInfo info, Digests digests)
{
    const auto reader = std::make_shared<std::optional<BoxReader>>();
    ValueBoxes boxes{.info = info, .chunk = facts->chunk};
    boxes.chunk.resize(facts->shape.size(), 1);
    boxes.elementBytes =
        ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    boxes.read = [file = std::move(file), facts = std::move(facts), info = std::move(info), digests,
                  reader](std::span<const ValueBox> asked, const Progress& progress) {
        if (!*reader) {
            requireDigest(*file, *facts, digests, progress);
            reader->emplace(*file, *facts, info, progress);
        }
        return (*reader)->read(asked, progress);
    };
    return boxes;
}

std::uint64_t samplesPerCut(const DatasetFacts& facts, const TensorInfo& info)
{
    const TensorInfo visited = batchFirst(info);
    const std::optional<ElementType> element =
        info.elementType ? std::optional(ElementType{.kind = *info.elementType}) : std::nullopt;
    // Of a virtual dataset each visit looks at its sources.
    if (!info.batchAxis || !element || visited.valueCount() == 0 || !facts.digest.isEmpty() ||
        !facts.sources.empty())
        return 0;
    const SlabPlan plan = planFor(visited.shape, facts.chunk,
                                  static_cast<std::size_t>(*info.batchAxis), element->bytes());
    return plan.axis == 0 ? plan.step : 1;
}

void visitValues(const OpenFile& file, const DatasetFacts& facts, const TensorInfo& info,
                 const SampleRange& range, const BlockVisitor& visitor, const Progress& progress)
{
    const ElementType element = elementOf(file, facts, info);
    requireDigest(file, facts, Digests::Required, progress);
    const TensorInfo visited = batchFirst(info);
    const auto axis = static_cast<std::size_t>(info.batchAxis.value_or(0));
    const SlabPlan plan = planFor(visited.shape, facts.chunk, axis, element.bytes());
    SlabReader reader(file, facts, axis, element.bytes(), progress);
    BlockCutter cutter(element, visited);
    std::vector<SlabRoom> rooms(reader.slabsAtOnce(plan.mostValues() * element.bytes()));
    const std::uint64_t all = visited.valueCount();
    const std::uint64_t rows = visited.shape.empty() ? 1 : visited.shape.front();
    const bool isWhole = range.holdsAll(rows);
    const std::uint64_t perRow = isWhole || rows == 0 ? all : all / rows;
    const std::uint64_t end = isWhole ? all : std::min(range.end, rows) * perRow;
    for (std::uint64_t first = isWhole ? 0 : range.first * perRow; first < end;) {
        std::size_t count = 0;
        for (; count < rooms.size() && first < end; ++count) {
            rooms[count].slab = plan.slabAt(first);
            first += rooms[count].slab.values;
        }
        progress.silent().step(first, all, "values");
        const std::span<SlabRoom> read = std::span(rooms).first(count);
        reader.read(read);
        for (const SlabRoom& room : read)
            cutter.visit(room.slab, room.bytes, reader.placeOf(room.slab), visitor, progress);
    }
    if (axis != 0 || visited.shape != facts.shape)
        return;
    if (isWhole)
        reader.requireAllFound();
    else if (range.end >= rows)
        reader.requireAllListed(progress);
}

}  // namespace calibscope::hdf5
