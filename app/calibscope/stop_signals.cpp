// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/stop_signals.h"

#include <array>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace calibscope::window {

namespace {

constexpr std::array<int, 3> stopSignals = {SIGINT, SIGTERM, SIGHUP};
std::array<int, 2> signalPipe = {-1, -1};

/// All that may be done in a handler: a byte into a pipe, which the event loop reads.
void handle(int signal)
{
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(signalPipe[1], &byte, 1);
}

}  // namespace

StopSignals::StopSignals(const std::function<void()>& stop)
{
    if (::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // signals then end the process as they always do
    m_notifier = std::make_unique<QSocketNotifier>(signalPipe[0], QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this, stop] {
        unsigned char byte = 0;
        if (::read(signalPipe[0], &byte, 1) != 1)
            return;
        m_signal = byte;
        stop();
    });
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (const int signal : stopSignals)
        ::sigaction(signal, &action, nullptr);
}

StopSignals::~StopSignals()
{
    for (const int signal : stopSignals)
        (void)std::signal(signal, SIG_DFL);
    m_notifier.reset();
    for (int& end : signalPipe)
        ::close(end);
    signalPipe = {-1, -1};
}

int StopSignals::exitCode() const
{
    constexpr int signalled = 128;
    return signalled + m_signal;
}

}  // namespace calibscope::window
