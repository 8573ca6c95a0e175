#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// How messages travel: each is one frame, a 4-byte little-endian length and that many bytes of
/// CBOR (wire.h).
namespace calibscope::protocol {

constexpr std::size_t lengthBytes = 4;
constexpr std::size_t frameLimit = std::size_t{64} << 20;  ///< bytes of one CBOR value

/// What the engine writes before its first frame. A client skips all bytes before it: a login shell
/// may have printed a banner. The number is the protocol's version.
constexpr std::string_view preamble{"\0calibscope-engine 1\n", 21};
/// A client gives up on an engine that wrote this much without a preamble.
constexpr std::size_t bannerLimit = std::size_t{1} << 20;

/// Cuts a stream of bytes, fed in pieces of any size, into the CBOR of its frames.
class FrameReader
{
public:
    enum class Start { AtFrame, AtPreamble };
    explicit FrameReader(Start start) : m_awaitsPreamble(start == Start::AtPreamble) {}

    void feed(std::string_view bytes);
    /// The next whole frame's CBOR; nothing while it is incomplete. Throws Error(Input) for a
    /// length over frameLimit and for a banner over bannerLimit: the stream is lost then.
    [[nodiscard]] std::optional<std::string> next();
    /// The preamble has come (always, for a stream that has none).
    [[nodiscard]] bool hasStarted() const { return !m_awaitsPreamble; }

private:
    void skipPreamble();

    std::string m_bytes;
    std::size_t m_used = 0;  ///< leading bytes of m_bytes that were handed out
    std::size_t m_skipped = 0;
    bool m_awaitsPreamble;
};

}  // namespace calibscope::protocol
