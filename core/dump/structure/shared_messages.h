// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/fractal_heap.h"
#include "core/dump/structure/object_header.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace calibscope::structure {

/// Messages that several objects use: in the header of a named type, or in the heaps of the file's
/// table of shared messages (HDF5 File Format Specification, III.I and IV.A.2).
class SharedMessages
{
public:
    explicit SharedMessages(StoredBytes& file) : m_file(file) {}

    /// Reads the table of shared messages that the superblock's extension names.
    void readTable(std::uint64_t address, unsigned indexCount);

    /// The message of that type that a reference means. Valid as long as this is.
    [[nodiscard]] StoredReader find(unsigned type, StoredReader reference);
    /// The message's own bytes, or those that it refers to.
    [[nodiscard]] StoredReader bodyOf(const StoredMessage& message)
    {
        return message.isShared() ? find(message.type, message.body) : message.body;
    }
    /// An object that is named in the heap of shared messages of that type.
    [[nodiscard]] StoredBlock inHeap(unsigned type, StoredReader name);

private:
    struct Index
    {
        unsigned types = 0;  ///< a bit for each
        std::uint64_t heap = undefinedAddress;
    };
    [[nodiscard]] StoredBlock ofObject(unsigned type, std::uint64_t address);

    StoredBytes& m_file;
    std::vector<Index> m_indices;
    std::map<std::uint64_t, std::unique_ptr<FractalHeap>> m_heaps;
    std::uint64_t m_foundBytes = 0;
    std::map<std::pair<unsigned, std::string>, StoredBlock> m_found;  ///< by type and reference
};

}  // namespace calibscope::structure
