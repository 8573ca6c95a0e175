// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/hdf5/open_file.h"
#include "core/dump/stated_type.h"

#include <hdf5.h>

#include <cstdint>
#include <string>

namespace calibscope::hdf5 {

/// How a dataset is reached.
struct DatasetPlace
{
    hid_t group = H5I_INVALID_HID;
    const std::string& name;  ///< from the group on
    const std::string& path;  ///< in the dump
    bool isInOtherFile = false;
};

/// For whom facts are read.
struct ReadContext
{
    const OpenFile& file;
    std::uint64_t memoryBytes = 0;  ///< budget for one read
    int depth = 0;                  ///< how many virtual datasets lead there
};

/// The file's facts on a dataset. Never throws for what it finds: a dataset that can't be read
/// has its reason. Call under the Lock.
[[nodiscard]] DatasetFacts readFacts(const DatasetPlace& place, const ReadContext& context);

/// The same of a dataset with elements of that type that is known in full by the file's structure.
[[nodiscard]] DatasetFacts plainFacts(const std::string& path, structure::PlainDataset plain,
                                      const StatedType& type);

}  // namespace calibscope::hdf5
