// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.h"

#include "ui/theme/icons.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace calibscope {

namespace {

constexpr int actionColumn = 0;
constexpr int keysColumn = 1;
constexpr int ofPageRole = Qt::UserRole;

QChar mnemonicOf(const QString& text)
{
    const auto mark = text.indexOf(u'&');
    return mark < 0 || mark + 1 == text.size() ? QChar() : text[mark + 1].toUpper();
}

/// The letters that lead to an action through the menus: "Alt+V, H, L".
QString menuKeys(const ActionSpec& spec)
{
    QStringList letters = {mnemonicOf(spec.text)};
    std::optional<Menu> menu = spec.menu;
    while (menu) {
        letters.prepend(mnemonicOf(menuSpec(*menu).title));
        menu = menuSpec(*menu).parent;
    }
    return QStringLiteral("Alt+") + letters.join(QStringLiteral(", "));
}

QString keysOf(const ActionSpec& spec, const ShortcutChoice& shortcuts)
{
    QStringList keys;
    for (const QKeySequence& key : shortcuts.keys(spec.id))
        keys += key.toString(QKeySequence::NativeText);
    return keys.isEmpty() ? menuKeys(spec) : keys.join(QStringLiteral(", "));
}

/// "Compare: Swap" says more than "Swap" where the menu is not above it.
QString nameIn(const ActionSpec& spec, bool isBesideOthers)
{
    QString name = withoutMnemonic(spec.text);
    if (name.endsWith(QStringLiteral("...")))
        name.chop(3);
    return isBesideOthers && menuSpec(spec.menu).parent
               ? withoutMnemonic(menuSpec(spec.menu).title) + QStringLiteral(": ") + name
               : name;
}

bool hasPlots(Workspace page)
{
    return page != Workspace::Summary && page != Workspace::Deploy;
}

class HelpWords
{
    Q_DECLARE_TR_FUNCTIONS(HelpDialogs)

public:
    static QString aboutTitle() { return tr("About Calibscope"); }
    static QString aboutHtml();
    static QString guardsTitle()
    {
        return tr("Guards around the engine that reads dumps, here without its cache:");
    }
};

QString HelpWords::aboutHtml()
{
    return QStringLiteral("<h3>Calibscope %1</h3><p>%2</p><p>%3</p><p>%4</p>")
        .arg(QStringLiteral(CALIBSCOPE_VERSION),
             tr("Shows which int8 scales calibration algorithms choose for recorded activations "
                "and weights, and why they differ."),
             tr("Free software under the GNU General Public License, version 3 or later, without "
                "any warranty."),
             tr("Qt %1 (Widgets: LGPL 3; Charts: GPL 3). Fonts: Roboto (Apache 2.0), Noto Mono "
                "(OFL 1.1), DejaVu Sans (Bitstream Vera). The sample is "
                "recorded from PaddleOCR (Apache 2.0). The engine uses HDF5, libdeflate and "
                "nlohmann/json.")
                 .arg(QString::fromLatin1(qVersion())));
}

/// A process that tells nothing of its end while it is destroyed: the listener would be half gone.
class QuietProcess : public QProcess
{
public:
    using QProcess::QProcess;
    QuietProcess(const QuietProcess&) = delete;
    QuietProcess& operator=(const QuietProcess&) = delete;
    ~QuietProcess() override { disconnect(); }
};

/// Adds which guards the engine has on this system, when its program has said so.
void showGuards(QMessageBox& dialog)
{
    auto* engine = new QuietProcess(&dialog);
    QObject::connect(engine, &QProcess::finished, &dialog, [&dialog, engine] {
        dialog.setDetailedText(HelpWords::guardsTitle() + QStringLiteral("\n\n") +
                               QString::fromUtf8(engine->readAllStandardOutput()));
    });
    engine->start(QCoreApplication::applicationDirPath() + QStringLiteral("/calib"),
                  {QStringLiteral("serve"), QStringLiteral("--status")});
}

}  // namespace

bool isOfPage(const ActionSpec& action, Workspace page)
{
    static const std::set<QString> ofPlots = {
        "view.log-x",        "view.log-count",   "view.magnitude",    "view.link-axes",
        "view.fit",          "view.zoom-in",     "view.zoom-out",     "view.zoom-back",
        "view.zoom-forward", "file.export-plot", "edit.copy-picture", "edit.plot-table"};
    static const std::set<QString> ofBrowse = {"view.quantized",       "view.table",
                                               "tensor.channel",       "tensor.understanding",
                                               "calibrator.threshold", "tensor.next-guess"};
    const bool isBrowse = page == Workspace::Browse;
    const bool isCalibrators = page == Workspace::Calibrators;
    if (ofPlots.contains(action.id))
        return hasPlots(page);
    if (ofBrowse.contains(action.id))
        return isBrowse;
    switch (action.menu) {
    case Menu::Quantity:
    case Menu::Lower: return isBrowse;
    case Menu::Ticks:
    case Menu::Cards:
    case Menu::Accept: return isBrowse || isCalibrators;
    case Menu::Compare: return page == Workspace::Compare;
    default: break;
    }
    if (action.id == QStringLiteral("tensor.outliers"))
        return page == Workspace::Channels;
    if (action.id == QStringLiteral("calibrator.baseline"))
        return isBrowse || isCalibrators;
    return action.id == QStringLiteral("calibrator.all-tensors") && isCalibrators;
}

