#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/dump/file_facts.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/other_files.h"
#include "core/dump/structure/check_structure.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// A file that stays open while anyone needs it.
struct OpenFile
{
    FileIdentity identity;
    structure::Findings findings;  ///< what the library must not be asked for
    Handle handle;
    std::unique_ptr<const OtherFiles> others;
};

/// Checks a file's structure, then opens it for reading, without locking it. Throws Error(Input)
/// with the reason, Cancelled from the progress.
[[nodiscard]] std::shared_ptr<const OpenFile>
openFile(const std::string& path, bool allowsOtherFiles = false, const Progress& progress = {});

/// Everything the file says of itself, its groups and its datasets.
[[nodiscard]] FileFacts readContents(const OpenFile& file, std::uint64_t memoryBytes,
                                     const Progress& progress = {});

}  // namespace calibscope::hdf5
