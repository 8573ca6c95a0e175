// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/zip_archive.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/dump/element_locations.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

constexpr std::uint64_t packedMost = 1032;  ///< zlib, "Technical Details": to 1
constexpr std::uint16_t methodStored = 0;
constexpr std::uint16_t methodDeflated = 8;
constexpr std::uint32_t inZip64 = 0xffffffff;
constexpr std::size_t endBytes = 22;
constexpr std::size_t locatorBytes = 20;
constexpr std::size_t end64Bytes = 56;
constexpr std::size_t entryBytes = 46;
constexpr std::size_t localBytes = 30;

/// Fields of one of the archive's records, little-endian.
class ZipRecord
{
public:
    explicit ZipRecord(std::string_view bytes) : m_bytes(bytes) {}

    [[nodiscard]] std::uint64_t at(std::size_t location, std::size_t bytes) const
    {
        std::uint64_t number = 0;
        for (std::size_t byte = bytes; byte-- > 0;)
            number = number << 8U | static_cast<unsigned char>(m_bytes[location + byte]);
        return number;
    }

private:
    std::string_view m_bytes;
};

/// Where the list of members lies.
struct ListLocation
{
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t members = 0;
};

class ZipList
{
public:
    ZipList(int descriptor, std::uint64_t fileBytes, const std::string& path)
        : m_descriptor(descriptor), m_fileBytes(fileBytes), m_path(path)
    {}

    std::vector<ZipMember> read(std::uint64_t memoryBytes)
    {
        const ListLocation location = find();
        if (location.begin > m_fileBytes || location.bytes > m_fileBytes - location.begin)
            fail("its list of members leaves the file, which is truncated or damaged");
        if (location.bytes > memoryBytes)
            fail("its list of members has " + numberText(location.bytes) +
                 " bytes, more memory than may be taken");
        const std::string list = text(location.begin, location.bytes);
        std::vector<ZipMember> members;
        for (std::size_t at = 0; members.size() < location.members;)
            members.push_back(memberAt(list, at));
        return members;
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(Fault::Input, m_path + ": " + what);
    }

    [[nodiscard]] std::string text(std::uint64_t from, std::uint64_t bytes) const
    {
        std::string read(bytes, '\0');
        readAt(m_descriptor, from, std::as_writable_bytes(std::span(read)), m_path + ": ");
        return read;
    }

    /// By the record that ends the archive, behind which only a comment stands.
    [[nodiscard]] ListLocation find() const
    {
        constexpr std::uint64_t longestComment = 0xffff;
        const std::uint64_t bytes = std::min(m_fileBytes, endBytes + longestComment);
        const std::string last = text(m_fileBytes - bytes, bytes);
        for (std::size_t at = last.rfind("PK\x05\x06"); at != std::string::npos;
             at = at == 0 ? std::string::npos : last.rfind("PK\x05\x06", at - 1)) {
            if (last.size() - at < endBytes)
                continue;
            const ZipRecord end(std::string_view(last).substr(at));
            if (end.at(20, 2) + endBytes != last.size() - at)
                continue;
            const ListLocation location{end.at(16, 4), end.at(12, 4), end.at(10, 2)};
            return find64(m_fileBytes - bytes + at, location);
        }
        fail("is a zip archive that is truncated: its list of members is missing");
    }

    /// The location as the record of zip64 in front of the end tells it; as it is without one.
    [[nodiscard]] ListLocation find64(std::uint64_t endAt, const ListLocation& location) const
    {
        if (endAt < locatorBytes)
            return location;
        const std::string locator = text(endAt - locatorBytes, locatorBytes);
        if (!locator.starts_with("PK\x06\x07"))
            return location;
        const std::uint64_t at = ZipRecord(locator).at(8, 8);
        if (at > m_fileBytes || m_fileBytes - at < end64Bytes)
            fail("its record of zip64 leaves the file, which is damaged");
        const std::string record = text(at, end64Bytes);
        if (!record.starts_with("PK\x06\x06"))
            fail("its record of zip64 is damaged");
        const ZipRecord end(record);
        return {end.at(48, 8), end.at(40, 8), end.at(32, 8)};
    }

