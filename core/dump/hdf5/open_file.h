// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/dump/file_facts.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/other_files.h"
#include "core/dump/structure/check_structure.h"
#include "core/tensor/unreadable.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// What was found out of a file's values before they were read: of the sources of virtual datasets,
/// and of what recorders say of them.
struct CheckedValues
{
    /// What a virtual dataset need know of a source, or that this is being found out.
    struct Known
    {
        bool isBeingRead = true;
        Unreadable unreadable = {};
        std::string doubt = {};
        std::vector<DatasetSource> sources = {};  ///< of a source that is virtual itself
        std::uint64_t bytes = 0;                  ///< of its values
    };
    std::map<DatasetSource, Known> known;             ///< under the Lock
    std::mutex mutex;                                 ///< of what follows
    std::map<DatasetSource, std::string> faults;      ///< why values can't be read, or nothing
    std::map<std::string, std::string> digestFaults;  ///< by path: what contradicts, or nothing
};

/// A file that stays open while anyone needs it.
struct OpenFile
{
    FileIdentity identity;
    structure::Findings findings;  ///< what the library must not be asked for
    Handle handle;
    std::unique_ptr<const OtherFiles> others;
    std::unique_ptr<CheckedValues> checked;
    std::unique_ptr<structure::PlainDatasets> plain;  ///< until the file is listed
};

/// Files that may be opened beside one that is whole and stands alone.
struct Allowed
{
    bool otherFiles = false;  ///< links and raw data in them are followed
    /// A file that its writer has open for SWMR, or left so: its findings say that it grows.
    bool growing = false;
};

/// Checks a file's structure, then opens it for reading, without locking it. Throws Error(Input)
/// with the reason, Cancelled from the progress.
[[nodiscard]] std::shared_ptr<const OpenFile>
openFile(const std::string& path, const Allowed& allowed = {}, const Progress& progress = {});

/// Everything the file says of itself, its groups and its datasets.
[[nodiscard]] FileFacts readContents(const OpenFile& file, std::uint64_t memoryBytes,
                                     const Progress& progress = {});

}  // namespace calibscope::hdf5
