// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// A file in a zip archive, as the archive's list tells (PKWARE APPNOTE 6.3.9, 4.3.12).
struct ZipMember
{
    std::string name;
    std::uint64_t headerAt = 0;     ///< of its own header in the archive
    std::uint64_t storedBytes = 0;  ///< packed
    std::uint64_t bytes = 0;        ///< unpacked
    std::uint32_t crc = 0;          ///< of the unpacked bytes
    std::uint16_t method = 0;       ///< 0 stored, 8 deflated
    bool isEncrypted = false;
};

/// Whether it is read, or why not, as a sentence: encrypted, another method than the two, or sizes
/// that no deflated bytes have (1032 to 1 at most).
[[nodiscard]] std::string whyNotRead(const ZipMember& member);

/// The members in the archive's order, of an archive open under that descriptor, with zip64. The
/// list is read as a whole: throws Error(Input) that begins with `path` where it takes more than
/// `memoryBytes`, is truncated, or leaves the file.
[[nodiscard]] std::vector<ZipMember> zipMembers(int descriptor, std::uint64_t fileBytes,
                                                std::uint64_t memoryBytes, const std::string& path);

/// The unpacked bytes of a member, one piece after another, in bounded memory whatever its sizes.
class ZipMemberStream
{
public:
    /// `who` begins sentences. Throws Error(Input) for a member that whyNotRead() tells of, or
    /// whose bytes leave the file. The descriptor must stay open.
    ZipMemberStream(int descriptor, std::uint64_t fileBytes, const ZipMember& member,
                    std::string who);
    ZipMemberStream(const ZipMemberStream&) = delete;
    ZipMemberStream& operator=(const ZipMemberStream&) = delete;
    ~ZipMemberStream();

    /// The next bytes; no more than are left of it. With the last ones its checksum is verified.
    /// Throws Error(Input) for damaged bytes.
    void read(std::span<std::byte> bytes);

private:
    struct Unpacking;

    [[noreturn]] void fail(const std::string& what) const;
    void unpack(std::span<std::byte> bytes);
    void refill();
    void finish();

    int m_descriptor;
    std::string m_who;
    std::uint64_t m_at = 0;  ///< of the packed bytes that come next
    std::uint64_t m_packedLeft = 0;
    std::uint64_t m_left = 0;
    std::uint32_t m_crc = 0;
    std::uint32_t m_crcWanted;
    std::unique_ptr<Unpacking> m_unpacking;  ///< nothing: stored as it is
};

}  // namespace calibscope
