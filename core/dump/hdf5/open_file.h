#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/dump/file_facts.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/other_files.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// A file that stays open while anyone needs it.
struct OpenFile
{
    FileIdentity identity;
    Handle handle;
    std::unique_ptr<const OtherFiles> others;
};

/// Opens a file for reading, without locking it. Throws Error(Input) with the reason.
[[nodiscard]] std::shared_ptr<const OpenFile> openFile(const std::string& path,
                                                       bool allowsOtherFiles = false);

/// Everything the file says of itself, its groups and its datasets.
[[nodiscard]] FileFacts readContents(const OpenFile& file, std::uint64_t memoryBytes,
                                     const Progress& progress = {});

}  // namespace calibscope::hdf5
