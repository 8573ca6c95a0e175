// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frame_reader.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace calibscope::protocol {

namespace {

std::uint32_t readLength(std::string_view bytes)
{
    std::uint32_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = (length << 8U) | static_cast<unsigned char>(bytes[byte]);
    return length;
}

constexpr std::string_view greeting = preamble.substr(0, preamble.find(' ') + 1);
/// Of the greeting and the longest version that is waited for.
constexpr std::size_t longestGreeting = greeting.size() + 10;

}  // namespace

OtherProtocol::OtherProtocol(std::uint64_t version)
    : Error(Fault::Input, "engine: it speaks protocol {}, this program {}; update the {}", version,
            protocolVersion, version < protocolVersion ? "engine" : "program"),
      m_version(version)
{}

void FrameReader::feed(std::string_view bytes)
{
    if (m_used > 0) {
        m_bytes.erase(0, m_used);
        m_used = 0;
    }
    m_bytes.append(bytes);
}

std::optional<std::string> FrameReader::next()
{
    if (m_awaitsPreamble)
        skipPreamble();
    if (m_awaitsPreamble || (m_isAfterFrame && m_hasFrameEnds && !skipFrameEnd()))
        return std::nullopt;
    m_isAfterFrame = false;
    const std::string_view rest = std::string_view(m_bytes).substr(m_used);
    if (rest.size() < lengthBytes)
        return std::nullopt;
    const std::size_t length = readLength(rest);
    if (length > frameLimit)
        throw Error(Fault::Input,
                    "engine message: a length of {} bytes is over the limit; the stream is damaged",
                    length);
    if (rest.size() - lengthBytes < length)
        return std::nullopt;
    m_used += lengthBytes + length;
    m_isAfterFrame = true;
    return std::string(rest.substr(lengthBytes, length));
}

bool FrameReader::skipFrameEnd()
{
    const std::string_view rest = std::string_view(m_bytes).substr(m_used);
    if (rest.empty())
        return false;
    if (rest.front() != frameEnd)
        return true;
    if (rest.size() < 1 + lengthBytes)
        return false;
    // It may be the first byte of a length, too. Then the fifth is of a message, a map, and as the
    // highest byte of a length it would be far over the limit.
    if (readLength(rest.substr(1)) <= frameLimit)
        ++m_used;
    return true;
}

void FrameReader::skipPreamble()
{
    std::size_t found = m_bytes.find(greeting);
    for (; found != std::string::npos; found = m_bytes.find(greeting, found + 1)) {
        const std::string_view told =
            std::string_view(m_bytes).substr(found, longestGreeting).substr(greeting.size());
        const std::size_t digits = std::min(told.find_first_not_of("0123456789"), told.size());
        if (digits == told.size() && digits + greeting.size() < longestGreeting)
            break;  // its end is to come
        if (digits == 0 || digits == told.size() || told[digits] != '\n')
            continue;  // a banner that tells of it
        std::uint64_t version = 0;
        std::from_chars(told.data(), told.data() + digits, version);
        if (version != protocolVersion)
            throw OtherProtocol(version);
        m_used = found + greeting.size() + digits + 1;
        m_awaitsPreamble = false;
        return;
    }
    // The end may be the first part of a greeting.
    const std::size_t kept = found != std::string::npos
                                 ? m_bytes.size() - found
                                 : std::min(m_bytes.size(), greeting.size() - 1);
    m_skipped += m_bytes.size() - kept;
    m_bytes.erase(0, m_bytes.size() - kept);
    if (m_skipped > bannerLimit)
        throw Error(Fault::Input,
                    "engine: it does not speak the engine's protocol; check that the program is "
                    "calib of the same version");
}

}  // namespace calibscope::protocol
