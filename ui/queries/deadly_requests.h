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

}  // namespace calibscope
