// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/location.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace calibscope {

namespace {

constexpr std::string_view scheme = "ssh://";
constexpr std::string_view home = "/~/";
constexpr std::string_view tensorMark = "::";

[[noreturn]] void refuse(std::string_view text, const std::string& why)
{
    constexpr std::size_t longest = 200;
    throw Error(Fault::Usage, "{}: {}; an address is ssh://[user@]host[:port]/absolute/path",
                std::string(text.substr(0, longest)), why);
}

bool isLetterOrDigit(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9');
}

bool isControl(char character)
{
    return static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
}

/// ssh takes what begins with "-" for an option, of which some start programs.
void checkName(std::string_view name, std::string_view further, std::string_view what,
               std::string_view text)
{
    if (name.empty())
        refuse(text, "it names no " + std::string(what));
    if (name.front() == '-')
        refuse(text, "its " + std::string(what) + " begins with \"-\"");
    for (const char character : name)
        if (!isLetterOrDigit(character) && further.find(character) == std::string_view::npos)
            refuse(text, "its " + std::string(what) +
                             " holds a character other than letters, digits, \".\", \"_\", \"-\"");
}

int hexDigit(char character)
{
    int digit = -1;
    std::from_chars(&character, &character + 1, digit, 16);
    return digit;
}

std::string percentDecoded(std::string_view encoded, std::string_view text)
{
    std::string decoded;
    for (std::size_t at = 0; at < encoded.size(); ++at) {
        if (encoded[at] != '%') {
            decoded += encoded[at];
            continue;
        }
        const int high = at + 2 < encoded.size() ? hexDigit(encoded[at + 1]) : -1;
        const int low = high >= 0 ? hexDigit(encoded[at + 2]) : -1;
        if (low < 0)
            refuse(text, "a \"%\" is not followed by two hexadecimal digits (\"%\" itself is %25)");
        decoded += static_cast<char>(high * 16 + low);
        at += 2;
    }
    if (decoded.find('\0') != std::string::npos)
        refuse(text, "its path holds a zero byte");
    return decoded;
}

std::string percentEncoded(std::string_view path)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char character : path) {
        if (character != '%' && character != ':' && !isControl(character)) {
            encoded += character;
            continue;
        }
        const auto byte = static_cast<unsigned char>(character);
        encoded += '%';
        encoded += digits[byte >> 4U];
        encoded += digits[byte & 15U];
    }
    return encoded;
}

std::uint16_t portIn(std::string_view digits, std::string_view text)
{
    std::uint16_t port = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (failure != std::errc() || end != digits.data() + digits.size() || port == 0)
        refuse(text, "its port is not a number from 1 to 65535");
    return port;
}

/// host, host:port, [::1], [::1]:port
void takeHost(Location& location, std::string_view named, std::string_view text)
{
    if (named.starts_with('[')) {
        const std::size_t end = named.find(']');
        if (end == std::string_view::npos)
            refuse(text, "its host has no \"]\"");
        location.host = named.substr(1, end - 1);
        named.remove_prefix(end + 1);
        if (!named.empty() && named.front() != ':')
            refuse(text, "its host is followed by something else than a port");
        checkName(location.host, ":.", "host", text);
    } else {
        const std::size_t end = std::min(named.find(':'), named.size());
        location.host = named.substr(0, end);
        named.remove_prefix(end);
        checkName(location.host, "._-", "host", text);
    }
    if (!named.empty())
        location.port = portIn(named.substr(1), text);
}

/// What is behind the scheme, without a tensor.
Location locationIn(std::string_view rest, std::string_view text)
{
    Location location;
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos)
        refuse(text, "it names no file");
    std::string_view machine = rest.substr(0, slash);
    if (const std::size_t at = machine.rfind('@'); at != std::string_view::npos) {
        location.user = machine.substr(0, at);
        checkName(location.user, "._-", "user", text);
        machine.remove_prefix(at + 1);
    }
    takeHost(location, machine, text);
    std::string path = percentDecoded(rest.substr(slash), text);
    if (path.starts_with(home))
        path.erase(0, home.size());
    if (path.empty() || path == "/")
        refuse(text, "it names no file");
    location.path = std::move(path);
    return location;
}

}  // namespace

bool isAddress(std::string_view text)
{
    return text.starts_with(scheme);
}

std::string Location::machine() const
{
    if (!isRemote())
        return {};
    std::string name = user.empty() ? std::string() : user + "@";
    name += host.find(':') == std::string::npos ? host : "[" + host + "]";
    if (port != 0)
        name += ":" + std::to_string(port);
    return name;
}

std::string Location::address() const
{
    if (!isRemote())
        return path;
    return std::string(scheme) + machine() + (path.starts_with('/') ? "" : std::string(home)) +
           percentEncoded(path);
}

Location parseLocation(std::string_view text)
{
    if (!isAddress(text))
        return {.user = {}, .host = {}, .path = std::string(text)};
    return locationIn(text.substr(scheme.size()), text);
}

TensorAddress parseTensorAddress(std::string_view text)
{
    if (!isAddress(text))
        return {.location = parseLocation(text), .tensor = {}};
    std::string_view rest = text.substr(scheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());  // a host may hold "::"
    const std::size_t mark = rest.find(tensorMark, slash);
    TensorAddress named;
    if (mark != std::string_view::npos)
        named.tensor = percentDecoded(rest.substr(mark + tensorMark.size()), text);
    named.location = locationIn(rest.substr(0, mark), text);
    return named;
}

std::string shellQuoted(const std::string& word)
{
    const auto isPlain = [](char character) {
        return isLetterOrDigit(character) ||
               std::string_view("_-./=:,+@").find(character) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return word;
    std::string quoted = "'";
    for (const char character : word)
        quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return quoted + "'";
}

}  // namespace calibscope
