// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <libdeflate.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::test {

/// A number in so many bytes, the least first.
inline std::string littleEndian(std::uint64_t number, std::size_t bytes)
{
    std::string text;
    for (std::size_t byte = 0; byte < bytes; ++byte, number >>= 8U)
        text += static_cast<char>(number & 0xffU);
    return text;
}

template <typename Element>
std::string bytesOfElements(const std::vector<Element>& elements)
{
    std::string bytes(elements.size() * sizeof(Element), '\0');
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
}

/// A .npy by hand: "<f4", "(2, 3)".
inline std::string npyOf(std::string_view descr, std::string_view shape,
                         const std::string& elements, bool isFortran = false, int version = 1)
{
    const std::string quote = descr.starts_with('[') ? "" : "'";
    std::string header = "{'descr': " + quote + std::string(descr) + quote +
                         ", 'fortran_order': " + (isFortran ? "True" : "False") +
                         ", 'shape': " + std::string(shape) + ", }";
    header += std::string(64 - (header.size() + 13) % 64, ' ') + "\n";
    return "\x93NUMPY" + littleEndian(static_cast<std::uint64_t>(version), 2) +
           littleEndian(header.size(), version == 1 ? 2 : 4) + header + elements;
}

/// A file of an archive, and what the archive says of it where that is a lie.
struct ZippedFile
{
    std::string name;
    std::string bytes;
    bool isDeflated = false;
    std::uint64_t statedBytes = 0;  ///< 0: as many as there are
    std::uint32_t crcFlip = 0;
    unsigned flags = 0;
    unsigned method = 0;  ///< 0: as it is packed
    bool isZip64 = false;
};

inline std::string deflated(const std::string& bytes)
{
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
    std::string room(libdeflate_deflate_compress_bound(compressor, bytes.size()), '\0');
    room.resize(libdeflate_deflate_compress(compressor, bytes.data(), bytes.size(), room.data(),
                                            room.size()));
    libdeflate_free_compressor(compressor);
    return room;
}

/// An archive by hand (PKWARE APPNOTE 6.3.9).
inline std::string zipOf(const std::vector<ZippedFile>& files)
{
    std::string archive;
    std::string list;
    for (const ZippedFile& file : files) {
        const std::string packed = file.isDeflated ? deflated(file.bytes) : file.bytes;
        const std::uint64_t bytes = file.statedBytes > 0 ? file.statedBytes : file.bytes.size();
        const std::uint32_t crc =
            libdeflate_crc32(0, file.bytes.data(), file.bytes.size()) ^ file.crcFlip;
        const unsigned method = file.method > 0 ? file.method : file.isDeflated ? 8U : 0U;
        const std::string long64 =
            file.isZip64 ? littleEndian(1, 2) + littleEndian(24, 2) + littleEndian(bytes, 8) +
                               littleEndian(packed.size(), 8) + littleEndian(archive.size(), 8)
                         : std::string();
        const auto number = [&](std::uint64_t value) {
            return littleEndian(file.isZip64 ? 0xffffffffU : value, 4);
        };
        const std::string common = littleEndian(45, 2) + littleEndian(file.flags, 2) +
                                   littleEndian(method, 2) + std::string(4, '\0') +
                                   littleEndian(crc, 4);
        list += "PK\x01\x02" + littleEndian(45, 2) + common + number(packed.size()) +
                number(bytes) + littleEndian(file.name.size(), 2) + littleEndian(long64.size(), 2) +
                std::string(10, '\0') + number(archive.size()) + file.name + long64;
        archive += "PK\x03\x04" + common + littleEndian(0, 8) +  // sizes: in the list alone
                   littleEndian(file.name.size(), 2) + littleEndian(0, 2) + file.name + packed;
    }
    const bool isZip64 = !files.empty() && files.front().isZip64;
    const std::uint64_t at = archive.size();
    const auto count = [&](std::size_t bytes) { return littleEndian(files.size(), bytes); };
    std::string end;
    if (isZip64)
        end += "PK\x06\x06" + littleEndian(44, 8) + littleEndian(45, 2) + littleEndian(45, 2) +
               std::string(8, '\0') + count(8) + count(8) + littleEndian(list.size(), 8) +
               littleEndian(at, 8) + "PK\x06\x07" + std::string(4, '\0') +
               littleEndian(at + list.size(), 8) + littleEndian(1, 4);
    end += "PK\x05\x06" + std::string(4, '\0') + count(2) + count(2) +
           littleEndian(list.size(), 4) + littleEndian(isZip64 ? 0xffffffffU : at, 4) +
           std::string(2, '\0');
    return archive + list + end;
}

}  // namespace calibscope::test
