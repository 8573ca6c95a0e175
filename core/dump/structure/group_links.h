#pragma once

#include "core/dump/structure/object_header.h"
#include "core/dump/structure/superblock.h"

#include <cstdint>
#include <vector>

namespace calibscope::structure {

/// Addresses of the objects that a group's hard links lead to, after a check of all its links: a
/// table of symbols, messages, or a heap with its trees. Throws Damage.
[[nodiscard]] std::vector<std::uint64_t>
linkedObjects(StoredBytes& file, const SuperblockFacts& superblock, const ObjectHeader& header);

}  // namespace calibscope::structure
