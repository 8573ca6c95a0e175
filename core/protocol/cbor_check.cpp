// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/cbor_check.h"

#include "core/base/error.h"

#include <array>
#include <cstdint>
#include <string>

namespace calibscope::protocol {

namespace {

/// The first byte of an item: three bits of kind, five of length or value.
enum class Major : std::uint8_t {
    Unsigned,
    Negative,
    Bytes,
    Text,
    Array,
    Object,
    Tag,
    Simple,
};

// What nlohmann's values take, with what malloc puts around them, and with one more place for each
// when all are given back.
constexpr std::uint64_t placeBytes = 2 * 16;
constexpr std::uint64_t textBytes = 80;
constexpr std::uint64_t listBytes = 48;
constexpr std::uint64_t objectBytes = 64;
constexpr std::uint64_t entryBytes = 112;

constexpr unsigned falseValue = 20;
constexpr unsigned nullValue = 22;
constexpr unsigned oneByteFollows = 24;
constexpr unsigned halfFloat = 25;
constexpr unsigned eightBytesFollow = 27;

class CborScan
{
public:
    explicit CborScan(std::string_view bytes) : m_bytes(bytes) {}

    void run();

private:
    struct Open
    {
        std::uint64_t items = 0;  ///< that are to come; a key is one of them
        bool isObject = false;
    };

    [[nodiscard]] std::uint64_t argument(unsigned bits);
    void openContainer(std::uint64_t length, bool isObject);
    void item();
    void skip(std::uint64_t bytes);
    void countValue();
    void countBytes(std::uint64_t bytes);
    [[noreturn]] void failHere() const;

    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_itemAt = 0;
    std::size_t m_values = 0;
    std::uint64_t m_built = 0;  ///< bytes, about
    std::array<Open, depthLimit> m_open{};
    std::size_t m_depth = 0;
};

[[noreturn]] void refuse(const std::string& why)
{
    throw Error(Fault::Input, "engine message: {}", why);
}

void CborScan::run()
{
    do {
        while (m_depth > 0 && m_open[m_depth - 1].items == 0)
            --m_depth;
        if (m_depth == 0 && m_values > 0)
            break;
        item();
    } while (true);
    m_itemAt = m_at;
    if (m_at != m_bytes.size())
        failHere();
}

void CborScan::item()
{
    m_itemAt = m_at;
    bool isKey = false;
    if (m_depth > 0) {
        Open& parent = m_open[m_depth - 1];
        isKey = parent.isObject && parent.items % 2 == 0;
        --parent.items;
    }
    if (!isKey)
        countValue();
    if (m_depth > 0 && (isKey || !m_open[m_depth - 1].isObject))
        countBytes(isKey ? entryBytes : placeBytes);
    if (m_at == m_bytes.size())
        failHere();
    const auto first = static_cast<unsigned char>(m_bytes[m_at++]);
    const auto major = static_cast<Major>(first >> 5U);
    const unsigned bits = first & 0x1fU;
    if (isKey && major != Major::Text)
        failHere();
    switch (major) {
    case Major::Unsigned:
    case Major::Negative: static_cast<void>(argument(bits)); return;
    case Major::Bytes:
    case Major::Text: {
        const std::uint64_t length = argument(bits);
        skip(length);
        countBytes((isKey ? 0 : textBytes) + (major == Major::Bytes ? 2 : 1) * length);
        return;
    }
    case Major::Array: openContainer(argument(bits), false); return;
    case Major::Object: openContainer(argument(bits), true); return;
    case Major::Tag: failHere();
    case Major::Simple: break;
    }
    const bool isFloat = bits >= halfFloat && bits <= eightBytesFollow;
    if (!isFloat && (bits < falseValue || bits > nullValue))
        failHere();
    if (isFloat)
        skip(std::uint64_t{2} << (bits - halfFloat));
}

/// The length or value behind the first byte, big endian. 28 to 30 mean nothing, 31 is an
/// indefinite length.
std::uint64_t CborScan::argument(unsigned bits)
{
    if (bits < oneByteFollows)
        return bits;
    if (bits > eightBytesFollow)
        failHere();
    const std::size_t count = std::size_t{1} << (bits - oneByteFollows);
    if (m_bytes.size() - m_at < count)
        failHere();
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < count; ++byte)
        value = (value << 8U) | static_cast<unsigned char>(m_bytes[m_at++]);
    return value;
}

void CborScan::openContainer(std::uint64_t length, bool isObject)
{
    // Each item takes a byte at least, so a length that passes here can't overflow below.
    const std::uint64_t perEntry = isObject ? 2 : 1;
    if (length > (m_bytes.size() - m_at) / perEntry)
        failHere();
    if (m_depth == depthLimit)
        refuse("it is nested deeper than " + std::to_string(depthLimit));
    countBytes(isObject ? objectBytes : listBytes);
    m_open[m_depth++] = {.items = length * perEntry, .isObject = isObject};
}

void CborScan::skip(std::uint64_t bytes)
{
    if (bytes > m_bytes.size() - m_at)
        failHere();
    m_at += static_cast<std::size_t>(bytes);
}

void CborScan::countValue()
{
    if (++m_values > valueLimit)
        refuse("it has more than " + std::to_string(valueLimit) + " parts");
}

void CborScan::countBytes(std::uint64_t bytes)
{
    m_built += bytes;
    if (m_built > builtLimit)
        refuse("what it holds takes more than " + std::to_string(builtLimit >> 20U) + " MiB");
}

void CborScan::failHere() const
{
    refuse("it is damaged at byte " + std::to_string(m_itemAt));
}

}  // namespace

void checkCbor(std::string_view bytes)
{
    CborScan(bytes).run();
}

}  // namespace calibscope::protocol
