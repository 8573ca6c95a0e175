// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/hdf5/chunk_decoder.h"

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace calibscope::hdf5 {

/// The filters that a chunk passes through before it is stored.
struct FilterFacts
{
    std::string compression = "none";  ///< as in TensorInfo
    std::string checksum = "none";     ///< as in TensorInfo
    bool isBounded = true;   ///< values fill at most 1032 times their stored bytes (zlib's limit)
    std::string unreadable;  ///< a filter that is missing here, and how to get it, as a sentence
};

/// The filters of a dataset creation property list. Call under the Lock.
[[nodiscard]] FilterFacts filterFacts(hid_t creationProperties);

/// Why chunks of that many bytes cannot have passed its filters with the parameters that the file
/// tells; empty: they can. Call under the Lock.
[[nodiscard]] std::string filterComplaint(hid_t creationProperties, std::uint64_t chunkBytes,
                                          std::uint64_t elementBytes);

/// How chunks of that many bytes are decoded. Call under the Lock.
[[nodiscard]] ChunkCode chunkCode(hid_t dataset, hid_t creationProperties, std::size_t chunkBytes,
                                  std::size_t elementBytes);

}  // namespace calibscope::hdf5
