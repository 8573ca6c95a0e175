// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <functional>

namespace calibscope::structure {

/// Layout of the nodes of a tree of version 1 (HDF5 File Format Specification, III.A.1).
struct TreeOneShape
{
    unsigned type = 0;  ///< 0: a group's members, 1: a dataset's chunks
    std::size_t keyBytes = 0;
    std::uint64_t mostEntries = 0;
};

/// An entry of a node: a child between two keys. Level 0 is the leaves'.
struct TreeOneEntry
{
    unsigned level = 0;
    StoredReader lowKey;
    std::uint64_t child = 0;
    StoredReader highKey;
};

/// Visits the entries of all nodes, each before what its child holds, in order. Whether behind the
/// last entry of each node there are zeros alone, as the library writes. Throws Damage.
bool walkTreeOne(StoredBytes& file, std::uint64_t address, const TreeOneShape& shape,
                 const std::function<void(const TreeOneEntry&)>& visit);

}  // namespace calibscope::structure
