// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace calibscope {

/// Remembers which requests have ended engines: none of them is tried in a loop, and engines that
/// end one after the other are started at growing intervals. Times are of one clock that never goes
/// back.
class DeadlyRequests
{
public:
    static constexpr int mostDeaths = 2;  ///< the first may have been an accident
    static constexpr std::int64_t quietMs = 30000;
    static constexpr std::int64_t firstPauseMs = 100;
    static constexpr std::int64_t longestPauseMs = 5000;

    /// An engine ended while it worked on that request.
    void noteDeath(std::size_t request, std::int64_t nowMs);
    /// An engine answered that request.
    void noteAnswer(std::size_t request);
    /// For how long the request is not to be tried again; 0: it may be.
    [[nodiscard]] std::int64_t refusedForMs(std::size_t request, std::int64_t nowMs) const;
    /// Before the next engine is started.
    [[nodiscard]] std::int64_t pauseMs() const;

private:
    struct Deaths
    {
        int count = 0;
        std::int64_t lastMs = 0;
    };
    std::map<std::size_t, Deaths> m_deaths;
    int m_inARow = 0;  ///< without an answer in between
};

/// Judges from an engine's signs of life whether it still works on a request.
///
/// It counts the client's own ticks, never time: a client that was asleep itself must not take a
/// healthy engine for a hung one.
class EngineWatch
{
public:
    static constexpr int tickMs = 250;
    static constexpr int patienceTicks = 40;  ///< 10 s: a large allocation beside a busy compiler
                                              ///< can silence an engine for over 2 s
    static constexpr int stoppedTicks = 4;    ///< 1 s

    enum class Verdict {
        Well,
        Stopped,  ///< the process is held by a signal: certain, nobody needs to be asked
        Silent,   ///< not a byte
        Waiting,  ///< it answers, but its worker does nothing
        Looping,  ///< it answers, its worker computes without a step
    };

    /// So many ticks without a sign are reported.
    explicit EngineWatch(int patience = patienceTicks) : m_patience(patience) {}
    [[nodiscard]] int patienceMs() const { return m_patience * tickMs; }

    /// A request was sent.
    void begin() { *this = EngineWatch(m_patience); }
    void sawByte() { m_ticksWithoutByte = 0; }
    void sawPong(std::uint64_t beats, std::uint64_t cpuMs);
    /// One tick has passed. Each of the last three verdicts is given once, then again only after a
    /// new sign of work.
    [[nodiscard]] Verdict tick(bool isHeldBySignal);

private:
    int m_patience;
    int m_ticksWithoutByte = 0;
    int m_ticksWithoutBeat = 0;
    int m_ticksHeld = 0;
    bool m_hasReported = false;
    std::uint64_t m_beats = 0;
    std::uint64_t m_cpuMsAtBeat = 0;
    std::uint64_t m_cpuMs = 0;
};

/// Whether a process of this machine is held by SIGSTOP or the like. False where that can't be
/// told.
[[nodiscard]] bool isHeldBySignal(std::int64_t processId);

}  // namespace calibscope
