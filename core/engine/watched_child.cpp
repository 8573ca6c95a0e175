// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watched_child.h"

#include "core/base/held_signals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Of preset coverage: what was run is written by what a program does behind main().
// NOLINTNEXTLINE(readability-identifier-naming): it is the compiler's
extern "C" void __gcov_dump(void) __attribute__((weak));

namespace calibscope::engine {

void SharedText::set(std::string_view text)
{
    if (m_isBeingSet.exchange(true, std::memory_order_acquire))
        return;
    const std::size_t length = std::min(text.size(), mostBytes);
    const unsigned next = 1 - m_current.load(std::memory_order_relaxed);
    for (std::size_t byte = 0; byte < length; ++byte)
        m_texts[next].bytes[byte].store(text[byte], std::memory_order_relaxed);
    m_texts[next].length.store(length, std::memory_order_relaxed);
    m_current.store(next, std::memory_order_release);
    m_isBeingSet.store(false, std::memory_order_release);
}

std::string SharedText::text() const
{
    const Text& current = m_texts[m_current.load(std::memory_order_acquire) % 2];
    const std::size_t length = std::min(current.length.load(std::memory_order_relaxed), mostBytes);
    std::string text;
    for (std::size_t byte = 0; byte < length; ++byte)
        text += current.bytes[byte].load(std::memory_order_relaxed);
    return text;
}

void endProcess(int code)
{
    static_cast<void>(std::fflush(nullptr));
    if (__gcov_dump != nullptr)
        __gcov_dump();
    ::_exit(code);
}

namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

constexpr std::array askToEnd{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// A signal handler reaches nothing but what is static.
std::atomic<pid_t> watchedChild = 0;
static_assert(std::atomic<pid_t>::is_always_lock_free);

extern "C" void handOn(int signal)
{
    const int kept = errno;
    if (const pid_t child = watchedChild; child > 0)
        ::kill(child, signal);
    errno = kept;
}

/// Hands signals on to the child while it lives; those that are ignored stay ignored, as under
/// nohup.
class HandedOnSignals
{
public:
    HandedOnSignals()
    {
        for (std::size_t index = 0; index < askToEnd.size(); ++index) {
            ::sigaction(askToEnd.at(index), nullptr, &m_before.at(index));
            struct sigaction action = m_before.at(index);
            if (action.sa_handler == SIG_IGN)
                continue;
            action.sa_handler = handOn;
            action.sa_flags = SA_RESTART;
            ::sigaction(askToEnd.at(index), &action, nullptr);
        }
    }
    HandedOnSignals(const HandedOnSignals&) = delete;
    HandedOnSignals& operator=(const HandedOnSignals&) = delete;
    ~HandedOnSignals() { restore(); }

    void restore() const
    {
        for (std::size_t index = 0; index < askToEnd.size(); ++index)
            ::sigaction(askToEnd.at(index), &m_before.at(index), nullptr);
    }

private:
    std::array<struct sigaction, askToEnd.size()> m_before{};
};

/// A Pulse in memory that both processes share.
class SharedPulse
{
public:
    SharedPulse()
        : m_memory(::mmap(nullptr, sizeof(Pulse), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0))
    {
        if (m_memory != MAP_FAILED)
            m_pulse = new (m_memory) Pulse;
    }
    SharedPulse(const SharedPulse&) = delete;
    SharedPulse& operator=(const SharedPulse&) = delete;
    ~SharedPulse()
    {
        if (m_pulse != nullptr)
            ::munmap(m_memory, sizeof(Pulse));
    }
    [[nodiscard]] Pulse* pulse() const { return m_pulse; }

private:
    void* m_memory;
    Pulse* m_pulse = nullptr;
};

/// The child's side.
[[noreturn]] void workInChild(Pulse& pulse, pid_t parent, const std::function<int(Pulse&)>& work)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(1);  // it had ended before it could be asked to end with it
    endProcess(work(pulse));
}

/// Processor time of a process in milliseconds.
std::optional<std::uint64_t> computedMs(pid_t process)
{
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(time.tv_sec) * 1000 +
           static_cast<std::uint64_t>(time.tv_nsec) / 1000000;
}

/// Whether what is written to a descriptor would wait for whoever reads it.
bool isHeldUp(int descriptor)
{
    pollfd output{.fd = descriptor, .events = POLLOUT, .revents = 0};
    return ::poll(&output, 1, 0) == 0;
}

/// Judges from the child's signs of life whether it goes on. Counts the parent's own ticks, not
/// time: both may have been asleep.
class ChildWatch
{
public:
    ChildWatch(const ChildLimits& limits, pid_t child, const Pulse& pulse)
        : m_limits(limits), m_child(child), m_pulse(pulse)
    {}

    static constexpr unsigned tickMs = 100;

