// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace calibscope::structure {

/// A fault of a structure, thrown by whoever reads it. Not a std::exception: it is caught
/// where the damaged object is known, never as some failure.
struct Damage
{
    std::uint64_t place = 0;  ///< byte of the file
    std::string what;         ///< to follow "damaged at byte N: "
    bool isNewer = false;  ///< as far as can be determined, it is not damaged but newer than this
};

/// Stands for "nowhere", whatever the width of addresses.
constexpr std::uint64_t undefinedAddress = UINT64_MAX;

/// Widths that a file's superblock gives.
struct Widths
{
    std::size_t address = 8;
    std::size_t length = 8;
};

/// Reads numbers, least significant byte first, and texts out of bytes of a file that somebody else
/// holds. Throws Damage where they end before.
class StoredReader
{
public:
    StoredReader(std::string_view bytes, std::uint64_t place, const Widths& widths)
        : m_bytes(bytes), m_place(place), m_widths(widths)
    {}

    [[nodiscard]] std::size_t left() const { return m_bytes.size(); }
    [[nodiscard]] std::uint64_t place() const { return m_place; }
    [[nodiscard]] const Widths& widths() const { return m_widths; }
    /// Whether only zero bytes are left.
    [[nodiscard]] bool isZero() const
    {
        return m_bytes.find_first_not_of('\0') == std::string_view::npos;
    }

    /// The next `count` bytes.
    std::string_view bytes(std::uint64_t count)
    {
        if (count > m_bytes.size())
            fail("it breaks off");
        const std::string_view taken = m_bytes.substr(0, static_cast<std::size_t>(count));
        m_bytes.remove_prefix(taken.size());
        m_place += taken.size();
        return taken;
    }
    void skip(std::uint64_t count) { static_cast<void>(bytes(count)); }
    StoredReader part(std::uint64_t count)
    {
        const std::uint64_t first = m_place;
        return {bytes(count), first, m_widths};
    }

    /// A number of 0 to 8 bytes.
    std::uint64_t number(std::size_t width)
    {
        const std::string_view taken = bytes(width);
        std::uint64_t value = 0;
        for (std::size_t byte = taken.size(); byte-- > 0;)
            value = value << 8 | static_cast<unsigned char>(taken[byte]);
        return value;
    }
    unsigned u8() { return static_cast<unsigned>(number(1)); }
    unsigned u16() { return static_cast<unsigned>(number(2)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    std::uint64_t length() { return number(m_widths.length); }
    std::uint64_t address()
    {
        const std::uint64_t value = number(m_widths.address);
        const bool isUndefined =
            value == (m_widths.address < 8 ? (std::uint64_t{1} << 8 * m_widths.address) - 1
                                           : undefinedAddress);
        return isUndefined ? undefinedAddress : value;
    }

    /// A text and the zero byte behind it, without that.
    std::string_view text()
    {
        const std::size_t end = m_bytes.find('\0');
        require(end != std::string_view::npos, "a name has no end");
        const std::string_view taken = bytes(end);
        skip(1);
        return taken;
    }

    void signature(std::string_view expected)
    {
        const std::uint64_t first = m_place;
        if (m_bytes.substr(0, expected.size()) != expected)
            throw Damage{first, "there is no \"" + std::string(expected) + "\""};
        skip(expected.size());
    }
    void version(unsigned expected) { require(u8() == expected, "its version is unknown"); }
    /// The version of what is named, which is known from `least` to `most`.
    unsigned version(unsigned least, unsigned most, const char* named)
    {
        const unsigned found = u8();
        requireVersion(found, least, most, named);
        return found;
    }
    void requireVersion(unsigned found, unsigned least, unsigned most, const char* named) const
    {
        if (found < least || found > most)
            throw Damage{m_place,
                         std::string(named) + " is of version " + std::to_string(found) +
                             ", not of " + std::to_string(least) + " to " + std::to_string(most),
                         found > most};
    }

    void require(bool holds, const char* otherwise) const
    {
        if (!holds)
            fail(otherwise);
    }
    [[noreturn]] void fail(const char* what) const { throw Damage{m_place, what}; }

private:
    std::string_view m_bytes;
    std::uint64_t m_place;
    Widths m_widths;
};

}  // namespace calibscope::structure
