// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace calibscope::fuzz {

/// What the fuzzer gives, to be cut into parts from the front.
class FuzzBytes
{
public:
    FuzzBytes(const std::uint8_t* bytes, std::size_t size)
        : m_left(reinterpret_cast<const char*>(bytes), size)
    {}

    /// A byte; 0 behind the end.
    std::uint8_t number()
    {
        if (m_left.empty())
            return 0;
        const char first = m_left.front();
        m_left.remove_prefix(1);
        return static_cast<std::uint8_t>(first);
    }
    [[nodiscard]] std::string_view rest() const { return m_left; }
    [[nodiscard]] std::span<const std::byte> restBytes() const
    {
        return std::as_bytes(std::span(m_left.data(), m_left.size()));
    }

private:
    std::string_view m_left;
};

}  // namespace calibscope::fuzz
