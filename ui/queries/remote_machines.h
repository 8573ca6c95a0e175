// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/location.h"
#include "ui/queries/engine.h"

#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>

#include <utility>

namespace calibscope {

/// The user's statements on other machines, each by Location::machine().
struct KnownMachines
{
    QStringList allowed;              ///< may be connected to
    QMap<QString, QString> commands;  ///< that start calib there, where it is not just "calib"
};

/// The way to the engine of another machine: ssh, which is given nothing that it could take for an
/// option. `keepsResults`: there, in the user's cache folder.
[[nodiscard]] EngineProgram programAt(const Location& location, const QString& command,
                                      bool keepsResults);

/// Which machines may be connected to, and how. Addresses come from session files, too: no program
/// is started for a machine before the user has named or allowed it.
class RemoteMachines : public QObject
{
    Q_OBJECT

public:
    explicit RemoteMachines(KnownMachines known = {}, QObject* parent = nullptr);

    enum class Standing {
        Asked,  ///< the user is being asked; decided() will come
        Allowed,
        Refused,
    };
    /// Asks the user if nothing is known yet.
    [[nodiscard]] Standing standingOf(const QString& machine);
    /// The user wants it, or has named it himself.
    void allow(const QString& machine);
    /// Ends the question; the next request for that machine asks again.
    void refuse(const QString& machine);

    [[nodiscard]] const KnownMachines& known() const { return m_known; }
    /// As it was remembered.
    void setKnown(KnownMachines known) { m_known = std::move(known); }
    [[nodiscard]] QString commandOn(const QString& machine) const;
    /// Empty: "calib". Holds from the next engine on.
    void setCommand(const QString& machine, const QString& command);
    /// As EngineProgram::mostSilentSeconds, for each machine's engine from the next one on.
    void setMostSilentSeconds(int seconds) { m_mostSilentSeconds = seconds; }
    [[nodiscard]] int mostSilentSeconds() const { return m_mostSilentSeconds; }

Q_SIGNALS:
    /// The user is to be asked: allow() or refuse().
    void questioned(const QString& machine);
    void decided(const QString& machine, bool isAllowed);
    /// What is known is another.
    void changed();

private:
    KnownMachines m_known;
    QStringList m_asked;
    int m_mostSilentSeconds = 0;
};

}  // namespace calibscope
