// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/remote_dialog.h"

#include "core/base/error.h"
#include "core/base/location.h"
#include "core/base/natural_order.h"
#include "core/tensor/container_kind.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/preferences.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMetaObject>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

enum FileColumn { Name, Size, Changed };
constexpr int placeRole = Qt::UserRole;

bool isDumpName(const std::string& name)
{
    return QDir::match(QString::fromStdString(containerPatterns()), QString::fromStdString(name));
}

std::string parentOf(const std::string& folder)
{
    const std::size_t slash = folder.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : folder.substr(0, slash);
}

std::string lastName(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

std::string inFolder(const std::string& folder, const std::string& name)
{
    return folder == "/" ? "/" + name : folder + "/" + name;
}

}  // namespace

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

RemoteDialog::RemoteDialog(Engine& engine, RemoteMachines& machines, QWidget* parent)
    : QDialog(parent),
      m_engine(engine),
      m_machines(machines),
      m_machine(new QComboBox(this)),
      m_command(new QLineEdit(this)),
      m_path(new QLineEdit(this)),
      m_shown(new QStackedWidget(this)),
      m_list(new QTreeWidget(this)),
      m_notice(new StateNotice(this)),
      m_all(new QCheckBox(tr("&All files"), this)),
      m_said(new PlainLabel(this))
{
    setWindowTitle(tr("Open on another machine"));
    setObjectName(QStringLiteral("open-remote"));
    // Of no accepting role, which would make it the default: Return means what the field or the
    // list takes it for.
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::ActionRole);
    m_cancel = buttons->button(QDialogButtonBox::Cancel);
    for (QAbstractButton* button : buttons->buttons())
        qobject_cast<QPushButton*>(button)->setAutoDefault(false);
    connect(m_open, &QPushButton::clicked, this, &RemoteDialog::openChosen);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_all->setToolTip(tr("Also files that are not dumps by their names, and hidden ones."));
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_all);
    bottom->addSpacing(12);
    bottom->addWidget(m_said, 1);
    bottom->addWidget(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeMachine());
    layout->addWidget(makeFolder(), 1);
    layout->addLayout(bottom);
    connect(m_all, &QCheckBox::toggled, this, [this] {
        if (!m_folder.empty())
            showEntries();
    });
    resize(680, 520);
    followMachine();
    showUnconnected();
    m_machine->setFocus();
}

QWidget* RemoteDialog::makeMachine()
{
    auto* fields = new QWidget(this);
    m_machine->setEditable(true);
    m_machine->setInsertPolicy(QComboBox::NoInsert);
    m_machine->addItems(m_machines.known().allowed);
    m_machine->lineEdit()->setPlaceholderText(tr("[user@]host[:port]"));
    m_command->setPlaceholderText(m_machines.commandOn({}));
    m_command->setToolTip(
        tr("What starts calib there, for example \"module load calibscope; exec calib\" or "
           "\"srun -n1 calib\". It is passed to the shell there as it is."));
    auto* go = new QPushButton(tr("&Connect"), fields);
    go->setAutoDefault(false);
    go->setEnabled(!machineText().isEmpty());
    for (QLineEdit* line : {m_machine->lineEdit(), m_command})
        connect(line, &QLineEdit::returnPressed, this, &RemoteDialog::connectToMachine);
    connect(go, &QPushButton::clicked, this, &RemoteDialog::connectToMachine);
    connect(m_machine, &QComboBox::editTextChanged, this, [this, go] {
        go->setEnabled(!machineText().isEmpty());
        followMachine();
    });
    auto* machine = new QHBoxLayout;
    machine->addWidget(m_machine, 1);
    machine->addWidget(go);
    auto* form = new QFormLayout(fields);
    form->setContentsMargins({});
    form->addRow(tr("&Machine:"), machine);
    form->addRow(tr("Comman&d there:"), m_command);
    auto* label = qobject_cast<QLabel*>(form->labelForField(machine));
    if (label != nullptr)
        label->setBuddy(m_machine);
    makeTabOrder(go);
    return fields;
}

