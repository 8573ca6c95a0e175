// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_watch.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace calibscope {

void DeadlyRequests::noteDeath(std::size_t request, std::int64_t nowMs)
{
    std::erase_if(m_deaths,
                  [&](const auto& known) { return known.second.lastMs + quietMs <= nowMs; });
    Deaths& deaths = m_deaths[request];
    ++deaths.count;
    deaths.lastMs = nowMs;
    ++m_inARow;
}

void DeadlyRequests::noteAnswer(std::size_t request)
{
    m_deaths.erase(request);
    m_inARow = 0;
}

std::int64_t DeadlyRequests::refusedForMs(std::size_t request, std::int64_t nowMs) const
{
    const auto found = m_deaths.find(request);
    if (found == m_deaths.end() || found->second.count < mostDeaths)
        return 0;
    return std::max<std::int64_t>(found->second.lastMs + quietMs - nowMs, 0);
}

std::int64_t DeadlyRequests::pauseMs() const
{
    constexpr int mostDoublings = 10;
    if (m_inARow < 2)
        return 0;
    return std::min(firstPauseMs << std::min(m_inARow - 2, mostDoublings), longestPauseMs);
}

void EngineWatch::sawPong(std::uint64_t beats, std::uint64_t cpuMs)
{
    m_cpuMs = cpuMs;
    if (beats == m_beats)
        return;
    m_beats = beats;
    m_cpuMsAtBeat = cpuMs;
    m_ticksWithoutBeat = 0;
    m_hasReported = false;
}

EngineWatch::Verdict EngineWatch::tick(bool isHeldBySignal)
{
    ++m_ticksWithoutByte;
    ++m_ticksWithoutBeat;
    m_ticksHeld = isHeldBySignal ? m_ticksHeld + 1 : 0;
    if (m_ticksHeld >= stoppedTicks)
        return Verdict::Stopped;
    if (m_hasReported || m_ticksWithoutBeat < m_patience)
        return Verdict::Well;
    const bool isSilent = m_ticksWithoutByte >= m_patience;
    if (!isSilent && m_ticksWithoutByte >= m_patience / 2)
        return Verdict::Well;  // it is falling silent, which is reported when it is certain
    m_hasReported = true;
    if (isSilent)
        return Verdict::Silent;
    // Half of the patience, as a worker that waits for a disk computes a little too.
    const std::uint64_t loopingMs = static_cast<std::uint64_t>(m_patience) * tickMs / 2;
    return m_cpuMs - m_cpuMsAtBeat >= loopingMs ? Verdict::Looping : Verdict::Waiting;
}

bool isHeldBySignal(std::int64_t processId)
{
    std::ifstream file("/proc/" + std::to_string(processId) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    // "pid (name) state ...", and the name may hold anything.
    const std::size_t nameEnd = text.rfind(") ");
    return nameEnd != std::string::npos && nameEnd + 2 < text.size() && text[nameEnd + 2] == 'T';
}

}  // namespace calibscope
