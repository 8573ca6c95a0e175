// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/remote_machines.h"

#include <QMetaMethod>

#include <string>
#include <utility>

namespace calibscope {

namespace {

/// The engine ends that long after the last byte: a link may freeze. The window pings more often.
constexpr const char* idleSeconds = "300";

/// Where nothing is said of a machine; for programs without the dialog that says it, too.
QString usualCommand()
{
    const QString set = qEnvironmentVariable("CALIBSCOPE_REMOTE_COMMAND").trimmed();
    return set.isEmpty() ? QStringLiteral("calib") : set;
}

}  // namespace

EngineProgram programAt(const Location& location, const QString& command, bool keepsResults)
{
    QStringList arguments{QStringLiteral("-T"), QStringLiteral("-C")};
    for (const char* option : {"BatchMode=yes", "ServerAliveInterval=5", "ServerAliveCountMax=3"})
        arguments << QStringLiteral("-o") << QLatin1String(option);
    if (location.port != 0)
        arguments << QStringLiteral("-p") << QString::number(location.port);
    const std::string user = location.user.empty() ? std::string() : location.user + "@";
    arguments << QStringLiteral("--") << QString::fromStdString(user + location.host);
    // ssh joins these words, and the shell there splits them again. The command is the user's own
    // and may be several.
    arguments << command;
    QStringList words{QStringLiteral("serve"), QStringLiteral("--idle"),
                      QLatin1String(idleSeconds)};
    if (keepsResults)
        words << QStringLiteral("--cache") << QStringLiteral("auto");
    for (const QString& word : words)
        arguments << QString::fromStdString(shellQuoted(word.toStdString()));
    return {.program = QStringLiteral("ssh"),
            .arguments = arguments,
            .host = QString::fromStdString(location.machine()),
            .command = command};
}

RemoteMachines::RemoteMachines(KnownMachines known, QObject* parent)
    : QObject(parent), m_known(std::move(known))
{}

RemoteMachines::Standing RemoteMachines::standingOf(const QString& machine)
{
    if (m_known.allowed.contains(machine))
        return Standing::Allowed;
    if (!isSignalConnected(QMetaMethod::fromSignal(&RemoteMachines::questioned)))
        return Standing::Refused;  // there is nobody to ask
    if (!m_asked.contains(machine)) {
        m_asked += machine;
        Q_EMIT questioned(machine);
    }
    return m_known.allowed.contains(machine) ? Standing::Allowed
           : m_asked.contains(machine)       ? Standing::Asked
                                             : Standing::Refused;
}

void RemoteMachines::allow(const QString& machine)
{
    m_asked.removeAll(machine);
    if (machine.isEmpty() || m_known.allowed.contains(machine))
        return;
    m_known.allowed += machine;
    Q_EMIT changed();
    Q_EMIT decided(machine, true);
}

void RemoteMachines::refuse(const QString& machine)
{
    if (m_asked.removeAll(machine) > 0)
        Q_EMIT decided(machine, false);
}

QString RemoteMachines::commandOn(const QString& machine) const
{
    return m_known.commands.value(machine, usualCommand());
}

void RemoteMachines::setCommand(const QString& machine, const QString& command)
{
    const QString words = command.trimmed();
    if (machine.isEmpty() || (words.isEmpty() ? usualCommand() : words) == commandOn(machine))
        return;
    if (words.isEmpty() || words == usualCommand())
        m_known.commands.remove(machine);
    else
        m_known.commands[machine] = words;
    Q_EMIT changed();
}

}  // namespace calibscope
