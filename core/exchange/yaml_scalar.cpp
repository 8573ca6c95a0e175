// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/yaml_scalar.h"

#include "core/base/hex.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace calibscope::exchange {

namespace {

bool isPlainCharacter(char byte)
{
    const bool isAlphanumeric = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                                (byte >= 'A' && byte <= 'Z');
    return isAlphanumeric || std::string_view("_-^., \t").find(byte) != std::string_view::npos;
}

bool needsDoubleQuotes(std::string_view text)
{
    return std::ranges::any_of(text, [](char byte) {
        return (byte >= 0 && byte < ' ' && byte != '\t') || byte == 0x7f || byte < 0;
    });
}

/// What a reader would take for something else than a text.
bool isOtherKind(std::string_view text)
{
    constexpr std::array<std::string_view, 10> otherKinds{
        "null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE"};
    return std::ranges::find(otherKinds, text) != otherKinds.end() || looseNumber(text) ||
           text.starts_with("0x") || text.starts_with("0o");
}

bool isPlain(std::string_view text)
{
    constexpr std::string_view indicators = R"(-?:\,[]{}#&*!|>'"%@`)";
    return !text.empty() && indicators.find(text.front()) == std::string_view::npos &&
           text.front() != ' ' && text.back() != ' ' &&
           std::ranges::all_of(text, isPlainCharacter) && !isOtherKind(text);
}

struct Escape
{
    char letter;
    char byte;
};

constexpr std::array<Escape, 12> escapes{{{'0', '\0'},
                                          {'a', '\a'},
                                          {'b', '\b'},
                                          {'t', '\t'},
                                          {'n', '\n'},
                                          {'v', '\v'},
                                          {'f', '\f'},
                                          {'r', '\r'},
                                          {'e', '\x1b'},
                                          {'"', '"'},
                                          {'\\', '\\'},
                                          {'/', '/'}}};

std::string doubleQuoted(std::string_view text)
{
    std::string quoted = "\"";
    for (const char byte : text) {
        const auto* escape = std::ranges::find(escapes, byte, &Escape::byte);
        if (escape != escapes.end() && byte != '/')
            quoted += std::string("\\") + escape->letter;
        else if ((byte >= 0 && byte < ' ') || byte == 0x7f)
            quoted += "\\x" + hexText(std::string_view(&byte, 1));
        else
            quoted += byte;
    }
    return quoted + '"';
}

std::string withoutEscapes(std::string_view text)
{
    std::string plain;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if (text[place] != '\\' || place + 1 == text.size()) {
            plain += text[place];
            continue;
        }
        const char letter = text[++place];
        const auto* escape = std::ranges::find(escapes, letter, &Escape::letter);
        std::uint8_t byte = 0;
        const std::string_view digits = text.substr(place + 1, 2);
        if (escape != escapes.end()) {
            plain += escape->byte;
        } else if (letter == 'x' && digits.size() == 2 &&
                   std::from_chars(digits.data(), digits.data() + 2, byte, 16).ptr ==
                       digits.data() + 2) {
            plain += static_cast<char>(byte);
            place += 2;
        } else {
            plain += '\\';
            plain += letter;
        }
    }
    return plain;
}

}  // namespace

std::string yamlScalar(std::string_view text)
{
    if (needsDoubleQuotes(text))
        return doubleQuoted(text);
    if (isPlain(text))
        return std::string(text);
    std::string quoted = "'";
    for (const char byte : text)
        quoted += byte == '\'' ? std::string("''") : std::string(1, byte);
    return quoted + '\'';
}

std::string fromYamlScalar(std::string_view scalar)
{
    if (scalar.size() < 2 || scalar.front() != scalar.back())
        return std::string(scalar);
    const std::string_view inside = scalar.substr(1, scalar.size() - 2);
    if (scalar.front() == '"')
        return withoutEscapes(inside);
    if (scalar.front() != '\'')
        return std::string(scalar);
    std::string text;
    for (std::size_t place = 0; place < inside.size(); ++place) {
        text += inside[place];
        if (inside.substr(place, 2) == "''")
            ++place;
    }
    return text;
}

}  // namespace calibscope::exchange
