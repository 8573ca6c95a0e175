// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/file_driver.h"

#include "core/dump/hdf5/library.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace calibscope::hdf5 {

namespace {

/// What is known of a file by the handle that the library has of it: first the descriptor, as of
/// its own drivers.
struct Opened
{
    int descriptor = -1;
    structure::FileBlocks* blocks = nullptr;
};

/// A file as the library sees it: what it knows of every driver's files comes first.
struct DriverFile
{
    H5FD_t common{};
    Opened opened;
    bool mayGrow = false;
    haddr_t endOfSpace = 0;  ///< beyond which the library reads nothing, as it told
    struct stat status
    {
    };
    structure::FileBlocks blocks;
};

// What the library hands a driver tells nothing of who asked; it runs in the asker's thread.
thread_local ChunkPlace* askedPlace = nullptr;
thread_local const Progress* stoppable = nullptr;

DriverFile& ownFile(H5FD_t* file)
{
    return *reinterpret_cast<DriverFile*>(file);
}

const DriverFile& ownFile(const H5FD_t* file)
{
    return *reinterpret_cast<const DriverFile*>(file);
}

herr_t readFailure(const char* text)
{
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR, "%s",
             text);
    return -1;
}

H5FD_t* openFileOf(const char* name, unsigned flags, hid_t /*access*/, haddr_t /*most*/)
{
    if ((flags & (H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC)) != 0) {
        readFailure("files are only read");
        return nullptr;
    }
    // Not blocking: a named pipe would wait for a writer.
    const int descriptor = ::open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    auto* file = descriptor < 0 ? nullptr : new (std::nothrow) DriverFile;
    const bool isUsable =
        file != nullptr && ::fstat(descriptor, &file->status) == 0 && S_ISREG(file->status.st_mode);
    if (!isUsable) {
        if (descriptor >= 0)
            ::close(descriptor);
        delete file;
        readFailure("it is not a regular file that can be read");
        return nullptr;
    }
    file->opened = {.descriptor = descriptor, .blocks = &file->blocks};
    file->mayGrow = (flags & H5F_ACC_SWMR_READ) != 0;
    return &file->common;
}

herr_t closeFile(H5FD_t* file)
{
    ::close(ownFile(file).opened.descriptor);
    delete &ownFile(file);
    return 0;
}

/// Files are the same by device and inode, whatever their names, as long as they were not changed:
/// what the library remembers of a state must not be taken for another.
int compareFiles(const H5FD_t* one, const H5FD_t* other)
{
    const auto key = [](const H5FD_t* file) {
        const struct stat& status = ownFile(file).status;
        return std::tuple(status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
    };
    if (key(one) == key(other))
        return 0;
    return key(one) < key(other) ? -1 : 1;
}

herr_t tellFeatures(const H5FD_t* /*file*/, unsigned long* flags)
{
    if (flags != nullptr)
        *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
                 H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_SUPPORTS_SWMR_IO;
    return 0;
}

constexpr haddr_t farthestByte = (haddr_t{1} << 62U) - 1;

haddr_t endOfSpace(const H5FD_t* file, H5FD_mem_t type)
{
    // Who only asks for a place compares it with the file.
    const bool isAsked = askedPlace != nullptr && type == H5FD_MEM_DRAW;
    return isAsked ? farthestByte : ownFile(file).endOfSpace;
}

herr_t setEndOfSpace(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end)
{
    ownFile(file).endOfSpace = end;
    return 0;
}

haddr_t endOfFile(const H5FD_t* file, H5FD_mem_t /*type*/)
{
    return static_cast<haddr_t>(ownFile(file).status.st_size);
}

herr_t giveHandle(H5FD_t* file, hid_t /*access*/, void** handle)
{
    *handle = &ownFile(file).opened;
    return 0;
}

bool isStopped()
{
    if (stoppable == nullptr)
        return false;
    try {
        stoppable->step(0, 0, "");
    } catch (const Cancelled&) {
        return true;  // nothing may be thrown through the library's frames
    }
    return false;
}

/// Whether all bytes could be had so.
bool copyFromBlocks(DriverFile& file, haddr_t address, std::size_t bytes, void* room)
try {
    const std::size_t blockBytes = file.blocks.sizes().bytes;
    if (file.mayGrow || bytes > blockBytes)
        return false;
    for (auto* next = static_cast<char*>(room); bytes > 0;) {
        const std::string& block = file.blocks.block(file.opened.descriptor, address / blockBytes);
        const auto first = static_cast<std::size_t>(address % blockBytes);
        if (first >= block.size())
            return false;
        const std::size_t copied = block.copy(next, bytes, first);
        next += copied;
        address += copied;
        bytes -= copied;
    }
    return true;
} catch (const std::bad_alloc&) {  // nothing may be thrown through the library's frames
    return false;
}

herr_t readBytes(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, haddr_t address,
                 std::size_t bytes, void* room)
{
    if (askedPlace != nullptr && type == H5FD_MEM_DRAW) {
        askedPlace->address = address;
        askedPlace->bytes = bytes;
        return 0;  // only the place was asked for: the room is not touched
    }
    if (isStopped())
        return readFailure("reading was stopped");
    if (type != H5FD_MEM_DRAW && copyFromBlocks(ownFile(file), address, bytes, room))
        return 0;
    for (auto* next = static_cast<std::byte*>(room); bytes > 0;) {
        const ssize_t count =
            ::pread(ownFile(file).opened.descriptor, next, bytes, static_cast<off_t>(address));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return readFailure("the system cannot read the file");
        if (count == 0)
            return readFailure("the file ends before what is to be read");
        next += count;
        address += static_cast<haddr_t>(count);
        bytes -= static_cast<std::size_t>(count);
    }
    return 0;
}

herr_t writeNothing(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t /*address*/,
                    std::size_t /*bytes*/, const void* /*values*/)
{
    return readFailure("files are only read");
}

hid_t registeredDriver()
{
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(600);  // from 512 on: not registered
#endif
    driver.name = "calibscope";
    driver.maxaddr = farthestByte;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.open = openFileOf;
    driver.close = closeFile;
    driver.cmp = compareFiles;
    driver.query = tellFeatures;
    driver.get_eoa = endOfSpace;
    driver.set_eoa = setEndOfSpace;
    driver.get_eof = endOfFile;
    driver.get_handle = giveHandle;
    driver.read = readBytes;
    driver.write = writeNothing;
    constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> lists H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(lists, driver.fl_map);
    return H5FDregister(&driver);
}

hid_t ownDriver()
{
    static const hid_t driver = registeredDriver();
    return driver;
}

}  // namespace

