// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/object_header.h"
#include "core/dump/structure/superblock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::structure {

/// Targets of the links of a group.
struct GroupLinks
{
    struct Member
    {
        std::string name;
        std::uint64_t object = 0;
    };
    std::vector<Member> members;   ///< by hard links, as far as they are sound
    std::optional<Damage> damage;  ///< the first: there may be more members
    std::string doubt;             ///< what is odd, if nothing is damaged: a sentence, or empty
};

/// Checks all links of an object; none where it is not a group.
[[nodiscard]] GroupLinks checkLinks(StoredBytes& file, const SuperblockFacts& superblock,
                                    const ObjectHeader& header);

}  // namespace calibscope::structure
