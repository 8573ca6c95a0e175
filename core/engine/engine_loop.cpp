// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_loop.h"

#include "core/base/error.h"
#include "core/protocol/frame_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace calibscope::engine {

OwnPipes takeStandardPipes()
{
    if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) != 0)
        throw Error(Fault::Usage,
                    "serve: standard input and output are a terminal; the application starts this "
                    "command itself; on the command line use the others");
    constexpr int leastOwn = 10;
    const OwnPipes own{.input = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, leastOwn),
                       .output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, leastOwn)};
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (own.input < 0 || own.output < 0 || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 ||
        ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Error(Fault::Output, "serve: its pipes can't be set up: {}", std::strerror(errno));
    ::close(nothing);
#ifdef F_SETPIPE_SZ
    // Large replies travel twice as fast through 1 MiB as through the usual 64 KiB; where it is
    // refused, or no pipe, all works as well.
    constexpr int roomyPipe = 1 << 20;
    (void)::fcntl(own.output, F_SETPIPE_SZ, roomyPipe);
#endif
    return own;
}

namespace {

std::uint64_t idOf(const protocol::ToClient& message)
{
    const auto* reply = std::get_if<protocol::Reply>(&message);
    return reply != nullptr ? reply->id : 0;
}

/// By what it takes the message is freed before its failure is reported.
std::string frameOf(protocol::ToClient message)
{
    return protocol::toFrame(protocol::toJson(std::move(message))) + protocol::frameEnd;
}

std::string failureFrame(std::uint64_t id, std::string sentence, Fault fault)
{
    return frameOf(protocol::Reply{
        .id = id,
        .result = {},
        .failure = protocol::Failure{.message = std::move(sentence), .fault = fault}});
}

constexpr const char* outOfMemory =
    "engine: not enough memory for this; ask for fewer calibrators at once or close other programs";

/// How long a client that has ended its requests may take to read on.
constexpr int askedAgainMs = 500;

}  // namespace

FrameWriter::FrameWriter(int output, int input)
    : m_output(output), m_input(input), m_flags(::fcntl(output, F_GETFL))
{
    if (m_flags >= 0)
        (void)::fcntl(m_output, F_SETFL, m_flags | O_NONBLOCK);
}

void FrameWriter::release() const
{
    if (m_flags >= 0)
        (void)::fcntl(m_output, F_SETFL, m_flags);
}

void FrameWriter::writePreamble()
{
    const std::scoped_lock lock(m_mutex);
    (void)writeAll(protocol::preamble);
}

bool FrameWriter::write(protocol::ToClient message)
{
    const std::uint64_t id = idOf(message);
    std::string frame;
    try {
        frame = frameOf(std::move(message));
    } catch (const Error& error) {
        frame = failureFrame(id, error.what(), error.fault());
    } catch (const std::exception&) {  // of the memory, by any of its names
        frame = failureFrame(id, outOfMemory, Fault::Input);
    }
    const std::scoped_lock lock(m_mutex);
    return writeAll(frame);
}

bool FrameWriter::waitForReader() const
{
    while (true) {
        pollfd output{.fd = m_output, .events = POLLOUT, .revents = 0};
        const int ready = ::poll(&output, 1, askedAgainMs);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;  // or an end, which the next attempt tells
        pollfd input{.fd = m_input, .events = 0, .revents = 0};
        if (ready == 0 && ::poll(&input, 1, 0) > 0)
            return false;
    }
}

