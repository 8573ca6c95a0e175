// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hex.h"

#include <cstddef>

namespace calibscope {

namespace {

constexpr std::string_view hexDigits = "0123456789abcdef";

}  // namespace

std::string hexText(std::string_view bytes)
{
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        text += hexDigits[value >> 4U];
        text += hexDigits[value & 15U];
    }
    return text;
}

std::optional<std::string> bytesFromHex(std::string_view text)
{
    if (text.size() % 2 != 0)
        return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t place = 0; place < text.size(); place += 2) {
        const std::size_t high = hexDigits.find(text[place]);
        const std::size_t low = hexDigits.find(text[place + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return std::nullopt;
        bytes += static_cast<char>(high << 4U | low);
    }
    return bytes;
}

}  // namespace calibscope
