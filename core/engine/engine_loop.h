#pragma once

#include "core/engine/engine_parts.h"
#include "core/engine/frame_writer.h"
#include "core/engine/methods.h"
#include "core/engine/request_queue.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace calibscope::engine {

struct EngineOptions
{
    std::uint64_t memoryBytes = std::uint64_t{160} << 20;  ///< profiles, blocks and values
    /// How long work may go on when the client is gone.
    std::chrono::milliseconds grace{1000};
    /// Ends the process; called where that time was not enough.
    std::function<void()> abandon;
    std::chrono::milliseconds progressInterval{50};
    std::optional<CacheOptions> cache = {};  ///< of results, from one run to the next
};

/// Answers requests that come over one descriptor through another (envelope.h). Requests are worked
/// on one after another by the thread that calls run(); a second thread reads, answers pings and
/// cancels. It ends when the input ends, when nobody reads the output, or when the parent process
/// is gone.
class EngineLoop
{
public:
    EngineLoop(int input, int output, EngineParts parts, EngineOptions options);

    void run();

private:
    void readRequests();
    void takeFrame(const std::string& cbor);
    void take(protocol::ToEngine message);
    [[nodiscard]] protocol::Pong pong() const;
    [[nodiscard]] protocol::Reply answer(const RequestQueue::Work& work);
    [[nodiscard]] Progress progressOf(const RequestQueue::Work& work);

    int m_input;
    EngineOptions m_options;
    FrameWriter m_writer;
    RequestQueue m_queue;
    Methods m_methods;
    std::atomic<std::uint64_t> m_beats = 0;
};

}  // namespace calibscope::engine
