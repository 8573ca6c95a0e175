#pragma once

#include "core/dump/dataset_facts.h"

#include <hdf5.h>

#include <cstdint>
#include <string>

namespace calibscope::hdf5 {

/// What the file says of the dataset at that path. Never throws for what it finds: a dataset that
/// can't be read has its reason. `memoryBytes` is the budget for one read. Call under the Lock.
[[nodiscard]] DatasetFacts readFacts(hid_t file, const std::string& path, std::uint64_t fileBytes,
                                     std::uint64_t memoryBytes);

}  // namespace calibscope::hdf5
