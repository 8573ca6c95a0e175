// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/storage.h"

#include "core/dump/hdf5/filters.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/other_files.h"
#include "core/dump/hdf5/virtual_storage.h"
#include "core/dump/slab_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace calibscope::hdf5 {

namespace {

/// A stretch of a raw file.
struct Segment
{
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  ///< H5F_UNLIMITED: as far as the file goes
};

Segment segmentAt(hid_t creationProperties, unsigned index)
{
    std::array<char, 4096> name{};
    off_t offset = 0;
    hsize_t bytes = 0;
    if (H5Pget_external(creationProperties, index, name.size() - 1, name.data(), &offset, &bytes) <
        0)
        return {};
    return {.file = name.data(), .offset = static_cast<std::uint64_t>(offset), .bytes = bytes};
}

std::string problemOf(const Segment& segment, std::uint64_t wanted, const OtherFiles& others)
{
    const std::string place = "its values lie in the file " + segment.file;
    const std::optional<std::string> path = others.find(segment.file);
    if (!path)
        return place + ", which is not there; put it beside this one";
    std::error_code unknown;
    const std::uint64_t fileBytes = std::filesystem::file_size(*path, unknown);
    if (unknown || segment.offset > fileBytes || wanted > fileBytes - segment.offset)
        return fmt::format("{}, which is too short: {} bytes are needed from byte {} on; copy or "
                           "record it again",
                           place, wanted, segment.offset);
    return {};
}

/// Why the values of a dataset that lie in raw files beside its file (H5Pset_external) can't be
/// read: not allowed, missing or too short, where the library would give zeros. Empty: they can, or
/// none lie there. Call under the Lock.
Unreadable rawFilesProblem(hid_t creationProperties, std::uint64_t neededBytes,
                           const OtherFiles& others)
{
    const int count = H5Pget_external_count(creationProperties);
    std::uint64_t rest = neededBytes;
    for (int index = 0; index < count; ++index) {
        const Segment segment = segmentAt(creationProperties, static_cast<unsigned>(index));
        if (!others.areAllowed())
            return onlyIfAllowed("its values lie in the file " + segment.file);
        const std::uint64_t wanted = std::min(rest, segment.bytes);
        if (const std::string problem = problemOf(segment, wanted, others); !problem.empty())
            return problem;
        rest -= wanted;
    }
    if (count > 0 && rest > 0)
        return fmt::format("its raw files hold {} bytes less than its shape needs; record it again",
                           rest);
    return {};
}

constexpr std::uint64_t chunkEntryBytes =
    8;  // least room of a chunk's entry in any index: its address
constexpr std::uint64_t mostUnwrittenChunks = std::uint64_t{1} << 24;
constexpr std::string_view damaged = "; the file is damaged, copy or record it again";

/// The product; nothing if it does not fit 64 bits.
std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& factors, std::uint64_t first)
{
    std::uint64_t total = first;
    for (const std::uint64_t factor : factors)
        if (__builtin_mul_overflow(total, factor, &total))
            return std::nullopt;
    return total;
}

std::string tooLarge(const std::vector<std::uint64_t>& shape, std::uint64_t fileBytes)
{
    return fmt::format("its shape, {}, needs more than a file of {} bytes can hold{}",
                       fmt::join(shape, " x "), fileBytes, damaged);
}

std::string tooMuchUnwritten(std::uint64_t bytes)
{
    return fmt::format("{} bytes of its values were never written, more than {}; record it again",
                       bytes, mostUnwrittenBytes);
}

/// Whether the writer said what values stand where none were written; else it is zero by nobody's
/// word.
bool hasOwnFillValue(hid_t creationProperties)
{
    H5D_fill_value_t kind = H5D_FILL_VALUE_ERROR;
    return H5Pfill_value_defined(creationProperties, &kind) >= 0 &&
           kind == H5D_FILL_VALUE_USER_DEFINED;
}

StorageFacts neverWritten(hid_t creationProperties, std::uint64_t bytes, StorageFacts facts)
{
    // Nobody calibrates by one value, however often it stands there.
    constexpr std::uint64_t mostAllocated = std::uint64_t{256} << 20;
    if (bytes > mostAllocated)
        facts.unreadable = fmt::format("it was created for {} bytes, but no values were ever "
                                       "written; record it again",
                                       bytes);
    else if (hasOwnFillValue(creationProperties))
        facts.doubt = "no values were ever written, they are all read as its fill value";
    else
        facts.unreadable = "it was created, but no values were ever written; record it again";
    return facts;
}

StorageFacts contiguousFacts(hid_t dataset, hid_t creationProperties, std::uint64_t neededBytes,
                             std::uint64_t fileBytes)
{
    const haddr_t address = H5Dget_offset(dataset);
    const std::uint64_t storedBytes = H5Dget_storage_size(dataset);
    if (address == HADDR_UNDEF || storedBytes == 0)  // behind a user block it is not UNDEF
        return neverWritten(creationProperties, neededBytes, {});
    if (storedBytes != neededBytes)
        return {.unreadable = fmt::format("its shape needs {} bytes, but {} are stored{}",
                                          neededBytes, storedBytes, damaged)};
    if (address > fileBytes || storedBytes > fileBytes - address)
        return {.unreadable = fmt::format("its values would end at byte {} of a file of {} bytes{}",
                                          address + storedBytes, fileBytes, damaged)};
    return {};
}

