// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_loop.h"
#include "core/protocol/envelope.h"
#include "core/protocol/frame_reader.h"
#include "tests/engine/fake_dump.h"

#include <array>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

namespace calibscope::test {

/// An engine with fake dumps on a thread of this process, and the client's ends of its pipes.
class EngineSession
{
public:
    FakeDumps dumps;

    EngineSession()
    {
        std::signal(SIGPIPE, SIG_IGN);
        if (::pipe(m_toEngine.data()) != 0 || ::pipe(m_toClient.data()) != 0)
            throw std::runtime_error("no pipes");
        m_thread = std::thread([this] {
            engine::EngineLoop(m_toEngine[0], m_toClient[1], dumps.parts(),
                               {.memoryBytes = 1 << 20,
                                .grace = std::chrono::milliseconds(100),
                                .abandon = [this] { m_wasAbandoned.happen(); }})
                .run();
            m_hasEnded.happen();
        });
    }

    ~EngineSession()
    {
        dumps.release.happen();
        closeInput();
        m_thread.join();
        closeOutput();
        ::close(m_toEngine[0]);
        ::close(m_toClient[1]);
    }

    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;

    void send(protocol::ToEngine message)
    {
        sendBytes(protocol::toFrame(protocol::toJson(std::move(message))));
    }

    void sendBytes(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_toEngine[1], bytes.data(), bytes.size());
            if (written <= 0)
                throw std::runtime_error("the engine does not read");
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    /// The next reply; progress before it is passed over.
    protocol::Reply reply()
    {
        for (;;) {
            protocol::ToClient message = next();
            if (auto* reply = std::get_if<protocol::Reply>(&message))
                return std::move(*reply);
        }
    }

    /// The next message, which must be progress.
    protocol::ProgressNote progress() { return std::get<protocol::ProgressNote>(next()); }

    void closeInput() { closeOnce(m_toEngine[1]); }
    void closeOutput() { closeOnce(m_toClient[0]); }
    [[nodiscard]] bool waitForEnd() const { return m_hasEnded.waitFor(patience); }
    [[nodiscard]] bool waitForAbandonment() const { return m_wasAbandoned.waitFor(patience); }
    [[nodiscard]] bool wasAbandoned() const { return m_wasAbandoned.hasHappened(); }

private:
    static constexpr std::chrono::milliseconds patience{5000};

    protocol::ToClient next()
    {
        for (;;) {
            if (const std::optional<std::string> frame = m_frames.next())
                return protocol::toClientFromJson(protocol::parseCbor(*frame));
            pollfd output{.fd = m_toClient[0], .events = POLLIN, .revents = 0};
            std::array<char, 65536> bytes{};
            if (::poll(&output, 1, 5000) <= 0)
                throw std::runtime_error("the engine says nothing");
            const ssize_t count = ::read(m_toClient[0], bytes.data(), bytes.size());
            if (count <= 0)
                throw std::runtime_error("the engine has closed its output");
            m_frames.feed({bytes.data(), static_cast<std::size_t>(count)});
        }
    }

    static void closeOnce(int& descriptor)
    {
        if (descriptor >= 0)
            ::close(descriptor);
        descriptor = -1;
    }

    std::array<int, 2> m_toEngine{};
    std::array<int, 2> m_toClient{};
    Once m_hasEnded;
    Once m_wasAbandoned;
    protocol::FrameReader m_frames{protocol::FrameReader::Start::AtPreamble};
    std::thread m_thread;
};

}  // namespace calibscope::test
