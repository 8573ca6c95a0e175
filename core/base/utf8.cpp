// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace calibscope {

namespace {

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

bool isAscii(char byte)
{
    return static_cast<unsigned char>(byte) < 0x80;
}

/// Bytes of the valid sequence that the text begins with (RFC 3629, section 4); 0 if there is none.
std::size_t sequenceLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                               : lead >= 0xe0 && lead <= 0xef ? 3
                               : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                              : 0;
    if (length == 0 || text.size() < length)
        return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    const bool isOverlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool isSurrogate = lead == 0xed && second > 0x9f;
    const bool isBeyondUnicode = lead == 0xf4 && second > 0x8f;
    if (isOverlong || isSurrogate || isBeyondUnicode)
        return 0;
    return std::ranges::all_of(text.substr(1, length - 1), isContinuation) ? length : 0;
}

/// The code point of a valid sequence.
char32_t codePoint(std::string_view sequence)
{
    const auto lead = static_cast<unsigned char>(sequence.front());
    constexpr std::array<unsigned, 5> leadBits = {0, 0x7f, 0x1f, 0x0f, 0x07};
    char32_t point = lead & leadBits[sequence.size()];
    for (const char byte : sequence.substr(1))
        point = (point << 6U) | (static_cast<unsigned char>(byte) & 0x3fU);
    return point;
}

bool isObeyed(char32_t point)
{
    return (point >= 0x80 && point <= 0x9f) || (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2066 && point <= 0x2069);
}

constexpr std::string_view unknownCharacter = "\xef\xbf\xbd";  // U+FFFD

}  // namespace

std::string validUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const auto* const other = std::ranges::find_if_not(text, isAscii);
        const auto plain = static_cast<std::size_t>(other - text.begin());
        valid += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        const std::size_t length = sequenceLength(text);
        valid += length > 0 ? text.substr(0, length) : unknownCharacter;
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return valid;
}

std::string shownLine(std::string_view text)
{
    const std::string valid = validUtf8(text);
    std::string shown;
    shown.reserve(valid.size());
    for (std::string_view rest = valid; !rest.empty();) {
        const std::string_view character = rest.substr(0, sequenceLength(rest));
        const char32_t point = codePoint(character);
        if (point < 0x20 || point == 0x7f)
            shown += ' ';
        else
            shown += isObeyed(point) ? unknownCharacter : character;
        rest.remove_prefix(character.size());
    }
    return shown;
}

std::string shortened(std::string text)
{
    if (text.size() <= sentenceLimit)
        return text;
    constexpr std::size_t longestCharacter = 4;
    std::size_t end = sentenceLimit / 2;
    while (end > sentenceLimit / 2 - longestCharacter && isContinuation(text[end]))
        --end;
    std::size_t next = text.size() - sentenceLimit / 2;
    while (next < text.size() - sentenceLimit / 2 + longestCharacter && isContinuation(text[next]))
        ++next;
    return text.replace(end, next - end, "…");
}

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return !isContinuation(byte); }));
}

}  // namespace calibscope
