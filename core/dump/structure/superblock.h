// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>

namespace calibscope::structure {

/// A file's facts as a whole (HDF5 File Format Specification, II.A).
struct SuperblockFacts
{
    std::uint64_t extension = undefinedAddress;  ///< header of the object that continues it
    std::uint64_t root = undefinedAddress;       ///< header of the root group
    /// Half of the most entries of a node: of groups' symbol tables and trees, and chunks' trees.
    unsigned leafK = 4;
    unsigned groupK = 16;
    unsigned chunkK = 32;
    bool isLeftOpen = false;  ///< somebody writes it, or broke off
    /// Left open by a writer after whose every write the file can be read (single writer, multiple
    /// readers); the library opens no other one that is left open.
    bool isSwmr = false;
};

/// Reads the superblock that begins at that byte, and sets the file's space. Throws Damage.
[[nodiscard]] SuperblockFacts readSuperblock(StoredBytes& file, std::uint64_t place);

}  // namespace calibscope::structure