void useOwnDriver(hid_t fileAccess)
{
    H5Pset_driver(fileAccess, ownDriver(), nullptr);
}

namespace {

const Opened* openedOf(hid_t object)
{
    const Handle file(H5Iget_file_id(object), H5Fclose);
    const Handle access(H5Fget_access_plist(file.id()), H5Pclose);
    void* opened = nullptr;
    if (!access.isValid() || H5Pget_driver(access.id()) != ownDriver() ||
        H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &opened) < 0)
        return nullptr;
    return static_cast<const Opened*>(opened);
}

}  // namespace

std::optional<int> descriptorOf(hid_t object)
{
    const Opened* const opened = openedOf(object);
    return opened == nullptr ? std::nullopt : std::optional(opened->descriptor);
}

void readByBlocks(hid_t object, const structure::BlockSizes& sizes)
{
    const Opened* const opened = openedOf(object);
    if (opened != nullptr && opened->blocks->sizes() != sizes)
        opened->blocks->set(sizes);
}

ChunkPlace chunkPlace(hid_t dataset, std::span<const std::uint64_t> origin)
{
    const std::vector<hsize_t> first(origin.begin(), origin.end());
    ChunkPlace place;
    hsize_t bytes = 0;
    if (H5Dget_chunk_storage_size(dataset, first.data(), &bytes) < 0) {
        // Of a chunk that is not there, too; how deep the library's stack is depends on the
        // release.
        std::string reason = lastReason();
        if (reason.find("chunk storage is not allocated") == std::string::npos)
            place.fault = std::move(reason);
        return place;
    }
    // 0 is also reported of a chunk that lies somewhere with no bytes. The library believes that it
    // reads the chunk; readBytes() takes down from where, and hands it nothing.
    std::byte untouched{};
    askedPlace = &place;
#if H5_VERSION_GE(2, 0, 0)
    const herr_t status =
        H5Dread_chunk1(dataset, H5P_DEFAULT, first.data(), &place.skipped, &untouched);
#else
    const herr_t status =
        H5Dread_chunk(dataset, H5P_DEFAULT, first.data(), &place.skipped, &untouched);
#endif
    askedPlace = nullptr;
    if (status < 0 && bytes > 0)
        place.fault = lastReason();
    else if (status >= 0 && place.bytes == 0)
        place.fault = "its index says that it has no bytes";
    return place;
}

void checkStopped()
{
    if (stoppable != nullptr)
        stoppable->step(0, 0, "");
}

StoppableReads::StoppableReads(const Progress& progress)
    : m_progress(progress.silent()), m_before(std::exchange(stoppable, &m_progress))
{}

StoppableReads::~StoppableReads()
{
    stoppable = m_before;
}

}  // namespace calibscope::hdf5
