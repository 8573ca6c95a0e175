// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"
#include "core/dump/structure/stored_type.h"

#include <cstdint>
#include <vector>

namespace calibscope::structure {

/// How a chunked dataset finds its chunks.
struct ChunkTable
{
    enum class Index { TreeOne, Single, Implicit, FixedArray, ExtensibleArray, TreeTwo };

    Index index = Index::TreeOne;
    std::uint64_t address = undefinedAddress;
    StoredSpace space;
    std::vector<std::uint64_t> chunk;  ///< its lengths, as many as the shape's
    std::uint64_t chunkBytes = 0;      ///< unpacked
    bool isFiltered = false;
    std::uint64_t singleBytes = 0;  ///< of a single filtered chunk
    unsigned treeEntries = 32;      ///< half of the most entries of a node of TreeOne
};

/// Checks that each chunk that was written is found once, at a place of the grid inside the shape,
/// and lies in the file. Throws Damage.
void checkChunkTable(StoredBytes& file, const ChunkTable& table);

}  // namespace calibscope::structure
