#include "core/dump/hdf5/raw_slabs.h"

#include "core/dump/hdf5/box_copy.h"
#include "core/dump/hdf5/filters.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <utility>

namespace calibscope::hdf5 {

namespace {

constexpr std::size_t mostChunkBytes = std::size_t{16} << 20;
constexpr std::uint64_t bytesAtOnce = std::uint64_t{8} << 20;

/// The file's descriptor; nothing unless the library reads a single file by plain calls.
std::optional<int> descriptorOf(hid_t dataset)
{
    const Handle file(H5Iget_file_id(dataset), H5Fclose);
    const Handle access(H5Fget_access_plist(file.id()), H5Pclose);
    void* descriptor = nullptr;
    if (!access.isValid() || H5Pget_driver(access.id()) != H5FD_SEC2 ||
        H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0)
        return std::nullopt;
    return *static_cast<const int*>(descriptor);
}

/// Reads as many bytes as there is room for; false where the file ends before.
bool readAt(int descriptor, std::uint64_t offset, std::span<std::byte> room)
{
    while (!room.empty()) {
        const ssize_t count =
            ::pread(descriptor, room.data(), room.size(), static_cast<off_t>(offset));
        if (count <= 0)
            return false;
        offset += static_cast<std::uint64_t>(count);
        room = room.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

}  // namespace

/// What a thread needs for a chunk.
struct RawSlabs::Scratch
{
    ChunkDecoder decoder;
    std::vector<std::byte> stored = {};
    std::vector<std::byte> unpacked = {};
};

/// A chunk of a slab.
struct RawSlabs::Task
{
    std::size_t slab = 0;
    std::vector<std::uint64_t> origin;  ///< its first element, per axis
};

std::optional<RawSlabs> RawSlabs::of(hid_t dataset, hid_t creationProperties,
                                     std::size_t elementBytes, std::vector<std::uint64_t> chunk)
{
    RawSlabs raw;
    raw.m_dataset = dataset;
    raw.m_code.elementBytes = elementBytes;
    switch (H5Pget_layout(creationProperties)) {
    case H5D_CONTIGUOUS: {
        const haddr_t offset = H5Dget_offset(dataset);
        const std::optional<int> descriptor = descriptorOf(dataset);
        if (offset == HADDR_UNDEF || !descriptor || H5Pget_external_count(creationProperties) != 0)
            return std::nullopt;
        raw.m_offset = offset;
        raw.m_descriptor = *descriptor;
        return raw;
    }
    case H5D_CHUNKED: {
        const std::size_t chunkBytes =
            std::accumulate(chunk.begin(), chunk.end(), elementBytes, std::multiplies{});
        std::optional<ChunkCode> code = chunkCode(creationProperties, chunkBytes, elementBytes);
        if (!code || chunkBytes > mostChunkBytes)
            return std::nullopt;
        raw.m_code = std::move(*code);
        raw.m_chunk = std::move(chunk);
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
    room.isFilled =
        readAt(m_descriptor, m_offset + room.slab.firstIndex * m_code.elementBytes, room.bytes);
}

std::vector<RawSlabs::Task> RawSlabs::tasksFor(std::span<const SlabRoom> slabs) const
{
    std::vector<Task> tasks;
    for (std::size_t index = 0; index < slabs.size(); ++index) {
        const Slab& slab = slabs[index].slab;
        std::vector<std::uint64_t> origin = slab.start;
        while (true) {
            tasks.push_back({.slab = index, .origin = origin});
            std::size_t axis = origin.size();
            while (axis-- > 0) {
                origin[axis] += m_chunk[axis];
                if (origin[axis] < slab.start[axis] + slab.count[axis])
                    break;
                origin[axis] = slab.start[axis];
            }
            if (axis == static_cast<std::size_t>(-1))
                break;
        }
    }
    return tasks;
}

bool RawSlabs::readChunk(const Task& task, SlabRoom& room, Scratch& scratch) const
{
    const std::vector<hsize_t> origin(task.origin.begin(), task.origin.end());
    std::uint32_t skipped = 0;
    {
        const Lock lock;
        hsize_t storedBytes = 0;
        // A chunk that no filter could make smaller is a little longer; more is damage.
        if (H5Dget_chunk_storage_size(m_dataset, origin.data(), &storedBytes) < 0 ||
            storedBytes == 0 || storedBytes > 2 * m_code.chunkBytes + 4096)
            return false;
        scratch.stored.resize(storedBytes);
        if (H5Dread_chunk(m_dataset, H5P_DEFAULT, origin.data(), &skipped, scratch.stored.data()) <
            0)
            return false;
    }
    const ChunkBox box(m_chunk, task.origin, room.slab, m_code.elementBytes);
    if (box.isWholeSlab())
        return scratch.decoder.decode(scratch.stored, skipped, room.bytes);
    scratch.unpacked.resize(m_code.chunkBytes);
    if (!scratch.decoder.decode(scratch.stored, skipped, scratch.unpacked))
        return false;
    box.copy(scratch.unpacked, room.bytes);
    return true;
}

void RawSlabs::read(std::span<SlabRoom> slabs) const
{
    if (m_chunk.empty()) {
        for (SlabRoom& room : slabs)
            readPiece(room);
        return;
    }
    const std::vector<Task> tasks = tasksFor(slabs);
    std::vector<std::atomic<bool>> hasFailed(slabs.size());
    tbb::enumerable_thread_specific<Scratch> scratch(
        [this] { return Scratch{.decoder = ChunkDecoder(m_code)}; });
    // Isolated: a thread that waits for a chunk must not begin with another tensor meanwhile.
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(std::size_t{0}, tasks.size(), [&](std::size_t index) {
            const Task& task = tasks[index];
            if (!hasFailed[task.slab] && !readChunk(task, slabs[task.slab], scratch.local()))
                hasFailed[task.slab] = true;
        });
    });
    for (std::size_t index = 0; index < slabs.size(); ++index)
        slabs[index].isFilled = !hasFailed[index];
}

}  // namespace calibscope::hdf5
