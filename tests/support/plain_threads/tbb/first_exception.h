// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <mutex>

namespace tbb {

/// Of several threads' exceptions the first is thrown again by the one that waits for all, as
/// there.
class FirstException
{
public:
    void keepCurrent()
    {
        const std::lock_guard lock(m_mutex);
        if (!m_first)
            m_first = std::current_exception();
    }

    bool isKept()
    {
        const std::lock_guard lock(m_mutex);
        return m_first != nullptr;
    }

    void rethrow() const
    {
        if (m_first)
            std::rethrow_exception(m_first);
    }

private:
    std::mutex m_mutex;
    std::exception_ptr m_first;
};

}  // namespace tbb