    /// Why the child is to be given up; nothing while all is well.
    [[nodiscard]] std::optional<ChildEnd::Kind> tick()
    {
        const std::uint64_t steps = m_pulse.steps.load(std::memory_order_relaxed);
        // Held up by whoever reads the output, it will need time after that, too.
        if (m_ticks == 0 || steps != m_steps || isHeldUp(STDOUT_FILENO) ||
            isHeldUp(STDERR_FILENO)) {
            m_steps = steps;
            m_ticks = 1;
            m_readyTicks = 0;
            m_computedMsAtStep = computedMs(m_child).value_or(0);
            return std::nullopt;
        }
        m_readyTicks += isReadyToCompute(m_child) ? 1U : 0U;
        const std::uint64_t computed = computedMs(m_child).value_or(0) - m_computedMsAtStep;
        const ChildSilence silence{.lasted = std::chrono::milliseconds(m_ticks * tickMs),
                                   .computed = std::chrono::milliseconds(computed),
                                   .readyShare = static_cast<double>(m_readyTicks) / m_ticks,
                                   .isOpening = m_pulse.isOpening,
                                   .isWriting = m_pulse.isWriting};
        ++m_ticks;
        return verdictOn(m_limits, silence);
    }

private:
    const ChildLimits& m_limits;
    pid_t m_child;
    const Pulse& m_pulse;
    std::uint64_t m_steps = 0;
    unsigned m_ticks = 0;       ///< since the last step
    unsigned m_readyTicks = 0;  ///< of these, with a thread that was ready to compute
    std::uint64_t m_computedMsAtStep = 0;
};

ChildEnd endOf(pid_t child)
{
    int status = 0;
    pid_t found = 0;
    while ((found = ::waitpid(child, &status, 0)) < 0 && errno == EINTR)
        continue;
    if (found < 0)  // somebody else has taken its end
        return {.kind = ChildEnd::Kind::Signalled, .code = SIGKILL};
    if (WIFSIGNALED(status))
        return {.kind = ChildEnd::Kind::Signalled, .code = WTERMSIG(status)};
    return {.kind = ChildEnd::Kind::Exited, .code = WEXITSTATUS(status)};
}

/// Whether a child that was killed has ended in time.
bool hasEnded(int lives)
{
    constexpr int patienceMs = 2000;
    pollfd end{.fd = lives, .events = POLLIN, .revents = 0};
    return ::poll(&end, 1, patienceMs) > 0;
}

/// Waits for the child; `lives` is a pipe that ends with it.
ChildEnd watchUntilEnd(const ChildLimits& limits, pid_t child, int lives, const Pulse& pulse)
{
    ChildWatch watch(limits, child, pulse);
    std::optional<ChildEnd::Kind> verdict;
    while (!verdict) {
        pollfd end{.fd = lives, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&end, 1, int{ChildWatch::tickMs});
        if (ready > 0)
            break;
        if (ready == 0)
            verdict = watch.tick();
    }
    ChildEnd ended;
    if (verdict)
        ::kill(child, SIGKILL);
    // One that waits for a dead disk can't be ended, and is left to the system.
    if (!verdict || hasEnded(lives))
        ended = endOf(child);
    watchedChild = 0;
    if (verdict)
        ended.kind = *verdict;
    ended.process = child;
    ended.wasOpening = pulse.isOpening;
    ended.file = pulse.file.text();
    ended.place = pulse.place.text();
    return ended;
}

ChildEnd workHere(const std::function<int(Pulse&)>& work)
{
    Pulse pulse;
    return {.kind = ChildEnd::Kind::Exited, .code = work(pulse)};
}

}  // namespace

bool isCrash(int signal)
{
    constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
    return std::ranges::find(crashes, signal) != crashes.end();
}

std::optional<ChildEnd::Kind> verdictOn(const ChildLimits& limits, const ChildSilence& silence)
{
    if (limits.patience.count() == 0 || silence.lasted < limits.patience)
        return std::nullopt;
    const auto furtherPatience = limits.patience * limits.furtherPatience;
    // Half of it, as a busy machine leaves the child only a part of the time.
    if (silence.computed >= limits.patience / 2)
        return silence.isOpening || silence.lasted >= furtherPatience
                   ? std::optional(ChildEnd::Kind::Looping)
                   : std::nullopt;
    constexpr int mostPatience = 10;
    const bool isStarved =
        silence.readyShare > 0.5 && silence.lasted < mostPatience * furtherPatience;
    if (silence.lasted < furtherPatience || limits.mayWaitForReader || silence.isWriting ||
        isStarved)
        return std::nullopt;
    return ChildEnd::Kind::Waiting;
}

bool isReadyToCompute(std::int64_t process)
{
    const std::string folder = "/proc/" + std::to_string(process) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> threads(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = threads ? ::readdir(threads.get()) : nullptr) {
        std::ifstream file(folder + "/" + entry->d_name + "/stat");
        std::string line;
        std::getline(file, line);
        // "number (name) state": the name may hold anything.
        const std::size_t name = line.rfind(") ");
        if (name != std::string::npos && line.substr(name + 2, 1) == "R")
            return true;
    }
    return false;
}

ChildEnd runWatched(const ChildLimits& limits, const std::function<int(Pulse&)>& work,
                    const std::function<void()>& besides)
{
    const SharedPulse shared;
    std::array<int, 2> pipe{-1, -1};
    if (shared.pulse() == nullptr || ::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return workHere(work);
    for (int& end : pipe) {
        if (end > STDERR_FILENO)
            continue;
        // The program was started without a standard stream: its number is not for a pipe.
        const int higher = ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        ::close(end);
        end = higher;
    }
    // Where it is ignored, which a program hands on to those that it starts, no end is ever reported.
    static_cast<void>(std::signal(SIGCHLD, SIG_DFL));
    const HandedOnSignals signals;
    static_cast<void>(std::fflush(nullptr));  // else both write what waits
    const pid_t parent = ::getpid();
    {
        // None is lost between the child's birth and the moment from which both know what to do.
        const HeldSignals held(askToEnd);
        watchedChild = ::fork();
        if (watchedChild == 0) {
            signals.restore();
            held.release();
            ::close(pipe[0]);
            workInChild(*shared.pulse(), parent, work);
        }
    }
    const pid_t child = watchedChild;
    ::close(pipe[1]);
    if (child > 0 && besides)
        besides();
    ChildEnd ended =
        child > 0 ? watchUntilEnd(limits, child, pipe[0], *shared.pulse()) : workHere(work);
    ::close(pipe[0]);
    return ended;
}

}  // namespace calibscope::engine
