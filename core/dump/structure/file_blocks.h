// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::structure {

/// Reads bytes of a file by pread. Returns how many there were: fewer at its end, and where the
/// system cannot read on.
[[nodiscard]] std::size_t readAt(int descriptor, std::uint64_t place, char* room,
                                 std::size_t count);

/// How blocks of a file's structure are read: how long they are, and how many are kept.
struct BlockSizes
{
    std::size_t bytes = std::size_t{16} << 10;
    std::size_t most = 128;

    bool operator==(const BlockSizes&) const = default;
};

/// Of a file whose space is handed out in pages of that length (0: it is not): its structure lies
/// together in some of these.
[[nodiscard]] BlockSizes blockSizesFor(std::uint64_t pageBytes);

/// Blocks of a file, aligned, those that were used last. What stands in a file's structure has some
/// hundred bytes apiece, and each read costs a way to the file system.
class FileBlocks
{
public:
    /// Forgets all; from now on with these sizes.
    void set(const BlockSizes& sizes);
    [[nodiscard]] const BlockSizes& sizes() const { return m_sizes; }

    /// The block of that number, counted from 0: shorter where the file ends in it or cannot be
    /// read. Valid until the next one is asked for.
    [[nodiscard]] const std::string& block(int descriptor, std::uint64_t number);
    /// Whether block() has it without reading.
    [[nodiscard]] bool has(std::uint64_t number) const;

private:
    struct Block
    {
        std::uint64_t number = 0;
        std::uint64_t lastUse = 0;
        std::string bytes;
    };

    BlockSizes m_sizes;
    std::vector<Block> m_blocks;
    std::size_t m_latest = 0;  ///< index of the one that was asked for last
    std::uint64_t m_uses = 0;
};

}  // namespace calibscope::structure
