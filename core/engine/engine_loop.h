// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_parts.h"
#include "core/engine/methods.h"
#include "core/protocol/envelope.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace calibscope::engine {

/// Descriptors that only the engine knows.
struct OwnPipes
{
    int input = -1;
    int output = -1;
};

/// Takes standard input and output away from everybody else in this process: a library that prints
/// writes to standard error from now on, one that reads finds nothing. Throws Error(Usage) where
/// they are a terminal, Error(Output) where the system refuses.
[[nodiscard]] OwnPipes takeStandardPipes();

/// Writes messages to a descriptor, whole ones, from any thread. A client that does not read makes
/// it wait, so that nothing piles up in memory, for as long as the client is there: as its other
/// pipe, the engine's input, is open.
class FrameWriter
{
public:
    /// From now on the output does not block.
    FrameWriter(int output, int input);
    /// Lets it block again, if it did: others may write to it after this process.
    void release() const;

    void writePreamble();
    /// A reply that is too large for a frame, or for the memory, is replaced by its failure. False
    /// where nobody reads any more.
    bool write(protocol::ToClient message);

private:
    bool writeAll(std::string_view bytes);
    /// Waits until something can be written; false if the client is gone.
    [[nodiscard]] bool waitForReader() const;

    int m_output;
    int m_input;
    int m_flags;  ///< of the output, before
    std::mutex m_mutex;
    bool m_isLost = false;  ///< nobody reads any more
};

/// The bytes that come next, at least one, waited for. Nothing at the end of the input, when it
/// fails, when the parent process has gone, or when `isOver` (asked twice a second) says so.
[[nodiscard]] std::optional<std::string> nextBytes(int descriptor,
                                                   const std::function<bool()>& isOver);

/// Requests between the thread that reads them and the one that works on them, in order.
class RequestQueue
{
public:
    /// A request to work on, and the sign to stop that work.
    struct Work
    {
        protocol::Request request;
        std::stop_token stop;
    };

    void push(protocol::Request request);
    /// The next request, waited for; it is at work until the call after. Nothing once closed.
    [[nodiscard]] std::optional<Work> next();
    /// Stops the request if it is at work. One that still waits is taken out: true, and the caller
    /// answers it. Others are left alone.
    [[nodiscard]] bool cancel(std::uint64_t id);
    /// Forgets what waits, stops what is at work and ends next().
    void close();
    [[nodiscard]] bool isClosed() const;
    [[nodiscard]] std::uint64_t current() const;  ///< id of the request at work; 0: none
    /// Waits until a closed queue's worker has come back for more; false if it has not by then.
    [[nodiscard]] bool waitForWorker(std::chrono::milliseconds longest);

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<protocol::Request> m_waiting;
    std::stop_source m_stop;
    std::uint64_t m_current = 0;
    bool m_isClosed = false;
    bool m_hasEnded = false;
};

struct EngineOptions
{
    std::uint64_t memoryBytes = std::uint64_t{160} << 20;  ///< profiles, blocks and values
    /// How long work may go on when the client is gone.
    std::chrono::milliseconds grace{1000};
    /// Ends the process; called where that time was not enough.
    std::function<void()> abandon;
    std::chrono::milliseconds progressInterval{50};
    std::optional<CacheOptions> cache = {};  ///< of results, from one run to the next
    /// It ends when no byte came for so long, at work or not: a client pings. Nothing: it waits.
    std::optional<std::chrono::milliseconds> idle = {};
};

/// Answers requests that come over one descriptor through another (envelope.h). Requests are worked
/// on one after another by the thread that calls run(); a second thread reads, answers pings and
/// cancels. It ends when the input ends or is silent for too long, when nobody reads the output, or
/// when the parent process is gone.
class EngineLoop
{
public:
    EngineLoop(int input, int output, EngineParts parts, EngineOptions options);

    void run();

private:
    void answerRequests();
    void readRequests();
    void takeFrames();
    void lastWord(const char* sentence, Fault fault) noexcept;
    void takeFrame(const std::string& cbor);
    void take(protocol::ToEngine message);
    [[nodiscard]] protocol::Pong pong() const;
    [[nodiscard]] protocol::Reply answer(const RequestQueue::Work& work);
    /// False where the client can no longer be answered.
    [[nodiscard]] bool hasAnswered(const RequestQueue::Work& work) noexcept;
    [[nodiscard]] Progress progressOf(const RequestQueue::Work& work);

    int m_input;
    EngineOptions m_options;
    FrameWriter m_writer;
    RequestQueue m_queue;
    Methods m_methods;
    std::atomic<std::uint64_t> m_beats = 0;
};

}  // namespace calibscope::engine
