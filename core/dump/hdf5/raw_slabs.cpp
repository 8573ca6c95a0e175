// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/raw_slabs.h"

#include "core/dump/hdf5/box_copy.h"
#include "core/dump/hdf5/file_driver.h"
#include "core/dump/hdf5/filters.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace calibscope::hdf5 {

namespace {

constexpr std::uint64_t bytesAtOnce = std::uint64_t{8} << 20;
/// Threads that decode larger ones side by side would take too much memory.
constexpr std::size_t mostChunkBytes = std::size_t{16} << 20;

/// Reads as many bytes as there is room for; why not, as a clause, or nothing.
std::string readAt(int descriptor, std::uint64_t offset, std::span<std::byte> room)
{
    while (!room.empty()) {
        const ssize_t count =
            ::pread(descriptor, room.data(), room.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return std::generic_category().message(errno);
        if (count == 0)
            return fmt::format("the file ends at byte {}", offset);
        offset += static_cast<std::uint64_t>(count);
        room = room.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

/// What stands where no chunk was written, in the file's element type: zero where nobody says.
std::vector<std::byte> fillOf(hid_t dataset, hid_t creationProperties, std::size_t elementBytes)
{
    std::vector<std::byte> fill(elementBytes);
    H5D_fill_time_t time = H5D_FILL_TIME_ERROR;
    H5D_fill_value_t value = H5D_FILL_VALUE_ERROR;
    const Handle type(H5Dget_type(dataset), H5Tclose);
    if (H5Pget_fill_time(creationProperties, &time) >= 0 && time != H5D_FILL_TIME_NEVER &&
        H5Pfill_value_defined(creationProperties, &value) >= 0 &&
        value == H5D_FILL_VALUE_USER_DEFINED && H5Tget_size(type.id()) == elementBytes &&
        H5Pget_fill_value(creationProperties, type.id(), fill.data()) < 0)
        std::ranges::fill(fill, std::byte{0});
    return fill;
}

/// Chunks that the index lists; where it can't be asked, more than will be found.
std::uint64_t storedChunks(hid_t dataset)
{
    const Handle space(H5Dget_space(dataset), H5Sclose);
    hsize_t stored = 0;
    return H5Dget_num_chunks(dataset, space.id(), &stored) < 0 ? UINT64_MAX : stored;
}

}  // namespace

/// What a thread needs for a chunk.
struct RawSlabs::Scratch
{
    ChunkDecoder decoder;
    std::vector<std::byte> stored = {};
    std::vector<std::byte> unpacked = {};
    std::uint32_t skipped = 0;  ///< the mask of what is stored
};

/// A chunk of a slab.
struct RawSlabs::Task
{
    std::size_t slab = 0;
    std::vector<std::uint64_t> origin;  ///< its first element, per axis
};

std::optional<RawSlabs> RawSlabs::of(hid_t dataset, hid_t creationProperties,
                                     std::size_t elementBytes, std::vector<std::uint64_t> chunk,
                                     std::optional<std::uint64_t> stored)
{
    RawSlabs raw;
    raw.m_dataset = dataset;
    raw.m_code.elementBytes = elementBytes;
    const std::optional<int> descriptor = descriptorOf(dataset);
    if (!descriptor)
        return std::nullopt;
    raw.m_descriptor = *descriptor;
    raw.m_fileBytes = bytesOf(*descriptor);
    switch (H5Pget_layout(creationProperties)) {
    case H5D_CONTIGUOUS: {
        const haddr_t offset = H5Dget_offset(dataset);
        if (offset == HADDR_UNDEF || H5Pget_external_count(creationProperties) != 0)
            return std::nullopt;
        raw.m_offset = offset;
        return raw;
    }
    case H5D_CHUNKED: {
        const std::size_t chunkBytes =
            std::accumulate(chunk.begin(), chunk.end(), elementBytes, std::multiplies{});
        raw.m_code = chunkCode(dataset, creationProperties, chunkBytes, elementBytes);
        raw.m_chunk = std::move(chunk);
        raw.m_fill = fillOf(dataset, creationProperties, elementBytes);
        raw.m_stored = stored ? *stored : storedChunks(dataset);
        raw.m_found = std::make_shared<std::atomic<std::uint64_t>>(0);
        return raw;
    }
    default: return std::nullopt;
    }
}

std::size_t RawSlabs::slabsAtOnce(std::uint64_t slabBytes) const
{
    return m_chunk.empty() ? 1 : std::max<std::uint64_t>(bytesAtOnce / slabBytes, 1);
}

void RawSlabs::readPiece(SlabRoom& room) const
{
    const std::uint64_t first = m_offset + room.slab.firstIndex * m_code.elementBytes;
    room.fault = readAt(m_descriptor, first, room.bytes);
}

std::vector<RawSlabs::Task> RawSlabs::tasksFor(std::span<const SlabRoom> slabs) const
{
    std::vector<Task> tasks;
    for (std::size_t index = 0; index < slabs.size(); ++index) {
        const Slab& slab = slabs[index].slab;
        std::vector<std::uint64_t> first(slab.start.size());
        for (std::size_t axis = 0; axis < first.size(); ++axis)
            first[axis] = slab.start[axis] / m_chunk[axis] * m_chunk[axis];
        std::vector<std::uint64_t> origin = first;
        while (true) {
            tasks.push_back({.slab = index, .origin = origin});
            std::size_t axis = origin.size();
            while (axis-- > 0) {
                origin[axis] += m_chunk[axis];
                if (origin[axis] < slab.start[axis] + slab.count[axis])
                    break;
                origin[axis] = first[axis];
            }
            if (axis == static_cast<std::size_t>(-1))
                break;
        }
    }
    return tasks;
}

/// Reads a chunk's bytes as they are stored: none where it was never written.
std::string RawSlabs::storedChunk(const Task& task, Scratch& scratch) const
{
    ChunkPlace place;
    {
        const Lock lock;
        place = chunkPlace(m_dataset, task.origin);
    }
    if (!place.fault.empty())
        return place.fault;
    // A chunk that no filter could make smaller is a little longer; more is damage.
    if (place.bytes > 2 * m_code.chunkBytes + 4096)
        return fmt::format("its index says that it has {} bytes, its shape needs {}", place.bytes,
                           m_code.chunkBytes);
    if (place.address > m_fileBytes || place.bytes > m_fileBytes - place.address)
        return fmt::format("its {} bytes from byte {} on go beyond the {} bytes of the file",
                           place.bytes, place.address, m_fileBytes);
    *m_found += place.bytes > 0 ? 1 : 0;
    scratch.skipped = place.skipped;
    scratch.stored.resize(place.bytes);
    return readAt(m_descriptor, place.address, scratch.stored);
}

std::string RawSlabs::readChunk(const Task& task, SlabRoom& room, Scratch& scratch) const
{
    if (std::string fault = storedChunk(task, scratch); !fault.empty())
        return fault;
    const ChunkBox box(m_chunk, task.origin, room.slab, m_code.elementBytes);
    if (scratch.stored.empty()) {
        box.fill(m_fill, room.bytes);
        return {};
    }
    if (box.isWholeSlab())
        return scratch.decoder.decode(scratch.stored, scratch.skipped, room.bytes);
    scratch.unpacked.resize(m_code.chunkBytes);
    std::string fault = scratch.decoder.decode(scratch.stored, scratch.skipped, scratch.unpacked);
    if (fault.empty())
        box.copy(scratch.unpacked, room.bytes);
    return fault;
}

void RawSlabs::readChunks(std::span<SlabRoom> slabs) const
{
    const std::vector<Task> tasks = tasksFor(slabs);
    // The first fault counts, whichever thread is faster.
    std::atomic<std::size_t> firstFault = tasks.size();
    std::string fault;
    std::mutex ofFault;
    tbb::enumerable_thread_specific<Scratch> scratch(
        [this] { return Scratch{.decoder = ChunkDecoder(m_code)}; });
    const auto readOne = [&](std::size_t index) {
        const Task& task = tasks[index];
        if (index > firstFault)
            return;
        std::string found = readChunk(task, slabs[task.slab], scratch.local());
        if (found.empty())
            return;
        const std::scoped_lock lock(ofFault);
        if (index < firstFault) {
            firstFault = index;
            fault = std::move(found);
        }
    };
    if (m_code.chunkBytes > mostChunkBytes) {
        for (std::size_t index = 0; index < tasks.size(); ++index)
            readOne(index);
    } else {
        // Isolated: a thread that waits for a chunk must not begin with another tensor meanwhile.
        tbb::task_group_context context;
        tbb::this_task_arena::isolate(
            [&] { tbb::parallel_for(std::size_t{0}, tasks.size(), readOne, context); });
        if (context.is_group_execution_cancelled())  // by another tensor that failed
            throw Cancelled{};
    }
    if (firstFault == tasks.size())
        return;
    const Task& task = tasks[firstFault];
    slabs[task.slab].fault = fmt::format("chunk [{}]: {}", fmt::join(task.origin, ", "), fault);
}

void RawSlabs::fill(SlabRoom& room) const
{
    repeat(m_fill, room.bytes);
}

void RawSlabs::read(std::span<SlabRoom> slabs) const
{
    for (SlabRoom& room : slabs) {
        room.fault.clear();
        if (m_chunk.empty())
            readPiece(room);
        else if (m_stored == 0 && !std::exchange(room.isFill, true))
            fill(room);
    }
    if (!m_chunk.empty() && m_stored > 0)
        readChunks(slabs);
}

std::string RawSlabs::faultOfCount() const
{
    if (m_chunk.empty() || *m_found == m_stored)
        return {};
    return fmt::format("its index lists {} chunks, and finds {}", m_stored, m_found->load());
}

std::string RawSlabs::faultOfIndex(const std::vector<std::uint64_t>& shape,
                                   const Progress& progress) const
{
    if (m_chunk.empty() || m_stored == 0)
        return {};
    constexpr std::uint64_t perStep = 256;
    std::uint64_t found = 0;
    std::uint64_t looked = 0;
    std::vector<std::uint64_t> origin(shape.size(), 0);
    for (std::size_t axis = 0; axis != static_cast<std::size_t>(-1);) {
        if (looked++ % perStep == 0)
            progress.step(0, 0, "chunks");
        {
            const Lock lock;
            const ChunkPlace place = chunkPlace(m_dataset, origin);
            found += place.fault.empty() && place.bytes > 0 ? 1U : 0U;
        }
        for (axis = origin.size(); axis-- > 0; origin[axis] = 0)
            if ((origin[axis] += m_chunk[axis]) < shape[axis])
                break;
    }
    if (found == m_stored)
        return {};
    return fmt::format("its index lists {} chunks, and finds {}", m_stored, found);
}

namespace {

/// A box of values in one piece as runs of neighbours: `count` runs each at `stride` from the one
/// before, over and over as the outer axes tell.
struct BoxRuns
{
    std::uint64_t runBytes = 0;
    std::uint64_t count = 1;
    std::uint64_t strideBytes = 0;
    std::size_t outerAxes = 0;  ///< each combination of their indices has such runs
};

/// Bytes from one index to the next, per axis.
std::vector<std::uint64_t> stridesOf(const std::vector<std::uint64_t>& shape, std::size_t bytes)
{
    std::vector<std::uint64_t> strides(shape.size(), bytes);
    for (std::size_t axis = shape.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * shape[axis];
    return strides;
}

BoxRuns runsOf(const Slab& box, const std::vector<std::uint64_t>& shape,
               const std::vector<std::uint64_t>& strides)
{
    std::size_t axis = shape.size() - 1;  // the run's outermost one
    while (axis > 0 && box.count[axis] == shape[axis])
        --axis;
    BoxRuns runs{.runBytes = box.count[axis] * strides[axis]};
    while (axis > 0 && box.count[axis - 1] == 1)
        --axis;
    if (axis > 0) {
        runs.count = box.count[axis - 1];
        runs.strideBytes = strides[axis - 1];
        --axis;
    }
    runs.outerAxes = axis;
    return runs;
}

/// To the next combination of the outer indices; false behind the last one.
bool stepOuter(std::vector<std::uint64_t>& index, const Slab& box, std::size_t outerAxes)
{
    for (std::size_t axis = outerAxes; axis-- > 0;) {
        if (++index[axis] < box.start[axis] + box.count[axis])
            return true;
        index[axis] = box.start[axis];
    }
    return false;
}

}  // namespace

void RawSlabs::readBox(SlabRoom& room, const std::vector<std::uint64_t>& shape,
                       const Progress& progress) const
{
    constexpr std::uint64_t nearBytes = 4096;
    constexpr std::uint64_t coveredBytes = std::uint64_t{1} << 20U;
    constexpr std::uint64_t readsPerStep = 4096;
    const std::vector<std::uint64_t> strides = stridesOf(shape, m_code.elementBytes);
    const BoxRuns runs = runsOf(room.slab, shape, strides);
    const bool isNear = runs.strideBytes - runs.runBytes <= nearBytes;
    const std::uint64_t runsAtOnce =
        isNear ? std::max<std::uint64_t>(
                     coveredBytes / std::max<std::uint64_t>(runs.strideBytes, 1), 1)
               : 1;
    std::vector<std::byte> covered;
    std::vector<std::uint64_t> index = room.slab.start;
    std::span<std::byte> rest = room.bytes;
    std::uint64_t reads = 0;
    room.fault.clear();
    do {
        const std::uint64_t first =
            std::inner_product(index.begin(), index.end(), strides.begin(), m_offset);
        for (std::uint64_t run = 0; run < runs.count; run += runsAtOnce) {
            const std::uint64_t some = std::min(runsAtOnce, runs.count - run);
            const std::uint64_t place = first + run * runs.strideBytes;
            if (reads++ % readsPerStep == 0)
                progress.step(0, 0, "values");
            if (some == 1) {
                room.fault = readAt(m_descriptor, place, rest.first(runs.runBytes));
            } else {
                covered.resize((some - 1) * runs.strideBytes + runs.runBytes);
                room.fault = readAt(m_descriptor, place, covered);
                for (std::uint64_t one = 0; one < some; ++one)
                    std::memcpy(rest.data() + one * runs.runBytes,
                                covered.data() + one * runs.strideBytes, runs.runBytes);
            }
            if (!room.fault.empty())
                return;
            rest = rest.subspan(some * runs.runBytes);
        }
    } while (stepOuter(index, room.slab, runs.outerAxes));
}

std::string faultOfValues(hid_t dataset, const Progress& progress)
{
    std::optional<RawSlabs> raw;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> chunk;
    std::size_t elementBytes = 0;
    {
        const Lock lock;
        const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
        const Handle type(H5Dget_type(dataset), H5Tclose);
        const Handle space(H5Dget_space(dataset), H5Sclose);
        const int axes = H5Sget_simple_extent_ndims(space.id());
        elementBytes = H5Tget_size(type.id());
        if (axes <= 0 || elementBytes == 0)
            return {};
        std::vector<hsize_t> lengths(static_cast<std::size_t>(axes));
        H5Sget_simple_extent_dims(space.id(), lengths.data(), nullptr);
        shape.assign(lengths.begin(), lengths.end());
        if (H5Pget_layout(properties.id()) == H5D_CHUNKED &&
            H5Pget_chunk(properties.id(), axes, lengths.data()) == axes)
            chunk.assign(lengths.begin(), lengths.end());
        raw = RawSlabs::of(dataset, properties.id(), elementBytes, chunk);
    }
    if (!raw || !raw->isChunked() || std::ranges::count(shape, 0U) > 0)
        return {};
    const SlabPlan plan = planSlabs(shape, chunk, elementBytes, 1);
    const std::uint64_t values =
        std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies{});
    std::vector<SlabRoom> room(1);
    for (std::uint64_t first = 0; first < values; first += room.front().slab.values) {
        progress.step(first, values, "values of sources");
        room.front().slab = plan.slabAt(first);
        room.front().bytes.resize(room.front().slab.values * elementBytes);
        raw->read(room);
        if (!room.front().fault.empty())
            return room.front().fault;
    }
    return raw->faultOfCount();
}

}  // namespace calibscope::hdf5
