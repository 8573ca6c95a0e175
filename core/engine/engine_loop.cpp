#include "core/engine/engine_loop.h"

#include "core/base/error.h"
#include "core/engine/input_bytes.h"
#include "core/protocol/frame_reader.h"

#include <ctime>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace calibscope::engine {

namespace {

protocol::Reply failed(std::uint64_t id, std::string message, Fault fault)
{
    return {.id = id,
            .result = {},
            .failure = protocol::Failure{.message = std::move(message), .fault = fault}};
}

std::uint64_t milliseconds(clockid_t clock)
{
    timespec time{};
    if (::clock_gettime(clock, &time) != 0)
        return 0;
    return static_cast<std::uint64_t>(time.tv_sec) * 1000 +
           static_cast<std::uint64_t>(time.tv_nsec) / 1000000;
}

}  // namespace

EngineLoop::EngineLoop(int input, int output, EngineParts parts, EngineOptions options)
    : m_input(input),
      m_options(std::move(options)),
      m_writer(output),
      m_methods(std::move(parts), m_options.memoryBytes, m_options.cache)
{}

void EngineLoop::run()
{
    m_writer.writePreamble();
    const std::jthread reader([this] { readRequests(); });
    while (const std::optional<RequestQueue::Work> work = m_queue.next())
        if (!m_writer.write(answer(*work)))
            m_queue.close();
}

void EngineLoop::readRequests()
{
    protocol::FrameReader frames(protocol::FrameReader::Start::AtFrame);
    try {
        while (const std::optional<std::string> bytes =
                   nextBytes(m_input, [this] { return m_queue.isClosed(); })) {
            frames.feed(*bytes);
            while (const std::optional<std::string> frame = frames.next())
                takeFrame(*frame);
        }
    } catch (const Error& error) {
        // The stream is lost: where the next message begins can't be told.
        (void)m_writer.write(failed(0, error.what(), error.fault()));
    }
    m_queue.close();
    if (!m_queue.waitForWorker(m_options.grace) && m_options.abandon)
        m_options.abandon();
}

void EngineLoop::takeFrame(const std::string& cbor)
{
    std::uint64_t id = 0;
    try {
        protocol::Json json = protocol::parseCbor(cbor);
        id = protocol::idOf(json);
        take(protocol::toEngineFromJson(std::move(json)));
    } catch (const std::exception& error) {
        (void)m_writer.write(failed(id, error.what(), Fault::Input));
    }
}

void EngineLoop::take(protocol::ToEngine message)
{
    if (const auto* ping = std::get_if<protocol::PingRequest>(&message))
        (void)m_writer.write(
            protocol::Reply{.id = ping->id, .result = protocol::toJson(pong()), .failure = {}});
    else if (const auto* cancel = std::get_if<protocol::CancelRequest>(&message)) {
        if (m_queue.cancel(cancel->request))
            (void)m_writer.write(
                protocol::Reply{.id = cancel->request, .result = {}, .failure = {}});
    } else
        m_queue.push(std::get<protocol::Request>(std::move(message)));
}

protocol::Pong EngineLoop::pong() const
{
    // All threads but this one, which only reads and answers.
    return {.beats = m_beats,
            .current = m_queue.current(),
            .cpuMs =
                milliseconds(CLOCK_PROCESS_CPUTIME_ID) - milliseconds(CLOCK_THREAD_CPUTIME_ID)};
}

protocol::Reply EngineLoop::answer(const RequestQueue::Work& work)
{
    const protocol::Request& request = work.request;
    try {
        return {.id = request.id,
                .result = m_methods.call(request.method, request.params, progressOf(work)),
                .failure = {}};
    } catch (const Cancelled&) {
        return {.id = request.id, .result = {}, .failure = {}};
    } catch (const Error& error) {
        return failed(request.id, error.what(), error.fault());
    } catch (const std::bad_alloc&) {
        return failed(request.id,
                      "engine: not enough memory for this; ask for fewer calibrators at once or "
                      "close other programs",
                      Fault::Input);
    } catch (const std::exception& error) {
        return failed(request.id, std::string("engine: internal error: ") + error.what(),
                      Fault::Input);
    }
}

Progress EngineLoop::progressOf(const RequestQueue::Work& work)
{
    using Clock = std::chrono::steady_clock;
    const auto report = [this, id = work.request.id,
                         due = Clock::time_point{}](std::uint64_t done, std::uint64_t total,
                                                    std::string_view what) mutable {
        ++m_beats;
        if (Clock::now() < due)
            return;
        due = Clock::now() + m_options.progressInterval;
        (void)m_writer.write(protocol::ProgressNote{
            .id = id, .done = done, .total = total, .what = std::string(what)});
    };
    return {work.stop, report};
}

}  // namespace calibscope::engine