CheatSheet::CheatSheet(const ShortcutChoice& shortcuts, std::optional<Workspace> page,
                       QWidget* parent)
    : QDialog(parent),
      m_page(page),
      m_query(new QLineEdit(this)),
      m_all(new QCheckBox(tr("&All actions"), this)),
      m_list(new QTreeWidget(this))
{
    setObjectName(QStringLiteral("cheatSheet"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Keyboard shortcuts"));
    m_query->setPlaceholderText(tr("Search actions and keys"));
    m_query->setAccessibleName(tr("Search actions and keys"));
    m_query->setClearButtonEnabled(true);
    // Summary and Deploy have no keys of their own.
    const bool hasOwn =
        page && (hasPlots(*page) || std::ranges::any_of(actionTable(), [&](const auto& action) {
                     return isOfPage(action, *page);
                 }));
    m_all->setChecked(!hasOwn);
    m_all->setEnabled(hasOwn);
    m_list->setHeaderLabels({tr("action"), tr("keys")});
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(tr("Actions and their keys"));
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->header()->setSectionResizeMode(actionColumn, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(keysColumn, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    fill(shortcuts);
    const auto update = [this] { showMatches(m_query->text()); };
    connect(m_query, &QLineEdit::textChanged, this, update);
    connect(m_all, &QCheckBox::toggled, this, update);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* head = new QHBoxLayout;
    head->addWidget(m_query, 1);
    head->addWidget(m_all);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(head);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 84, 640);
    update();
    m_query->setFocus();
}

void CheatSheet::fill(const ShortcutChoice& shortcuts)
{
    const auto listed = [&](const auto& isWanted, bool isBesideOthers) {
        QList<std::pair<const ActionSpec*, QString>> rows;
        for (const ActionSpec& spec : actionTable())
            if (isWanted(spec))
                rows.push_back(
                    {&spec, nameIn(spec, isBesideOthers) + u'\n' + keysOf(spec, shortcuts)});
        return rows;
    };
    if (m_page)
        addGroup(workspaceTitle(*m_page), true,
                 listed([this](const ActionSpec& spec) { return isOfPage(spec, *m_page); }, true));
    if (!m_page || hasPlots(*m_page))
        addGestures();
    for (const MenuSpec& menu : menuTable())
        addGroup(withoutMnemonic(menu.title), false,
                 listed(
                     [&](const ActionSpec& spec) {
                         return spec.menu == menu.id && !(m_page && isOfPage(spec, *m_page));
                     },
                     false));
}

void CheatSheet::addGroup(const QString& title, bool isOfThisPage,
                          const QList<std::pair<const ActionSpec*, QString>>& actions)
{
    if (actions.isEmpty())
        return;
    auto* group = new QTreeWidgetItem(m_list, {title});
    QFont bold = font();
    bold.setBold(true);
    group->setFont(actionColumn, bold);
    group->setFlags(Qt::ItemIsEnabled);
    for (const auto& [spec, text] : actions) {
        auto* item =
            new QTreeWidgetItem(group, {text.section(u'\n', 0, 0), text.section(u'\n', 1)});
        item->setIcon(actionColumn, actionGlyph(spec->id));
        item->setToolTip(actionColumn, spec->help);
        item->setData(actionColumn, ofPageRole, isOfThisPage);
    }
    group->setExpanded(true);
}

void CheatSheet::addGestures()
{
    auto* group = new QTreeWidgetItem(m_list, {tr("In a plot")});
    QFont bold = font();
    bold.setBold(true);
    group->setFont(actionColumn, bold);
    group->setFlags(Qt::ItemIsEnabled);
    const std::pair<QString, QString> gestures[] = {
        {tr("Move the view"), tr("drag, ← →")},
        {tr("Zoom; along x, along y"), tr("wheel, + −; with Alt, with Shift")},
        {tr("Zoom into a box"), tr("Ctrl+drag")},
        {tr("Move or zoom one axis"), tr("drag or wheel on the axis")},
        {tr("Fit"), tr("double click")},
        {tr("Choose a threshold; move it, ten steps"), tr("[ ]; ← →, with Shift")},
        {tr("Copy, export, table of the numbers"), tr("right click")},
        {tr("Cancel what is in progress"), tr("Esc")},
    };
    for (const auto& [action, keys] : gestures) {
        auto* item = new QTreeWidgetItem(group, {action, keys});
        item->setData(actionColumn, ofPageRole, true);
    }
    group->setExpanded(true);
}

void CheatSheet::showMatches(const QString& query)
{
    for (int place = 0; place < m_list->topLevelItemCount(); ++place) {
        QTreeWidgetItem* group = m_list->topLevelItem(place);
        bool holdsAny = false;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem* item = group->child(row);
            const bool isHit =
                query.isEmpty()
                    ? m_all->isChecked() || item->data(actionColumn, ofPageRole).toBool()
                    : item->text(actionColumn).contains(query, Qt::CaseInsensitive) ||
                          item->text(keysColumn).contains(query, Qt::CaseInsensitive) ||
                          item->toolTip(actionColumn).contains(query, Qt::CaseInsensitive);
            item->setHidden(!isHit);
            holdsAny = holdsAny || isHit;
        }
        group->setHidden(!holdsAny);
    }
}

void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts, std::optional<Workspace> page)
{
    (new CheatSheet(shortcuts, page, &parent))->open();
}

void showAbout(QWidget& parent)
{
    auto* dialog = new QMessageBox(QMessageBox::NoIcon, HelpWords::aboutTitle(),
                                   HelpWords::aboutHtml(), QMessageBox::Close, &parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setTextFormat(Qt::RichText);
    showGuards(*dialog);
    dialog->open();
}

}  // namespace calibscope