bool FrameWriter::writeAll(std::string_view bytes)
{
    while (!bytes.empty() && !m_isLost) {
        const ssize_t written = ::write(m_output, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EAGAIN && waitForReader())
            continue;
        if (written < 0)
            m_isLost = true;
        else
            bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return !m_isLost;
}

std::optional<std::string> nextBytes(int descriptor, const std::function<bool()>& isOver)
{
    constexpr int askedEveryMs = 500;
    // A parent that dies closes its end of the pipe, unless another of its children holds it too.
    static const pid_t parent = ::getppid();
    std::string bytes(std::size_t{64} << 10, '\0');
    while (!isOver() && ::getppid() == parent) {
        pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&input, 1, askedEveryMs);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        const ssize_t count = ready < 0 ? -1 : ::read(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::nullopt;
        bytes.resize(static_cast<std::size_t>(count));
        return bytes;
    }
    return std::nullopt;
}

void RequestQueue::push(protocol::Request request)
{
    const std::scoped_lock lock(m_mutex);
    m_waiting.push_back(std::move(request));
    m_changed.notify_all();
}

std::optional<RequestQueue::Work> RequestQueue::next()
{
    std::unique_lock lock(m_mutex);
    m_current = 0;
    m_changed.wait(lock, [this] { return m_isClosed || !m_waiting.empty(); });
    if (m_isClosed) {
        m_hasEnded = true;
        m_changed.notify_all();
        return std::nullopt;
    }
    protocol::Request request = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_current = request.id;
    m_stop = {};
    return Work{.request = std::move(request), .stop = m_stop.get_token()};
}

bool RequestQueue::cancel(std::uint64_t id)
{
    const std::scoped_lock lock(m_mutex);
    if (id == m_current)
        m_stop.request_stop();
    return std::erase_if(m_waiting,
                         [id](const protocol::Request& request) { return request.id == id; }) > 0;
}

void RequestQueue::close()
{
    const std::scoped_lock lock(m_mutex);
    m_isClosed = true;
    m_waiting.clear();
    m_stop.request_stop();
    m_changed.notify_all();
}

bool RequestQueue::isClosed() const
{
    const std::scoped_lock lock(m_mutex);
    return m_isClosed;
}

std::uint64_t RequestQueue::current() const
{
    const std::scoped_lock lock(m_mutex);
    return m_current;
}

bool RequestQueue::waitForWorker(std::chrono::milliseconds longest)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, longest, [this] { return m_hasEnded; });
}

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
      m_writer(output, input),
      m_methods(std::move(parts), m_options.memoryBytes, m_options.cache)
{}

void EngineLoop::run()
{
    m_writer.writePreamble();
    answerRequests();
    m_writer.release();
}

void EngineLoop::answerRequests()
{
    const std::jthread reader([this] { readRequests(); });
    while (const std::optional<RequestQueue::Work> work = m_queue.next())
        if (!hasAnswered(*work))
            m_queue.close();
}

void EngineLoop::takeFrames()
{
    using Clock = std::chrono::steady_clock;
    protocol::FrameReader frames(protocol::FrameReader::Start::AtFrame);
    Clock::time_point heard = Clock::now();
    const auto isOver = [this, &heard] {
        return m_queue.isClosed() || (m_options.idle && Clock::now() - heard >= *m_options.idle);
    };
    while (const std::optional<std::string> bytes = nextBytes(m_input, isOver)) {
        heard = Clock::now();
        frames.feed(*bytes);
        while (const std::optional<std::string> frame = frames.next())
            takeFrame(*frame);
    }
}

void EngineLoop::lastWord(const char* sentence, Fault fault) noexcept
{
    try {
        (void)m_writer.write(failed(0, sentence, fault));
    } catch (...) {
        return;  // not even memory for that: the client sees the end
    }
}

void EngineLoop::readRequests()
{
    // After a failure the stream is lost: where the next message begins can't be determined.
    try {
        takeFrames();
    } catch (const Error& error) {
        lastWord(error.what(), error.fault());
    } catch (const std::exception&) {
        lastWord(outOfMemory, Fault::Input);
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
    } catch (const std::bad_alloc&) {
        (void)m_writer.write(failed(id, outOfMemory, Fault::Input));
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
        return failed(request.id, outOfMemory, Fault::Input);
    } catch (const std::exception& error) {
        return failed(request.id, std::string("engine: internal error: ") + error.what(),
                      Fault::Input);
    }
}

bool EngineLoop::hasAnswered(const RequestQueue::Work& work) noexcept
{
    try {
        return m_writer.write(answer(work));
    } catch (...) {
        return false;  // no memory for the sentence that there is none
    }
}

Progress EngineLoop::progressOf(const RequestQueue::Work& work)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t mostWhat = 200;  // a path may be a book
    const auto report = [this, id = work.request.id,
                         due = Clock::time_point{}](std::uint64_t done, std::uint64_t total,
                                                    std::string_view what) mutable {
        ++m_beats;
        if (Clock::now() < due)
            return;
        due = Clock::now() + m_options.progressInterval;
        (void)m_writer.write(protocol::ProgressNote{
            .id = id, .done = done, .total = total, .what = std::string(what.substr(0, mostWhat))});
    };
    return {work.stop, report};
}

}  // namespace calibscope::engine
