// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// How messages travel: each is one frame, a 4-byte little-endian length and that many bytes of
/// CBOR (wire.h). To the client a line feed follows each, as there are launchers of programs that
/// pass on whole lines only.
namespace calibscope::protocol {

constexpr std::size_t lengthBytes = 4;
constexpr std::size_t frameLimit = std::size_t{64} << 20;  ///< bytes of one CBOR value

/// It rises when a meaning changes; what is added leaves it as it is.
constexpr std::uint64_t protocolVersion = 2;
/// Bytes that the engine writes before its first frame. A client skips all before them: a login
/// shell may have printed a banner. The number is the protocol's version.
constexpr std::string_view preamble{"\0calibscope-engine 2\n", 21};
/// After each frame to the client.
constexpr char frameEnd = '\n';
/// A client gives up on an engine that wrote this much without a preamble.
constexpr std::size_t bannerLimit = std::size_t{1} << 20;

/// The other side greets with another version of the protocol.
class OtherProtocol : public Error
{
public:
    explicit OtherProtocol(std::uint64_t version);
    [[nodiscard]] std::uint64_t version() const { return m_version; }

private:
    std::uint64_t m_version;
};

/// Cuts a stream of bytes, fed in pieces of any size, into the CBOR of its frames.
class FrameReader
{
public:
    enum class Start { AtFrame, AtPreamble };
    explicit FrameReader(Start start) : m_awaitsPreamble(start == Start::AtPreamble) {}

    void feed(std::string_view bytes);
    /// The next whole frame's CBOR; nothing while it is incomplete. A frame after a preamble may
    /// have a frameEnd or none. Throws OtherProtocol for the greeting of another version, and
    /// Error(Input) for a length over frameLimit and for a banner over bannerLimit: the stream is
    /// lost then.
    [[nodiscard]] std::optional<std::string> next();
    /// The preamble has come (always, for a stream that has none).
    [[nodiscard]] bool hasStarted() const { return !m_awaitsPreamble; }

private:
    void skipPreamble();
    /// False while it can't be determined yet whether there is one.
    [[nodiscard]] bool skipFrameEnd();

    std::string m_bytes;
    std::size_t m_used = 0;  ///< leading bytes of m_bytes that were handed out
    std::size_t m_skipped = 0;
    bool m_awaitsPreamble;
    bool m_hasFrameEnds = m_awaitsPreamble;  ///< as a client's stream has
    bool m_isAfterFrame = false;
};

}  // namespace calibscope::protocol
