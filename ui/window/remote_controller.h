// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"
#include "ui/document/window_dumps.h"
#include "ui/queries/engine_router.h"
#include "ui/queries/remote_machines.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace calibscope {

class Preferences;
class RemoteDialog;

/// Dumps on other machines: which machines may be connected to, the dialog that chooses a file
/// there, and engines that are ended when no dump needs them.
class RemoteController : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this. The first engine answers the dialog.
    RemoteController(RemoteMachines& machines, std::vector<EngineRouter*> engines,
                     Preferences& preferences, WindowDumps& dumps, MessageLog& log,
                     QWidget& window);

    /// With a dialog; chosen() tells what came of it.
    void askForFile();
    /// With the same dialog for another file of the machine on which that one lies.
    void askForBeside(const QString& address, const QString& title,
                      const std::function<void(const QString& address)>& take);

Q_SIGNALS:
    void chosen(const QString& address);

private:
    [[nodiscard]] RemoteDialog* makeDialog();
    void askFor(const QString& machine);
    void note(const QString& machine, const protocol::Hello& hello);
    void endUnused();

    RemoteMachines& m_machines;
    std::vector<EngineRouter*> m_engines;
    Preferences& m_preferences;
    WindowDumps& m_dumps;
    MessageLog& m_log;
    QWidget& m_window;
};

}  // namespace calibscope
