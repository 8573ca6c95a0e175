// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <map>
#include <vector>

namespace calibscope::structure {

/// The collections in which a file keeps what is of variable length (HDF5 File Format
/// Specification, III.E): each is checked when something in it is first asked for.
class GlobalHeap
{
public:
    explicit GlobalHeap(StoredBytes& file) : m_file(file) {}

    struct Item
    {
        unsigned index = 0;
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
    };
    /// Throws Damage unless there is such an item.
    [[nodiscard]] Item find(std::uint64_t collection, unsigned index);

private:
    using Items = std::vector<Item>;  ///< by index
    [[nodiscard]] Items read(std::uint64_t address);

    StoredBytes& m_file;
    std::map<std::uint64_t, Items> m_collections;
    std::map<std::uint64_t, Damage> m_damaged;
    std::uint64_t m_count = 0;
};

}  // namespace calibscope::structure
