// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <map>
#include <vector>

namespace calibscope::structure {

/// A heap of a group's many links, an object's many attributes, or a file's shared messages (HDF5
/// File Format Specification, III.G). All its blocks are checked when it is opened.
class FractalHeap
{
public:
    /// Throws Damage.
    FractalHeap(StoredBytes& file, std::uint64_t address);

    /// How long what names an object is.
    [[nodiscard]] std::size_t nameBytes() const { return m_nameBytes; }
    /// The object that is named. Throws Damage unless there is one.
    [[nodiscard]] StoredBlock object(StoredReader name) const;

private:
    struct Stretch
    {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        std::uint64_t offset = 0;  ///< in the heap
    };
    struct Indirect
    {
        std::uint64_t address;
        std::uint64_t rows;
        std::uint64_t offset;
    };

    void readHuge(std::uint64_t tree);
    void readIndirect(const Indirect& block, std::vector<Indirect>& below);
    void readDirect(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset);
    [[nodiscard]] std::uint64_t rowBytes(std::uint64_t row) const;
    [[nodiscard]] std::uint64_t rowsBelow(std::uint64_t row) const;
    [[nodiscard]] StoredBlock managedObject(StoredReader name) const;

    StoredBytes& m_file;
    std::uint64_t m_address;
    std::size_t m_nameBytes = 0;
    bool m_hasChecksums = false;
    std::uint64_t m_width = 0;        ///< blocks in a row
    std::uint64_t m_firstBytes = 0;   ///< of a block of the first rows
    std::uint64_t m_directBytes = 0;  ///< of the largest block that holds objects
    std::uint64_t m_directRows = 0;
    std::size_t m_offsetBytes = 0;
    std::size_t m_lengthBytes = 0;
    std::vector<Stretch> m_blocks;  ///< in the heap's order
    std::map<std::uint64_t, Stretch> m_huge;
};

}  // namespace calibscope::structure
