// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/structure/file_blocks.h"

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace calibscope::hdf5 {

/// Makes the library read a file by our own calls instead of those of its driver "sec2": regular
/// files only, never written or locked; a read that the file's end cuts fails (sec2 gives zeros in
/// place of what is missing). Call under the Lock.
void useOwnDriver(hid_t fileAccess);

/// The descriptor by which the library reads an object's file; nothing if it was opened without
/// useOwnDriver(). Call under the Lock.
[[nodiscard]] std::optional<int> descriptorOf(hid_t object);

/// What the library reads of an object's file, but for values, is read and kept by such blocks from
/// now on; before, by those of a file without pages. Not while the file may grow: H5F_ACC_SWMR_READ
/// reads what another process writes. Does nothing for a file without useOwnDriver(). The library's
/// own buffer of pages is not used: it serves only files that have some, and would hand values on
/// out of what chunkPlace() must not let it read. Call under the Lock.
void readByBlocks(hid_t object, const structure::BlockSizes& sizes);

/// Where the index of a dataset's chunks says that a chunk lies.
struct ChunkPlace
{
    std::uint64_t address = 0;  ///< in the file, from its first byte on
    std::uint64_t bytes = 0;    ///< as stored; 0: it was never written
    std::uint32_t skipped = 0;  ///< its filter mask: a bit for each filter that was left out
    std::string fault;          ///< why the index can't be asked, in the library's words; or empty
};

/// Looks a chunk up, given its first element. Nothing of it is read. Takes the time of a look-up:
/// H5Dget_chunk_info*() of 1.10 and 1.12 walk the whole index for each answer. Call under the Lock;
/// the dataset's file must be read by useOwnDriver().
[[nodiscard]] ChunkPlace chunkPlace(hid_t dataset, std::span<const std::uint64_t> origin);

/// Throws Cancelled where a StoppableReads of this thread lives and was asked to stop.
void checkStopped();

/// While one lives, whatever this thread has the library read fails as soon as the progress is told
/// to stop, so that long calls end.
class StoppableReads
{
public:
    explicit StoppableReads(const Progress& progress);
    StoppableReads(const StoppableReads&) = delete;
    StoppableReads& operator=(const StoppableReads&) = delete;
    ~StoppableReads();

private:
    Progress m_progress;
    const Progress* m_before;
};

}  // namespace calibscope::hdf5
