#pragma once

#include "core/protocol/envelope.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace calibscope::engine {

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

}  // namespace calibscope::engine
