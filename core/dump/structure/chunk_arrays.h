// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <functional>

namespace calibscope::structure {

/// Requirements on an array of chunks.
struct ChunkArrayShape
{
    std::uint64_t elementBytes = 0;
    bool isFiltered = false;
    std::uint64_t count = 0;  ///< of elements of a fixed array
};

/// Visits the elements of an array of chunks that were ever set, with their index (HDF5 File Format
/// Specification, VII.C and VII.D). Throws Damage.
using ChunkVisitor = std::function<void(std::uint64_t index, StoredReader element)>;
void walkFixedArray(StoredBytes& file, std::uint64_t address, const ChunkArrayShape& shape,
                    const ChunkVisitor& visit);
void walkExtensibleArray(StoredBytes& file, std::uint64_t address, const ChunkArrayShape& shape,
                         const ChunkVisitor& visit);

}  // namespace calibscope::structure