/// As they are read, whoever was made first.
void RemoteDialog::makeTabOrder(QPushButton* connecting)
{
    m_up = new QPushButton(tr("&Up"), this);
    std::vector<QWidget*> order{m_machine, connecting, m_command, m_path, m_up, m_list};
    for (QPushButton* button : m_notice->findChildren<QPushButton*>()) {
        button->setAutoDefault(false);
        order.push_back(button);
    }
    order.insert(order.end(), {m_all, m_open, m_cancel});
    for (std::size_t place = 1; place < order.size(); ++place)
        setTabOrder(order[place - 1], order[place]);
}

QWidget* RemoteDialog::makeFolder()
{
    auto* folder = new QWidget(this);
    m_up->setAutoDefault(false);
    connect(m_up, &QPushButton::clicked, this, [this] {
        m_select = lastName(m_folder);
        list(parentOf(m_folder));
    });
    m_path->setAccessibleName(tr("Folder or file"));
    m_path->setPlaceholderText(tr("folder or file"));
    connect(m_path, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_open->setEnabled(!text.isEmpty()); });
    connect(m_path, &QLineEdit::returnPressed, this, &RemoteDialog::openChosen);
    m_list->setHeaderLabels({tr("name"), tr("size"), tr("changed")});
    m_list->headerItem()->setTextAlignment(Size, Qt::AlignRight | Qt::AlignVCenter);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_list->setAccessibleName(tr("Files"));
    connect(m_list, &QTreeWidget::itemActivated, this, &RemoteDialog::use);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &RemoteDialog::followChosen);
    connect(m_notice, &StateNotice::buttonClicked, this, [this] {
        const std::function<void()> apply = m_remedy;
        apply();
    });
    connect(m_notice, &StateNotice::secondButtonClicked, this, [this] {
        const std::function<void()> apply = m_secondRemedy;
        apply();
    });
    m_shown->setFrameStyle(int(QFrame::StyledPanel) | int(QFrame::Sunken));
    m_shown->addWidget(m_list);
    m_shown->addWidget(m_notice);
    auto* line = new QHBoxLayout;
    line->addWidget(m_path, 1);
    line->addWidget(m_up);
    auto* layout = new QVBoxLayout(folder);
    layout->setContentsMargins({});
    layout->addLayout(line);
    layout->addWidget(m_shown, 1);
    return folder;
}

void RemoteDialog::setMachine(const QString& machine)
{
    m_machine->setEditText(machine);
}

QString RemoteDialog::machineText() const
{
    return m_machine->currentText().trimmed();
}

/// What is shown is of the machine that is named, or nothing is.
void RemoteDialog::followMachine()
{
    const QString machine = machineText();
    if (!m_command->isModified() || m_machines.known().commands.contains(machine))
        m_command->setText(m_machines.known().commands.value(machine));
    if (!m_asking.isEmpty() && machine != m_asking)
        showUnconnected();
}

QString RemoteDialog::addressOf(const std::string& path)
{
    try {
        Location location = parseLocation("ssh://" + machineText().toStdString() + "/~/.");
        location.path = path;
        return QString::fromStdString(parseLocation(location.address()).address());
    } catch (const Error& error) {
        showUnconnected();
        notice(tr("This is not a machine"), QString::fromUtf8(error.what()));
        return {};
    }
}

void RemoteDialog::connectToMachine()
{
    const QString machine = machineText();
    const QString command = m_command->text();
    if (machine.isEmpty())
        return;
    showUnconnected();
    m_asking = machine;
    if (addressOf(".").isEmpty())
        return;
    m_machines.setCommand(machine, command);
    m_machines.allow(machine);
    list(".");
}

void RemoteDialog::beginAt(const QString& address)
{
    setMachine(machineOf(address));
    m_all->setChecked(true);
    m_asking = machineText();
    list(parentOf(pathThere(address).toStdString()));
}

void RemoteDialog::list(const std::string& path)
{
    m_wanted = path;
    m_asking = machineText();
    if (m_folder.empty())
        notice(
            tr("Connecting to %1...").arg(m_asking),
            tr("ssh makes the connection and starts calib there. Where that waits in a queue, so "
               "does this."),
            {tr("&Stop"), [this] { showUnconnected(); }});
    else
        m_said->setText(tr("Reading..."));
    ask(0);
}

