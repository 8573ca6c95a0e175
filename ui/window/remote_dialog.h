#pragma once

#include "ui/queries/engine_request.h"
#include "ui/queries/remote_machines.h"

#include <QDialog>
#include <QString>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace calibscope {

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
    [[nodiscard]] QString said() const;  ///< what it tells of the connection

Q_SIGNALS:
    void chosen(const QString& address);

private:
    [[nodiscard]] QWidget* makeMachine();
    [[nodiscard]] QWidget* makeFolder();
    void showCommand();
    void list(const std::string& path);
    void ask(std::uint64_t first);
    void take(const protocol::FolderPage& page, std::uint64_t first);
    void showEntries();
    void sayCount();
    void use(QTreeWidgetItem* item);
    void openChosen();
    void say(const QString& sentence);
    /// Of a path on the machine; a path relative to the home folder, too. Empty: it is none, and
    /// that is said.
    [[nodiscard]] QString addressOf(const std::string& path);

    Engine& m_engine;
    RemoteMachines& m_machines;
    EngineRequest m_asked;
    std::string m_wanted;  ///< folder that was asked for
    std::string m_folder;  ///< that is shown; empty: none
    std::vector<protocol::FolderEntry> m_entries;
    std::uint64_t m_total = 0;  ///< entries of the folder

    QComboBox* m_machine;
    QLineEdit* m_command;
    QLineEdit* m_path;
    QTreeWidget* m_list;
    QCheckBox* m_all;
    QPushButton* m_open;
    QLabel* m_said;
};

}  // namespace calibscope