    /// The entry there, behind which `at` is then.
    [[nodiscard]] ZipMember memberAt(std::string_view list, std::size_t& at) const
    {
        const std::string_view rest = list.substr(std::min(at, list.size()));
        if (rest.size() < entryBytes || !rest.starts_with("PK\x01\x02"))
            fail("its list of members is damaged or truncated");
        const ZipRecord entry(rest);
        const std::size_t nameBytes = entry.at(28, 2);
        const std::size_t extraBytes = entry.at(30, 2);
        const std::size_t bytes = entryBytes + nameBytes + extraBytes + entry.at(32, 2);
        if (rest.size() < bytes)
            fail("its list of members is damaged or truncated");
        at += bytes;
        ZipMember member{.name = std::string(rest.substr(entryBytes, nameBytes)),
                         .headerAt = entry.at(42, 4),
                         .storedBytes = entry.at(20, 4),
                         .bytes = entry.at(24, 4),
                         .crc = static_cast<std::uint32_t>(entry.at(16, 4)),
                         .method = static_cast<std::uint16_t>(entry.at(10, 2)),
                         .isEncrypted = (entry.at(8, 2) & 1U) != 0};
        takeLongNumbers(member, rest.substr(entryBytes + nameBytes, extraBytes));
        return member;
    }

    /// Numbers that need 64 bits stand in a field behind the name, in this order.
    void takeLongNumbers(ZipMember& member, std::string_view extra) const
    {
        constexpr std::uint64_t zip64Field = 1;
        while (extra.size() >= 4) {
            const ZipRecord head(extra);
            const std::uint64_t length = std::min<std::uint64_t>(head.at(2, 2), extra.size() - 4);
            std::string_view field = extra.substr(4, length);
            extra.remove_prefix(4 + length);
            if (head.at(0, 2) != zip64Field)
                continue;
            for (std::uint64_t* number : {&member.bytes, &member.storedBytes, &member.headerAt})
                if (*number == inZip64) {
                    if (field.size() < 8)
                        fail("its list of members is damaged: a size is missing");
                    *number = ZipRecord(field).at(0, 8);
                    field.remove_prefix(8);
                }
        }
    }

    int m_descriptor;
    std::uint64_t m_fileBytes;
    const std::string& m_path;
};

}  // namespace

std::string whyNotRead(const ZipMember& member)
{
    if (member.isEncrypted)
        return "it is encrypted";
    if (member.method != methodStored && member.method != methodDeflated)
        return "it is packed by method " + std::to_string(member.method) +
               " of zip, which is not read; NumPy stores or deflates";
    if (member.method == methodStored && member.bytes != member.storedBytes)
        return "its sizes in the archive differ, which is damaged";
    if (member.bytes / packedMost > member.storedBytes)
        return "its size is stated as " + numberText(member.bytes) + " bytes from " +
               numberText(member.storedBytes) + ", more than deflated bytes can; damaged";
    return {};
}

std::vector<ZipMember> zipMembers(int descriptor, std::uint64_t fileBytes,
                                  std::uint64_t memoryBytes, const std::string& path)
{
    return ZipList(descriptor, fileBytes, path).read(memoryBytes);
}

/// zlib's state, and packed bytes that it has not seen.
struct ZipMemberStream::Unpacking
{
    Unpacking() { isReady = ::inflateInit2(&stream, -MAX_WBITS) == Z_OK; }
    Unpacking(const Unpacking&) = delete;
    Unpacking& operator=(const Unpacking&) = delete;
    ~Unpacking() { ::inflateEnd(&stream); }

    z_stream stream{};
    bool isReady = false;
    std::array<std::byte, std::size_t{1} << 16U> packed{};
};