void RemoteDialog::ask(std::uint64_t first)
{
    const QString address = addressOf(m_wanted);
    if (address.isEmpty())
        return;
    m_asked.ask(m_engine, protocol::FolderRequest{.path = address.toStdString(), .first = first},
                [this, first](const Answer<protocol::FolderPage>& answer) {
                    if (answer.value)
                        take(*answer.value, first);
                    else if (!answer.wasCancelled)
                        showFailure(answer.failure);
                });
}

void RemoteDialog::take(const protocol::FolderPage& page, std::uint64_t first)
{
    if (first == 0)
        m_entries.clear();
    m_folder = page.path;
    m_entries.insert(m_entries.end(), page.entries.begin(), page.entries.end());
    m_total = page.total;
    m_up->setEnabled(m_folder != "/");
    if (first == 0) {
        m_list->clear();
        m_path->setText(QString::fromStdString(m_folder));
    }
    showEntries();
    if (first == 0)
        (m_list->topLevelItemCount() > 0 ? static_cast<QWidget*>(m_list) : m_up)->setFocus();
    // From within its own answer nothing is asked.
    constexpr std::uint64_t mostEntries = 20'000;
    const std::uint64_t next = first + page.entries.size();
    if (!page.entries.empty() && next < page.total && next < mostEntries)
        QMetaObject::invokeMethod(
            this, [this, next] { ask(next); }, Qt::QueuedConnection);
}

/// Folders first, then by name as a reader expects it.
void RemoteDialog::showEntries()
{
    std::vector<std::size_t> order;
    for (std::size_t place = 0; place < m_entries.size(); ++place) {
        const protocol::FolderEntry& entry = m_entries[place];
        const bool isFolder = entry.kind == protocol::EntryKind::Folder;
        if (m_all->isChecked() ||
            (!entry.name.starts_with('.') &&
             (isFolder || (entry.kind == protocol::EntryKind::File && isDumpName(entry.name)))))
            order.push_back(place);
    }
    std::ranges::stable_sort(order, [this](std::size_t one, std::size_t other) {
        const bool isOneFolder = m_entries[one].kind == protocol::EntryKind::Folder;
        const bool isOtherFolder = m_entries[other].kind == protocol::EntryKind::Folder;
        return isOneFolder != isOtherFolder
                   ? isOneFolder
                   : naturallyBefore(m_entries[one].name, m_entries[other].name);
    });
    fillList(order);
    const auto shown = static_cast<std::uint64_t>(order.size());
    m_said->setText(shown == m_total ? countText(m_total, tr("1 entry"), tr("%1 entries"))
                                     : tr("%1 of %2 entries").arg(shown).arg(m_total));
    if (order.empty())
        notice(tr("No dumps here"), m_total == 0
                                        ? tr("The folder is empty.")
                                        : countText(m_total, tr("All files shows its only entry."),
                                                    tr("All files shows its %1 entries.")));
    else
        m_shown->setCurrentWidget(m_list);
}

/// Chooses the folder that was left upwards, else what was chosen before, else the first.
void RemoteDialog::fillList(const std::vector<std::size_t>& order)
{
    const std::string chosen = m_select.empty() ? chosenName() : m_select;
    m_select.clear();
    m_list->clear();
    const QLocale locale;
    QTreeWidgetItem* current = nullptr;
    for (const std::size_t place : order) {
        const protocol::FolderEntry& entry = m_entries[place];
        const bool isFile = entry.kind == protocol::EntryKind::File;
        auto* item = new QTreeWidgetItem(m_list);
        item->setText(Name, QString::fromStdString(entry.name));
        item->setIcon(Name, style()->standardIcon(entry.kind == protocol::EntryKind::Folder
                                                      ? QStyle::SP_DirIcon
                                                      : QStyle::SP_FileIcon));
        item->setText(Size, isFile ? locale.formattedDataSize(static_cast<qint64>(entry.bytes))
                                   : QString());
        item->setTextAlignment(Size, Qt::AlignRight | Qt::AlignVCenter);
        item->setText(Changed, locale.toString(QDateTime::fromSecsSinceEpoch(entry.modifiedSeconds),
                                               QLocale::ShortFormat));
        item->setData(Name, placeRole, QVariant::fromValue<qulonglong>(place));
        if (entry.name == chosen)
            current = item;
    }
    m_list->setCurrentItem(current != nullptr ? current : m_list->topLevelItem(0));
}