/// Chunks along all axes together; nothing if that does not fit 64 bits.
std::optional<std::uint64_t> chunkCount(const std::vector<std::uint64_t>& shape,
                                        const std::vector<std::uint64_t>& chunk)
{
    std::vector<std::uint64_t> counts;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        counts.push_back((shape[axis] - 1) / chunk[axis] + 1);
    return product(counts, 1);
}

/// How many chunks there are and how many of them were written.
StorageFacts checkedChunks(hid_t dataset, hid_t creationProperties, StorageFacts facts,
                           const std::vector<std::uint64_t>& shape, std::uint64_t chunkBytes,
                           const StorageLimits& limits)
{
    const std::uint64_t needed = chunkCount(shape, facts.chunk).value_or(UINT64_MAX);
    if (needed > std::max(limits.fileBytes / chunkEntryBytes, mostUnwrittenChunks)) {
        facts.unreadable = tooLarge(shape, limits.fileBytes);
        return facts;
    }
    const Handle space(H5Dget_space(dataset), H5Sclose);
    hsize_t stored = 0;
    if (H5Dget_num_chunks(dataset, space.id(), &stored) < 0) {
        facts.unreadable =
            "its list of chunks cannot be read (" + lastReason() + ")" + std::string(damaged);
        return facts;
    }
    if (stored > needed) {
        facts.unreadable =
            fmt::format("its list has {} chunks, its shape {}{}", stored, needed, damaged);
        return facts;
    }
    facts.storedChunks = stored;
    const std::uint64_t unwritten = needed - stored;
    const std::uint64_t writtenBytes = product({stored}, chunkBytes).value_or(UINT64_MAX);
    if (limits.isBounded && writtenBytes / deflateLimit > limits.fileBytes)
        facts.unreadable = tooLarge(shape, limits.fileBytes);
    else if (stored == 0)
        return neverWritten(creationProperties, product({needed}, chunkBytes).value_or(UINT64_MAX),
                            std::move(facts));
    else if (unwritten > mostUnwrittenBytes / chunkBytes)
        facts.unreadable = tooMuchUnwritten(product({unwritten}, chunkBytes).value_or(UINT64_MAX));
    else if (unwritten > 0)
        facts.doubt = fmt::format("{} of its {} chunks were never written and are read as its "
                                  "fill value",
                                  unwritten, needed);
    return facts;
}

StorageFacts chunkedFacts(hid_t dataset, hid_t creationProperties,
                          const std::vector<std::uint64_t>& shape, std::uint64_t elementBytes,
                          const StorageLimits& limits)
{
    std::vector<hsize_t> lengths(shape.size());
    const int axes =
        H5Pget_chunk(creationProperties, static_cast<int>(shape.size()), lengths.data());
    StorageFacts facts{.chunk = {lengths.begin(), lengths.end()}, .doubt = {}, .unreadable = {}};
    const std::uint64_t chunkBytes = product(facts.chunk, elementBytes).value_or(0);
    if (axes != static_cast<int>(shape.size()) || chunkBytes == 0)
        return {.unreadable = "the shape of its chunks cannot be read" + std::string(damaged)};
    const std::uint64_t memoryBytes = limits.context.memoryBytes;
    const SlabPlan plan = planSlabs(shape, facts.chunk, elementBytes, 1);
    facts.unreadable = filterComplaint(creationProperties, chunkBytes, elementBytes);
    if (plan.mostValues() > memoryBytes / elementBytes)
        facts.unreadable = fmt::format("a row of its chunks ({}) takes {} bytes, more than the "
                                       "memory budget of {} bytes; write "
                                       "it with smaller chunks, with h5repack -l CHUNK=...",
                                       fmt::join(facts.chunk, " x "),
                                       plan.mostValues() * elementBytes, memoryBytes);
    if (!facts.unreadable.empty())
        return facts;
    return checkedChunks(dataset, creationProperties, std::move(facts), shape, chunkBytes, limits);
}

}  // namespace

StorageFacts storageFacts(hid_t dataset, hid_t creationProperties,
                          const std::vector<std::uint64_t>& shape, std::uint64_t elementBytes,
                          const StorageLimits& limits)
{
    const std::optional<std::uint64_t> needed = product(shape, elementBytes);
    if (!needed)
        return {.unreadable = tooLarge(shape, limits.fileBytes)};
    if (H5Pget_external_count(creationProperties) > 0)
        return {.chunk = std::vector<std::uint64_t>(shape.size(), 1),
                .doubt = {},
                .unreadable =
                    rawFilesProblem(creationProperties, *needed, *limits.context.file.others)};
    StorageFacts facts;
    switch (H5Pget_layout(creationProperties)) {
    case H5D_CONTIGUOUS:
        facts = contiguousFacts(dataset, creationProperties, *needed, limits.fileBytes);
        break;
    case H5D_CHUNKED: return chunkedFacts(dataset, creationProperties, shape, elementBytes, limits);
    case H5D_COMPACT:
        if (H5Dget_storage_size(dataset) != *needed)
            facts.unreadable = "its shape does not fit what is stored" + std::string(damaged);
        break;
    case H5D_VIRTUAL: {
        VirtualFacts parts = virtualFacts(dataset, creationProperties, *needed, limits.context);
        facts.doubt = std::move(parts.doubt);
        facts.unreadable = std::move(parts.unreadable);
        facts.sources = std::move(parts.sources);
        break;
    }
    default: facts.unreadable = "its storage is of an unknown kind" + std::string(damaged);
    }
    facts.chunk.assign(shape.size(), 1);
    return facts;
}

}  // namespace calibscope::hdf5
