// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <span>

#include <pthread.h>

namespace calibscope {

/// While one lives those signals do not come to this thread: they wait, or go to another one.
class HeldSignals
{
public:
    explicit HeldSignals(std::span<const int> signals)
    {
        sigset_t held;
        ::sigemptyset(&held);
        for (const int signal : signals)
            ::sigaddset(&held, signal);
        ::pthread_sigmask(SIG_BLOCK, &held, &m_before);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals() { release(); }

    void release() const { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

private:
    sigset_t m_before{};
};

}  // namespace calibscope
