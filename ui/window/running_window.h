// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QString>
#include <QStringList>

#include <functional>

namespace calibscope {

/// Files for a window to open, absolute or addresses; of a start without files none.
struct HandedFiles
{
    QStringList files;
    bool allowExternal = false;
    bool isOne = false;  ///< all of them are one dump

    bool operator==(const HandedFiles&) const = default;
};

/// The window that runs for this user, on this display and with these settings: a second start
/// hands its files over to it. Only the same user can connect.
class RunningWindow
{
public:
    /// Address of that window, whether it runs or not.
    [[nodiscard]] static QString usualAddress();

    /// Whether a window of the same version, listening there, took the request over. An answer that
    /// does not come within two seconds counts as none.
    [[nodiscard]] static bool take(const QString& address, const HandedFiles& request);

    /// Listens there from now on, unless another window does. Replaces a socket that a window left
    /// behind which was killed.
    RunningWindow(const QString& address, std::function<void(const HandedFiles&)> open);

    [[nodiscard]] bool isListening() const { return m_server.isListening(); }

private:
    void answer(QLocalSocket& caller);

    QLocalServer m_server;
    std::function<void(const HandedFiles&)> m_open;
};

}  // namespace calibscope
