// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSocketNotifier>

#include <functional>
#include <memory>

namespace calibscope::window {

/// While it lives, SIGINT, SIGTERM and SIGHUP call a function from the event loop instead of ending
/// the process. One at a time. A second signal ends the process at once.
class StopSignals
{
public:
    explicit StopSignals(const std::function<void()>& stop);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// What a shell expects of a program that a signal ended: 128 and the signal's number.
    [[nodiscard]] int exitCode() const;

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_signal = 0;
};

}  // namespace calibscope::window
