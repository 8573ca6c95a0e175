// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/open_descriptor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// The little-endian numbers and texts of a file from its first byte on, 64 KiB at a time. Throws
/// Error(Input), a sentence with the path, where it ends before what is asked for.
class HeaderReader
{
public:
    explicit HeaderReader(std::string path);

    [[noreturn]] void fail(const std::string& what) const;

    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] std::uint64_t at() const { return m_first + m_next; }
    [[nodiscard]] std::uint64_t left() const { return at() < m_bytes ? m_bytes - at() : 0; }
    [[nodiscard]] std::string stamp() const;

    template <typename Number>
    Number number()
    {
        Number value{};
        take(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }

    /// A text of `length` bytes; nothing, and passed over, where these are more than `most`.
    std::optional<std::string> text(std::uint64_t length, std::uint64_t most);
    void skip(std::uint64_t count);

private:
    void requireLeft(std::uint64_t count) const;
    void take(std::span<std::byte> into);
    void hold();

    std::string m_path;
    OpenDescriptor m_open;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_first = 0;  ///< in the file, of the bytes that are held
    std::vector<std::byte> m_held;
    std::size_t m_next = 0;  ///< of these
};

}  // namespace calibscope
