// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace calibscope::test {

/// Something that happens once, in one thread, and is waited for in others.
class Once
{
public:
    void happen()
    {
        const std::lock_guard lock(m_mutex);
        m_hasHappened = true;
        m_changed.notify_all();
    }
    [[nodiscard]] bool hasHappened() const
    {
        const std::lock_guard lock(m_mutex);
        return m_hasHappened;
    }
    void wait() const
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_hasHappened; });
    }
    /// False if it does not happen within so long.
    [[nodiscard]] bool waitFor(std::chrono::milliseconds patience) const
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, patience, [this] { return m_hasHappened; });
    }

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    bool m_hasHappened = false;
};

}  // namespace calibscope::test
