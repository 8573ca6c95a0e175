// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/lzf.h"

#include <cstdint>
#include <cstring>

namespace calibscope::hdf5 {

namespace {

constexpr std::string_view endsEarly = "its LZF bytes end within a step";
constexpr std::string_view beforeStart = "its LZF bytes copy from before their start";
constexpr std::string_view tooLong = "its LZF bytes decode to more than a chunk";

constexpr std::size_t mostLiterals = 32;
constexpr std::size_t shortestCopy = 2;  // as the length 0 would be, which stands for literals
constexpr std::size_t lengthGoesOn = 7;

/// Takes packed bytes one after another; knows how many are left.
class PackedBytes
{
public:
    explicit PackedBytes(std::span<const std::byte> bytes) : m_rest(bytes) {}

    [[nodiscard]] std::size_t left() const { return m_rest.size(); }
    /// Requires that one is left.
    std::size_t next()
    {
        const auto byte = std::to_integer<std::size_t>(m_rest.front());
        m_rest = m_rest.subspan(1);
        return byte;
    }
    /// Requires that many are left.
    std::span<const std::byte> next(std::size_t count)
    {
        const auto bytes = m_rest.first(count);
        m_rest = m_rest.subspan(count);
        return bytes;
    }

private:
    std::span<const std::byte> m_rest;
};

/// Copies from `distance` bytes back; where that is less than `count`, what was copied is copied
/// again. Requires that both ends lie within the room.
void copyBack(std::span<std::byte> room, std::size_t at, std::size_t distance, std::size_t count)
{
    if (distance >= count) {
        std::memcpy(&room[at], &room[at - distance], count);
        return;
    }
    for (std::size_t end = at + count; at < end; ++at)
        room[at] = room[at - distance];
}

}  // namespace

LzfResult decodeLzf(std::span<const std::byte> packed, std::span<std::byte> room)
{
    PackedBytes bytes(packed);
    std::size_t decoded = 0;
    while (bytes.left() > 0) {
        const std::size_t control = bytes.next();
        if (control < mostLiterals) {
            const std::size_t count = control + 1;
            if (bytes.left() < count)
                return {.bytes = decoded, .fault = endsEarly};
            if (room.size() - decoded < count)
                return {.bytes = decoded, .fault = tooLong};
            std::memcpy(&room[decoded], bytes.next(count).data(), count);
            decoded += count;
            continue;
        }
        std::size_t length = control >> 5U;
        if (bytes.left() < (length == lengthGoesOn ? 2U : 1U))
            return {.bytes = decoded, .fault = endsEarly};
        if (length == lengthGoesOn)
            length += bytes.next();
        const std::size_t distance = ((control & 0x1fU) << 8U) + bytes.next() + 1;
        const std::size_t count = length + shortestCopy;
        if (distance > decoded)
            return {.bytes = decoded, .fault = beforeStart};
        if (room.size() - decoded < count)
            return {.bytes = decoded, .fault = tooLong};
        copyBack(room, decoded, distance, count);
        decoded += count;
    }
    return {.bytes = decoded, .fault = {}};
}

}  // namespace calibscope::hdf5
