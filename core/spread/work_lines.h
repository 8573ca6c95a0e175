// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace calibscope::spread {

/// The lines in which one process tells how far its work is: not before the pause is over, and then
/// once in a pause. May be called by several threads.
class WorkLines
{
public:
    using Clock = std::chrono::steady_clock;

    explicit WorkLines(Clock::duration pause, Clock::time_point now = Clock::now())
        : m_pause(pause), m_begun(now), m_told(now), m_since(now)
    {}

    /// Work of so many bytes begins; `what` is done with them, "first pass".
    void begin(std::string what, std::uint64_t bytes, Clock::time_point now = Clock::now())
    {
        const std::scoped_lock lock(m_mutex);
        m_what = std::move(what);
        m_all = bytes;
        m_done = 0;
        m_place.clear();
        m_share = 0.0;
        m_begun = now;
        m_told = now;
    }
    /// From now on there is worked at that place: "run/rank3.h5:/activations/conv1".
    void at(std::string place, Clock::time_point now = Clock::now())
    {
        const std::scoped_lock lock(m_mutex);
        m_place = std::move(place);
        m_since = now;
        m_share = 0.0;
    }
    /// So far it has been read there; passed over where there is worked at another place by now.
    void readAt(const std::string& place, std::uint64_t done, std::uint64_t all)
    {
        const std::scoped_lock lock(m_mutex);
        if (place == m_place && all > 0)
            m_share = static_cast<double>(done) / static_cast<double>(all);
    }
    void done(std::uint64_t bytes)
    {
        const std::scoped_lock lock(m_mutex);
        m_done += bytes;
    }

    /// "first pass: 1.2 of 10.0 GB, 0.85 GB/s; 9 s at run/rank3.h5:/activations/conv1, 45 % through
    /// this read", or nothing while it is not time for one.
    [[nodiscard]] std::optional<std::string> due(Clock::time_point now = Clock::now())
    {
        const std::scoped_lock lock(m_mutex);
        if (now - m_told < m_pause)
            return std::nullopt;
        m_told = now;
        constexpr double giga = 1e9;
        const auto seconds = [](Clock::duration time) {
            return std::chrono::duration<double>(time).count();
        };
        const double doneGiga = static_cast<double>(m_done) / giga;
        std::string line =
            fmt::format("{}: {:.1f} of {:.1f} GB, {:.2f} GB/s", m_what, doneGiga,
                        static_cast<double>(m_all) / giga, doneGiga / seconds(now - m_begun));
        if (!m_place.empty())
            line += fmt::format("; {:.0f} s at {}", seconds(now - m_since), m_place);
        constexpr double percent = 100.0;
        if (m_share > 0.0)
            line += fmt::format(", {:.0f} % through this read", percent * m_share);
        return line;
    }

private:
    Clock::duration m_pause;
    std::mutex m_mutex;
    std::string m_what;
    std::string m_place;
    double m_share = 0.0;  ///< of what is read at the place
    std::uint64_t m_all = 0;
    std::uint64_t m_done = 0;
    Clock::time_point m_begun;
    Clock::time_point m_told;
    Clock::time_point m_since;
};

}  // namespace calibscope::spread
