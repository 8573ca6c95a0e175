// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/hdf5/read_facts.h"

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// Against what a dataset's dimensions are checked.
struct StorageLimits
{
    std::uint64_t fileBytes = 0;
    bool isBounded = true;       ///< FilterFacts::isBounded
    const ReadContext& context;  ///< a row of chunks must fit its memory
};

/// How a dataset's values lie in its file.
struct StorageFacts
{
    std::vector<std::uint64_t> chunk;                ///< per axis; all 1 for values in one piece
    std::string doubt;                               ///< a sentence, or empty
    Unreadable unreadable;                           ///< why no value may be read, or empty
    std::vector<DatasetSource> sources = {};         ///< of a virtual dataset
    std::optional<std::uint64_t> storedChunks = {};  ///< that its index lists, where it has one
};

/// Of values that were never written: what a recording that broke off may still lack.
inline constexpr std::uint64_t mostUnwrittenBytes = std::uint64_t{4} << 30;

/// zlib, "Technical Details": bytes are packed at most 1032 to 1.
inline constexpr std::uint64_t deflateLimit = 1032;

/// Checks, before anything is allocated, that the file can hold as many values as the shape tells:
/// in a damaged file the shape may be anything. Values that were never written may make up to
/// 4 GiB of it. Requires a shape without zeros. Call under the Lock.
[[nodiscard]] StorageFacts storageFacts(hid_t dataset, hid_t creationProperties,
                                        const std::vector<std::uint64_t>& shape,
                                        std::uint64_t elementBytes, const StorageLimits& limits);

}  // namespace calibscope::hdf5