ZipMemberStream::ZipMemberStream(int descriptor, std::uint64_t fileBytes, const ZipMember& member,
                                 std::string who)
    : m_descriptor(descriptor),
      m_who(std::move(who)),
      m_packedLeft(member.storedBytes),
      m_left(member.bytes),
      m_crcWanted(member.crc)
{
    if (const std::string reason = whyNotRead(member); !reason.empty())
        fail(reason);
    const auto mustFit = [&](std::uint64_t from, std::uint64_t bytes) {
        if (from > fileBytes || bytes > fileBytes - from)
            fail("its bytes leave the archive, which is truncated or damaged");
    };
    mustFit(member.headerAt, localBytes);
    std::string local(localBytes, '\0');
    readAt(descriptor, member.headerAt, std::as_writable_bytes(std::span(local)), m_who);
    if (!local.starts_with("PK\x03\x04"))
        fail("its location in the archive is damaged");
    const ZipRecord header(local);
    m_at = member.headerAt + localBytes + header.at(26, 2) + header.at(28, 2);
    mustFit(m_at, member.storedBytes);
    if (member.method == methodDeflated) {
        m_unpacking = std::make_unique<Unpacking>();
        if (!m_unpacking->isReady)
            fail("there is no memory to unpack it");
    }
}

ZipMemberStream::~ZipMemberStream() = default;

void ZipMemberStream::fail(const std::string& what) const
{
    throw Error(Fault::Input, m_who + what);
}

void ZipMemberStream::read(std::span<std::byte> bytes)
{
    if (bytes.size() > m_left)
        fail("its values end early");
    if (m_unpacking) {
        unpack(bytes);
    } else {
        readAt(m_descriptor, m_at, bytes, m_who);
        m_at += bytes.size();
    }
    m_crc = ::libdeflate_crc32(m_crc, bytes.data(), bytes.size());
    m_left -= bytes.size();
    if (m_left == 0)
        finish();
}

void ZipMemberStream::refill()
{
    const std::uint64_t count = std::min<std::uint64_t>(m_packedLeft, m_unpacking->packed.size());
    const std::span<std::byte> piece = std::span(m_unpacking->packed).first(count);
    readAt(m_descriptor, m_at, piece, m_who);
    m_at += count;
    m_packedLeft -= count;
    m_unpacking->stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    m_unpacking->stream.avail_in = static_cast<uInt>(count);
}

void ZipMemberStream::unpack(std::span<std::byte> bytes)
{
    constexpr std::size_t mostAtOnce = std::size_t{1} << 30U;  // zlib counts in 32 bits
    z_stream& stream = m_unpacking->stream;
    while (!bytes.empty()) {
        if (stream.avail_in == 0 && m_packedLeft > 0)
            refill();
        const std::size_t wanted = std::min(bytes.size(), mostAtOnce);
        stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
        stream.avail_out = static_cast<uInt>(wanted);
        const int state = ::inflate(&stream, Z_NO_FLUSH);
        const std::size_t made = wanted - stream.avail_out;
        bytes = bytes.subspan(made);
        if (state == Z_STREAM_END && bytes.empty())
            return;
        if (state != Z_OK || (made == 0 && stream.avail_in == 0 && m_packedLeft == 0))
            fail("its deflated bytes are damaged or end early");
    }
}

/// Nothing may follow, and the checksum must be that of the list.
void ZipMemberStream::finish()
{
    if (m_unpacking) {
        std::byte beyond{};
        z_stream& stream = m_unpacking->stream;
        int state = Z_OK;
        while (state == Z_OK) {
            if (stream.avail_in == 0 && m_packedLeft > 0)
                refill();
            stream.next_out = reinterpret_cast<Bytef*>(&beyond);
            stream.avail_out = 1;
            state = ::inflate(&stream, Z_NO_FLUSH);
            if (stream.avail_out == 0)
                fail("it unpacks to more bytes than the archive says; it is damaged");
        }
        if (state != Z_STREAM_END)
            fail("its deflated bytes are damaged or end early");
    }
    if (m_crc != m_crcWanted)
        fail("its checksum (CRC-32) does not fit: the file is damaged");
}

}  // namespace calibscope