std::string RemoteDialog::chosenName() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item == nullptr ? std::string() : item->text(Name).toStdString();
}

/// In the line is what Open would open. What the user is writing there stays.
void RemoteDialog::followChosen(QTreeWidgetItem* item)
{
    if (m_path->isModified() && m_path->hasFocus())
        return;
    const std::string path =
        item == nullptr
            ? m_folder
            : inFolder(m_folder, m_entries[item->data(Name, placeRole).toULongLong()].name);
    m_path->setText(QString::fromStdString(path));
    m_open->setEnabled(item != nullptr);
}

void RemoteDialog::use(QTreeWidgetItem* item)
{
    const protocol::FolderEntry entry = m_entries[item->data(Name, placeRole).toULongLong()];
    const std::string path = inFolder(m_folder, entry.name);
    if (entry.kind == protocol::EntryKind::Folder)
        return list(path);
    m_path->setText(QString::fromStdString(path));
    openChosen();
}

/// A folder is shown, all else opened.
void RemoteDialog::openChosen()
{
    const std::string path = m_path->text().trimmed().toStdString();
    const auto isNamed = [&](const protocol::FolderEntry& entry) {
        return entry.kind == protocol::EntryKind::Folder && inFolder(m_folder, entry.name) == path;
    };
    const QString address = path.empty() ? QString() : addressOf(path);
    if (address.isEmpty())
        return;
    m_machines.setCommand(machineText(), m_command->text());
    m_machines.allow(machineText());
    if (path == m_folder || path.ends_with('/') || std::ranges::any_of(m_entries, isNamed)) {
        return list(path);
    }
    accept();
    Q_EMIT chosen(address);
}

void RemoteDialog::notice(const QString& title, const QString& sentence, Remedy remedy,
                          Remedy second)
{
    m_remedy = std::move(remedy.apply);
    m_secondRemedy = std::move(second.apply);
    m_notice->say(title, sentence, remedy.text, second.text);
    m_shown->setCurrentWidget(m_notice);
}

void RemoteDialog::showUnconnected()
{
    m_asked.drop();
    m_asking.clear();
    m_folder.clear();
    m_entries.clear();
    m_list->clear();
    m_said->clear();
    m_up->setEnabled(false);
    m_open->setEnabled(!m_path->text().isEmpty());
    notice(tr("Not connected"),
           tr("Name a machine as for ssh: keys, ports and jump hosts are those of ~/.ssh/config. "
              "Log in once in a terminal if it is new to ssh."));
}

void RemoteDialog::showFailure(const QString& sentence)
{
    if (!m_folder.empty()) {
        m_said->clear();
        const std::string back = m_folder;
        return notice(tr("%1 can't be shown").arg(QString::fromStdString(m_wanted)), sentence,
                      {tr("&Back"), [this, back] { list(back); }});
    }
    const QString command = testCommand();
    notice(tr("No connection to %1").arg(m_asking),
           sentence + QStringLiteral("\n\n") +
               tr("In a terminal this must print a version, without asking anything first:\n%1")
                   .arg(command),
           {tr("&Try again"), [this] { connectToMachine(); }},
           {tr("Co&py command"), [command] { QGuiApplication::clipboard()->setText(command); }});
}

QString RemoteDialog::testCommand() const
{
    const Location location = parseLocation("ssh://" + m_asking.toStdString() + "/~/.");
    const std::string port =
        location.port == 0 ? std::string() : "-p " + std::to_string(location.port) + " ";
    const std::string user = location.user.empty() ? std::string() : location.user + "@";
    const std::string there = m_machines.commandOn(m_asking).toStdString() + " --version";
    return QString::fromStdString("ssh " + port + user + location.host + " " + shellQuoted(there));
}

QString RemoteDialog::said() const
{
    return m_shown->currentWidget() == m_notice ? m_notice->sentence() : m_said->text();
}

}  // namespace calibscope
