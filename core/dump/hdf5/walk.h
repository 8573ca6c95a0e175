// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/file_facts.h"
#include "core/dump/hdf5/open_file.h"

#include <cstdint>

namespace calibscope::hdf5 {

/// Everything that a file tells, without values: group by group, their members in creation order
/// where the file keeps one, else in natural order of their names. Each object comes once, under
/// the first path that leads to it, so that cycles end; further paths are DatasetFacts::otherPaths.
/// Links that lead nowhere, or into a file that may not be read, and objects that can't be read are
/// listed as datasets with the reason. Throws Cancelled from the progress. Call under the Lock.
[[nodiscard]] FileFacts walk(const OpenFile& file, std::uint64_t memoryBytes,
                             const Progress& progress);

}  // namespace calibscope::hdf5
