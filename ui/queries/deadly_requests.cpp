// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/deadly_requests.h"

#include <algorithm>

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

}  // namespace calibscope
