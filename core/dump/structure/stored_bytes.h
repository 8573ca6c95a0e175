// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/structure/file_blocks.h"
#include "core/dump/structure/stored_reader.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::structure {

/// Bob Jenkins' lookup3 with initial value 0: the checksum of all metadata that has one, and the
/// hash of names.
[[nodiscard]] std::uint32_t lookup3(std::string_view bytes);

/// A stretch of a file, copied.
struct StoredBlock
{
    std::string bytes;
    std::uint64_t place = 0;
    Widths widths;

    [[nodiscard]] StoredReader reader() const { return {bytes, place, widths}; }
    /// Throws Damage unless the bytes before `end` end in the checksum of those before it.
    void requireChecksum(std::size_t end) const;
};

/// A file's bytes by the addresses that stand in it, read by pread, so that a file that shrinks
/// meanwhile is an error and no signal. Keeps account of what is whose: nothing may be used twice.
class StoredBytes
{
public:
    StoredBytes(int descriptor, std::uint64_t fileBytes);

    /// Where address 0 lies, how many bytes there are from it on, how wide numbers are.
    void setSpace(std::uint64_t base, std::uint64_t end, const Widths& widths);
    /// Takes all that is in the file for its space: while it grows, its superblock is behind.
    void setSpaceToEnd() { m_end = m_fileBytes - m_base; }
    /// Whether there is more behind the space.
    [[nodiscard]] bool goesOn() const { return m_end < m_fileBytes - m_base; }
    [[nodiscard]] const Widths& widths() const { return m_widths; }
    [[nodiscard]] std::uint64_t end() const { return m_end; }
    [[nodiscard]] std::uint64_t placeOf(std::uint64_t address) const { return m_base + address; }
    [[nodiscard]] bool isInside(std::uint64_t address, std::uint64_t count) const
    {
        return address <= m_end && count <= m_end - address;
    }

    /// Whose what is taken from now on is: the address of an object's header, 0 for the file's.
    void setOwner(std::uint64_t object) { m_owner = object; }
    [[nodiscard]] std::uint64_t owner() const { return m_owner; }

    /// Reads the file by such blocks from now on.
    void setBlocks(const BlockSizes& sizes) { m_blocks.set(sizes); }

    /// Told now and then that the walk goes on.
    void setProgress(const Progress& progress) { m_progress = &progress; }

    /// Bytes that are looked at. Throws Damage where they are not all in the file.
    [[nodiscard]] StoredBlock look(std::uint64_t address, std::uint64_t count);
    /// Bytes of metadata that belong to the owner alone.
    [[nodiscard]] StoredBlock take(std::uint64_t address, std::uint64_t count);
    void claimMetadata(std::uint64_t address, std::uint64_t count) { claim(address, count, false); }
    /// Counts bytes that are read once more than others, so that all reading together is bounded.
    void spend(std::uint64_t place, std::uint64_t count);
    /// Bytes of values that belong to the owner alone.
    void claimValues(std::uint64_t address, std::uint64_t count) { claim(address, count, true); }

    /// Owners that share bytes with another, and the first such byte. Where values share bytes with
    /// metadata, which bear witness of themselves, only the values' owner is named. Call once,
    /// last.
    [[nodiscard]] std::map<std::uint64_t, std::uint64_t> sharers();

private:
    struct Claim
    {
        std::uint64_t first;
        std::uint64_t last;  ///< behind its end
        std::uint64_t owner;
        bool isValues;
    };
    void claim(std::uint64_t address, std::uint64_t count, bool isValues);
    const std::string& block(std::uint64_t number);
    void beat() const;
    void joinClaims();

    int m_descriptor;
    std::uint64_t m_fileBytes;
    std::uint64_t m_base = 0;
    std::uint64_t m_end;
    Widths m_widths;
    std::uint64_t m_owner = 0;
    std::uint64_t m_spent = 0;
    const Progress* m_progress = nullptr;
    std::uint64_t m_claimed = 0;
    std::vector<Claim> m_claims;
    FileBlocks m_blocks;
};

}  // namespace calibscope::structure
