// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What Calibscope uses of oneTBB, on plain threads. The library itself is compiled without the
// thread sanitizer, which then takes every task that it hands over for a race; in preset tsan these
// headers stand before it.

#include <cstddef>
#include <mutex>
#include <vector>

namespace tbb {

/// The least limit of those that are alive counts, as there.
class global_control
{
public:
    enum parameter { max_allowed_parallelism };

    global_control(parameter, std::size_t value) : m_value(value)
    {
        const std::lock_guard lock(mutex());
        limits().push_back(value);
    }

    ~global_control()
    {
        const std::lock_guard lock(mutex());
        std::erase(limits(), m_value);
    }

    global_control(const global_control&) = delete;
    global_control& operator=(const global_control&) = delete;

    static std::size_t active_value(parameter)
    {
        const std::lock_guard lock(mutex());
        std::size_t least = 4;
        for (const std::size_t limit : limits())
            least = limit < least ? limit : least;
        return least;
    }

private:
    static std::mutex& mutex()
    {
        static std::mutex it;
        return it;
    }

    static std::vector<std::size_t>& limits()
    {
        static std::vector<std::size_t> them;
        return them;
    }

    std::size_t m_value;
};

}  // namespace tbb
