#include "ui/window/remote_dialog.h"

#include "core/base/error.h"
#include "core/base/location.h"
#include "core/base/natural_order.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace calibscope {

namespace {

enum Column { Name, Size, Changed };
constexpr int placeRole = Qt::UserRole;

bool isDumpName(const std::string& name)
{
    constexpr std::array endings{".h5", ".hdf5", ".he5", ".keras", ".onnx"};
    return std::ranges::any_of(endings, [&name](const char* ending) {
        return QString::fromStdString(name).endsWith(QLatin1String(ending), Qt::CaseInsensitive);
    });
}

std::string parentOf(const std::string& folder)
{
    const std::size_t slash = folder.rfind('/');
    return slash == std::string::npos || slash == 0 ? "/" : folder.substr(0, slash);
}

std::string inFolder(const std::string& folder, const std::string& name)
{
    return folder == "/" ? "/" + name : folder + "/" + name;
}

}  // namespace

RemoteDialog::RemoteDialog(Engine& engine, RemoteMachines& machines, QWidget* parent)
    : QDialog(parent),
      m_engine(engine),
      m_machines(machines),
      m_machine(new QComboBox(this)),
      m_command(new QLineEdit(this)),
      m_path(new QLineEdit(this)),
      m_list(new QTreeWidget(this)),
      m_all(new QCheckBox(tr("&All files"), this)),
      m_said(new PlainLabel(this))
{
    setWindowTitle(tr("Open on another machine"));
    setObjectName(QStringLiteral("open-remote"));
    // Of no accepting role, which would make it the default: Return means what the field or the
    // list takes it for.
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::ActionRole);
    m_open->setEnabled(false);
    for (QAbstractButton* button : buttons->buttons())
        qobject_cast<QPushButton*>(button)->setAutoDefault(false);
    connect(m_open, &QPushButton::clicked, this, &RemoteDialog::openChosen);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_all);
    bottom->addWidget(buttons, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeMachine());
    layout->addWidget(makeFolder(), 1);
    layout->addWidget(m_said);
    layout->addLayout(bottom);
    connect(m_all, &QCheckBox::toggled, this, &RemoteDialog::showEntries);
    say(tr(
        "Keys, ports and jump hosts are those of ssh; log in once in a terminal if the machine is "
        "new to it."));
    resize(680, 520);
    showCommand();
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
    for (QLineEdit* line : {m_machine->lineEdit(), m_command})
        connect(line, &QLineEdit::returnPressed, this, &RemoteDialog::connectToMachine);
    connect(go, &QPushButton::clicked, this, &RemoteDialog::connectToMachine);
    connect(m_machine, &QComboBox::editTextChanged, this, &RemoteDialog::showCommand);
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
    return fields;
}

QWidget* RemoteDialog::makeFolder()
{
    auto* folder = new QWidget(this);
    auto* up = new QPushButton(tr("&Up"), folder);
    up->setAutoDefault(false);
    connect(up, &QPushButton::clicked, this, [this] {
        if (!m_folder.empty())
            list(parentOf(std::string(m_folder)));
    });
    m_path->setAccessibleName(tr("Folder or file"));
    m_path->setPlaceholderText(tr("folder or file"));
    connect(m_path, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_open->setEnabled(!text.isEmpty()); });
    connect(m_path, &QLineEdit::returnPressed, this, &RemoteDialog::openChosen);
    m_list->setHeaderLabels({tr("name"), tr("size"), tr("changed")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_list->setAccessibleName(tr("Files"));
    connect(m_list, &QTreeWidget::itemActivated, this, &RemoteDialog::use);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item == nullptr)
            return;
        const auto& entry = m_entries[item->data(Name, placeRole).toULongLong()];
        m_path->setText(QString::fromStdString(inFolder(m_folder, entry.name)));
        m_open->setEnabled(true);
    });
    auto* line = new QHBoxLayout;
    line->addWidget(m_path, 1);
    line->addWidget(up);
    auto* layout = new QVBoxLayout(folder);
    layout->setContentsMargins({});
    layout->addLayout(line);
    layout->addWidget(m_list, 1);
    return folder;
}

void RemoteDialog::setMachine(const QString& machine)
{
    m_machine->setEditText(machine);
}

void RemoteDialog::showCommand()
{
    m_command->setText(m_machines.known().commands.value(m_machine->currentText().trimmed()));
}

QString RemoteDialog::addressOf(const std::string& path)
{
    const std::string machine = m_machine->currentText().trimmed().toStdString();
    try {
        Location location = parseLocation("ssh://" + machine + "/~/.");
        location.path = path;
        return QString::fromStdString(parseLocation(location.address()).address());
    } catch (const Error& error) {
        say(QString::fromUtf8(error.what()));
        return {};
    }
}

void RemoteDialog::connectToMachine()
{
    const QString machine = m_machine->currentText().trimmed();
    const QString command = m_command->text();
    if (addressOf(".").isEmpty())
        return;
    m_machines.setCommand(machine, command);
    m_machines.allow(machine);
    list(".");
}

void RemoteDialog::list(const std::string& path)
{
    m_wanted = path;
    m_entries.clear();
    m_list->clear();
    say(tr("Connecting to %1...").arg(m_machine->currentText().trimmed()));
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
                        say(answer.failure);
                });
}

void RemoteDialog::take(const protocol::FolderPage& page, std::uint64_t first)
{
    m_folder = page.path;
    m_path->setText(QString::fromStdString(m_folder));
    m_open->setEnabled(false);
    m_entries.insert(m_entries.end(), page.entries.begin(), page.entries.end());
    m_total = page.total;
    showEntries();
    m_list->setFocus();
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
    m_list->clear();
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
    const QLocale locale;
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
    }
    if (!m_folder.empty())
        sayCount();
}

void RemoteDialog::sayCount()
{
    const auto shown = static_cast<std::uint64_t>(m_list->topLevelItemCount());
    say(shown == m_total ? tr("%1 entries").arg(m_total)
                         : tr("%1 of %2 entries").arg(shown).arg(m_total));
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
    if (path.empty())
        return;
    if (path == m_folder || path.ends_with('/') || std::ranges::any_of(m_entries, isNamed))
        return list(path);
    const QString address = addressOf(path);
    if (address.isEmpty())
        return;
    const QString machine = m_machine->currentText().trimmed();
    m_machines.setCommand(machine, m_command->text());
    accept();
    Q_EMIT chosen(address);
}

QString RemoteDialog::said() const
{
    return m_said->text();
}

void RemoteDialog::say(const QString& sentence)
{
    m_said->setText(sentence);
}

}  // namespace calibscope
