#include "core/protocol/frame_reader.h"

#include "core/base/error.h"

#include <cstdint>

namespace calibscope::protocol {

namespace {

std::uint32_t readLength(std::string_view bytes)
{
    std::uint32_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = (length << 8U) | static_cast<unsigned char>(bytes[byte]);
    return length;
}

}  // namespace

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
    const std::string_view rest = std::string_view(m_bytes).substr(m_used);
    if (m_awaitsPreamble || rest.size() < lengthBytes)
        return std::nullopt;
    const std::size_t length = readLength(rest);
    if (length > frameLimit)
        throw Error(Fault::Input, "engine message: a length of " + std::to_string(length) +
                                      " bytes is over the limit; the stream is damaged");
    if (rest.size() - lengthBytes < length)
        return std::nullopt;
    m_used += lengthBytes + length;
    return std::string(rest.substr(lengthBytes, length));
}

void FrameReader::skipPreamble()
{
    const std::size_t found = m_bytes.find(preamble);
    if (found != std::string::npos) {
        m_used = found + preamble.size();
        m_awaitsPreamble = false;
        return;
    }
    if (m_bytes.size() < preamble.size())
        return;
    // The end may be the first part of a preamble.
    const std::size_t dropped = m_bytes.size() - preamble.size() + 1;
    m_bytes.erase(0, dropped);
    m_skipped += dropped;
    if (m_skipped > bannerLimit)
        throw Error(Fault::Input,
                    "engine: it does not speak the engine's protocol; check that the program is "
                    "calib of the same version");
}

}  // namespace calibscope::protocol
