#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <string>

namespace calibscope::structure {

/// Names of a group's members or of raw files (HDF5 File Format Specification, III.D).
class LocalHeap
{
public:
    /// Throws Damage.
    LocalHeap(StoredBytes& file, std::uint64_t address);

    /// The text at an offset. Throws Damage unless it lies in the heap with its end.
    [[nodiscard]] std::string text(std::uint64_t offset) const;

private:
    StoredBytes& m_file;
    std::uint64_t m_address = 0;
    std::uint64_t m_bytes = 0;
};

}  // namespace calibscope::structure
