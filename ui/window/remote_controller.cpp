// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/remote_controller.h"

#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/window/preferences.h"
#include "ui/window/remote_dialog.h"

#include <QMetaObject>

#include <utility>

namespace calibscope {

RemoteController::RemoteController(RemoteMachines& machines, std::vector<EngineRouter*> engines,
                                   Preferences& preferences, WindowDumps& dumps, MessageLog& log,
                                   QWidget& window)
    : m_machines(machines),
      m_engines(std::move(engines)),
      m_preferences(preferences),
      m_dumps(dumps),
      m_log(log),
      m_window(window)
{
    m_machines.setKnown(preferences.machines());
    connect(&m_machines, &RemoteMachines::changed, this,
            [this] { m_preferences.setMachines(m_machines.known()); });
    connect(&m_machines, &RemoteMachines::questioned, this, &RemoteController::askFor);
    connect(&m_dumps, &WindowDumps::changed, this, &RemoteController::endUnused);
    connect(m_engines.front(), &EngineRouter::greeted, this, &RemoteController::note);
}

RemoteDialog* RemoteController::makeDialog()
{
    auto* dialog = new RemoteDialog(*m_engines.front(), m_machines, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, &RemoteController::endUnused);
    return dialog;
}

void RemoteController::askForFile()
{
    RemoteDialog* dialog = makeDialog();
    connect(dialog, &RemoteDialog::chosen, this, &RemoteController::chosen);
    dialog->open();
}

void RemoteController::askForBeside(const QString& address, const QString& title,
                                    const std::function<void(const QString& address)>& take)
{
    RemoteDialog* dialog = makeDialog();
    dialog->setWindowTitle(title);
    connect(dialog, &RemoteDialog::chosen, this, take);
    dialog->beginAt(address);
    dialog->open();
}

/// An address that the user did not write. Later, as whoever asked the engine is at work. The keys
/// go to No.
void RemoteController::askFor(const QString& machine)
{
    const QString question =
        tr("A dump of this session lies on %1, to which Calibscope has not connected before. "
           "Connecting runs ssh with your keys, and \"%2\" there. Connect?")
            .arg(machine, m_machines.commandOn(machine));
    QMetaObject::invokeMethod(
        this,
        [this, machine, question] {
            const auto answer =
                ask(&m_window, QMessageBox::Question, tr("Connect to %1").arg(machine), question,
                    QMessageBox::Yes | QMessageBox::No, QMessageBox::No,
                    QStringLiteral("connect-to-machine"));
            if (answer == QMessageBox::Yes)
                m_machines.allow(machine);
            else
                m_machines.refuse(machine);
        },
        Qt::QueuedConnection);
}

void RemoteController::note(const QString& machine, const protocol::Hello& hello)
{
    constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
    m_log.add(MessageLog::Kind::Note,
              tr("%1 %2 answers on %3 (%4, %5 cores, %6 GiB).")
                  .arg(QString::fromStdString(hello.program), QString::fromStdString(hello.version),
                       machine, QString::fromStdString(hello.host))
                  .arg(hello.cores)
                  .arg(static_cast<double>(hello.memoryBytes) / gibibyte, 0, 'f', 0));
}

void RemoteController::endUnused()
{
    QStringList used;
    for (const HeldDump& dump : m_dumps.all())
        used += machineOf(dump.path);
    for (EngineRouter* engine : m_engines)
        engine->keepMachines(used);
}

}  // namespace calibscope
