// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::structure {

/// Names of a group's members or of raw files (HDF5 File Format Specification, III.D).
class LocalHeap
{
public:
    /// Throws Damage.
    LocalHeap(StoredBytes& file, std::uint64_t address);

    /// The text at an offset. Throws Damage unless it lies in the heap with its end.
    [[nodiscard]] std::string text(std::uint64_t offset) const;
    /// The same; it is somebody's, and so is the room up to the next multiple of 8.
    [[nodiscard]] std::string take(std::uint64_t offset);
    /// What cannot be where all texts that were taken are all that it holds, as a sentence; empty:
    /// nothing. Texts of less than 8 bytes that are nobody's are none, as the library keeps those
    /// of members that were removed. Throws Damage.
    [[nodiscard]] std::string oddRoom() const;

private:
    struct Stretch
    {
        std::uint64_t first = 0;
        std::uint64_t last = 0;  ///< behind its end
        bool isFree = false;
    };
    [[nodiscard]] std::string textBetween(std::uint64_t first, std::uint64_t last) const;

    StoredBytes& m_file;
    std::uint64_t m_address = 0;
    std::uint64_t m_bytes = 0;
    std::vector<Stretch> m_known;
};

}  // namespace calibscope::structure
