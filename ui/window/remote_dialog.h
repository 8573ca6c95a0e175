// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"
#include "ui/document/window_dumps.h"
#include "ui/queries/engine_request.h"
#include "ui/queries/engine_router.h"
#include "ui/queries/remote_machines.h"

#include <QDialog>
#include <QObject>
#include <QString>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;
class QWidget;

namespace calibscope {

class Preferences;
class RemoteDialog;
class StateNotice;

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

/// Chooses a file of a machine that ssh reaches: the machine, the command that starts calib there,
/// and its folders as its engine tells them.
class RemoteDialog : public QDialog
{
    Q_OBJECT

public:
    /// Both must outlive it.
    RemoteDialog(Engine& engine, RemoteMachines& machines, QWidget* parent);

    /// [user@]host[:port].
    void setMachine(const QString& machine);
    /// Connects, and shows the home folder.
    void connectToMachine();
    /// With all files of the folder in which that file lies.
    void beginAt(const QString& address);
    [[nodiscard]] QString said() const;  ///< what it tells of the connection

Q_SIGNALS:
    void chosen(const QString& address);

private:
    [[nodiscard]] QWidget* makeMachine();
    [[nodiscard]] QWidget* makeFolder();
    void makeTabOrder(QPushButton* connecting);
    void followMachine();
    void list(const std::string& path);
    void ask(std::uint64_t first);
    void take(const protocol::FolderPage& page, std::uint64_t first);
    void showEntries();
    void fillList(const std::vector<std::size_t>& order);
    [[nodiscard]] std::string chosenName() const;
    void followChosen(QTreeWidgetItem* item);
    void use(QTreeWidgetItem* item);
    void openChosen();
    /// In place of the list: what is the matter, and what can be done.
    struct Remedy
    {
        QString text;
        std::function<void()> apply;
    };
    void notice(const QString& title, const QString& sentence, Remedy remedy = {},
                Remedy second = {});
    void showUnconnected();
    void showFailure(const QString& sentence);
    /// Which shows in a terminal what ssh or calib lacks there.
    [[nodiscard]] QString testCommand() const;
    [[nodiscard]] QString machineText() const;
    /// Of a path on the machine; a path relative to the home folder, too. Empty: it is none, and
    /// that is said.
    [[nodiscard]] QString addressOf(const std::string& path);

    Engine& m_engine;
    RemoteMachines& m_machines;
    EngineRequest m_asked;
    std::string m_wanted;  ///< folder that was asked for
    std::string m_folder;  ///< that is shown; empty: none
    std::string m_select;  ///< name to choose when the folder is there; empty: the first
    QString m_asking;      ///< machine that was asked for m_wanted
    std::function<void()> m_remedy;
    std::function<void()> m_secondRemedy;
    std::vector<protocol::FolderEntry> m_entries;
    std::uint64_t m_total = 0;  ///< entries of the folder

    QComboBox* m_machine;
    QLineEdit* m_command;
    QLineEdit* m_path;
    QPushButton* m_up = nullptr;
    QStackedWidget* m_shown;  ///< the list, or the notice
    QTreeWidget* m_list;
    StateNotice* m_notice;
    QCheckBox* m_all;
    QPushButton* m_open = nullptr;
    QPushButton* m_cancel = nullptr;
    QLabel* m_said;
};

}  // namespace calibscope
