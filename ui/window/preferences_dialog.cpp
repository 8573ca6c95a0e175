#include "ui/window/preferences_dialog.h"

#include "core/base/cache_folder.h"
#include "ui/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <cstdint>
#include <initializer_list>

namespace calibscope {

namespace {

enum Column { Action, Keys };

QString keysText(const QList<QKeySequence>& keys)
{
    return QKeySequence::listToString(keys, QKeySequence::NativeText);
}

}  // namespace

ShortcutEditor::ShortcutEditor(ShortcutChoice choice, QWidget* parent)
    : QWidget(parent),
      m_choice(std::move(choice)),
      m_list(new QTreeWidget(this)),
      m_key(new QKeySequenceEdit(this)),
      m_none(new QPushButton(tr("N&one"), this)),
      m_standard(new QPushButton(tr("Defaul&t"), this)),
      m_answer(new PlainLabel(this))
{
    auto* filterLine = new QLineEdit(this);
    filterLine->setPlaceholderText(tr("filter"));
    filterLine->setClearButtonEnabled(true);
    filterLine->setAccessibleName(tr("Filter actions"));
    connect(filterLine, &QLineEdit::textChanged, this, &ShortcutEditor::filter);
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("action"), tr("keys")});
    m_list->header()->setSectionResizeMode(Action, QHeaderView::Stretch);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->resizeSection(Keys, fontMetrics().averageCharWidth() * 22);
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(tr("Actions"));
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showSelected);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filterLine);
    layout->addWidget(m_list, 1);
    layout->addWidget(makeField());
    m_answer->setWordWrap(true);
    m_answer->setMinimumHeight(2 * fontMetrics().height());
    m_answer->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layout->addWidget(m_answer);
    fill();
    showSelected();
}

QWidget* ShortcutEditor::makeField()
{
    auto* field = new QWidget(this);
    auto* layout = new QHBoxLayout(field);
    layout->setContentsMargins({});
    auto* label = new PlainLabel(tr("&Shortcut:"), field);
    label->setBuddy(m_key);
    layout->addWidget(label);
    layout->addWidget(m_key, 1);
    layout->addWidget(m_none);
    layout->addWidget(m_standard);
    m_none->setToolTip(tr("No shortcut assigned"));
    m_standard->setToolTip(tr("The default shortcut"));
    connect(m_key, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutEditor::assign);
    connect(m_none, &QPushButton::clicked, this, [this] { assign({}); });
    connect(m_standard, &QPushButton::clicked, this, &ShortcutEditor::assignStandard);
    return field;
}

void ShortcutEditor::fill()
{
    for (const MenuSpec& menu : menuTable()) {
        auto* group = new QTreeWidgetItem(m_list, {withoutMnemonic(menu.title)});
        group->setFlags(Qt::ItemIsEnabled);
        for (const ActionSpec& spec : actionTable()) {
            if (spec.menu != menu.id)
                continue;
            auto* item = new QTreeWidgetItem(
                group, {withoutMnemonic(spec.text), keysText(m_choice.keys(spec.id))});
            item->setToolTip(Action, spec.help);
            item->setData(Action, Qt::UserRole, spec.id);
        }
        group->setExpanded(true);
    }
}

void ShortcutEditor::filter(const QString& text)
{
    for (int place = 0; place < m_list->topLevelItemCount(); ++place) {
        QTreeWidgetItem* group = m_list->topLevelItem(place);
        bool holdsAny = false;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem* item = group->child(row);
            const bool isHit = item->text(Action).contains(text, Qt::CaseInsensitive) ||
                               item->text(Keys).contains(text, Qt::CaseInsensitive);
            item->setHidden(!isHit);
            holdsAny = holdsAny || isHit;
        }
        group->setHidden(!holdsAny);
    }
}

void ShortcutEditor::select(const QString& id)
{
    for (QTreeWidgetItemIterator item(m_list); *item; ++item)
        if ((*item)->data(Action, Qt::UserRole) == QVariant(id))
            m_list->setCurrentItem(*item);
}

std::optional<QString> ShortcutEditor::selected() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(Action, Qt::UserRole).isValid())
        return std::nullopt;
    return item->data(Action, Qt::UserRole).toString();
}

void ShortcutEditor::showSelected()
{
    const std::optional<QString> id = selected();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_key, m_none, m_standard})
        widget->setEnabled(id.has_value());
    const QSignalBlocker silence(m_key);
    m_key->setKeySequence(id && !m_choice.keys(*id).isEmpty() ? m_choice.keys(*id).front()
                                                              : QKeySequence());
    m_answer->setText(id ? actionSpec(*id).help : tr("Select an action to change its shortcut."));
}

/// Of several keys that were typed one after the other only the first counts.
void ShortcutEditor::assign(const QKeySequence& key)
{
    const QKeySequence first = key.isEmpty() ? QKeySequence() : QKeySequence(key[0]);
    if (const std::optional<QString> id = selected())
        showAnswer(m_choice.assign(*id, first), first);
}

void ShortcutEditor::assignStandard()
{
    const std::optional<QString> id = selected();
    if (!id)
        return;
    const QKeySequence standard(actionSpec(*id).shortcut.section(u';', 0, 0));
    showAnswer(m_choice.assignStandard(*id), standard);
}

void ShortcutEditor::showAnswer(std::optional<QString> owner, const QKeySequence& key)
{
    showSelected();
    if (owner) {
        m_answer->setText(tr("%1 is already assigned to \"%2\". Change that shortcut first.")
                              .arg(key.toString(QKeySequence::NativeText),
                                   withoutMnemonic(actionSpec(*owner).text)));
        return;
    }
    m_list->currentItem()->setText(Keys, keysText(m_choice.keys(*selected())));
    Q_EMIT choiceChanged();
}

PreferencesDialog::PreferencesDialog(const Values& values, bool isRemembered, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(600, 560);
    auto* tabs = new QTabWidget(this);
    tabs->addTab(makeGeneral(values, isRemembered), tr("&General"));
    tabs->addTab(makeShortcuts(values), tr("Ke&ys"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs, 1);
    layout->addWidget(buttons);
}

QWidget* PreferencesDialog::makeGeneral(const Values& values, bool isRemembered)
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    auto* theme = new QComboBox(page);
    theme->setObjectName(QStringLiteral("theme"));
    theme->addItem(tr("follow system"), static_cast<int>(Theme::System));
    theme->addItem(tr("light"), static_cast<int>(Theme::Light));
    theme->addItem(tr("dark"), static_cast<int>(Theme::Dark));
    theme->setCurrentIndex(theme->findData(static_cast<int>(values.theme)));
    connect(theme, &QComboBox::activated, this, [this, theme] {
        Q_EMIT themeChosen(static_cast<Theme>(theme->currentData().toInt()));
    });
    form->addRow(tr("&Theme:"), theme);

    auto* reopens = new QCheckBox(tr("Re&open the last dump"), page);
    reopens->setObjectName(QStringLiteral("reopensLast"));
    reopens->setChecked(values.reopensLast);
    connect(reopens, &QCheckBox::toggled, this, &PreferencesDialog::reopensLastChosen);
    form->addRow(tr("At startup:"), reopens);

    form->addRow(tr("Results:"), makeCache(values));

    auto* note =
        new PlainLabel(isRemembered ? tr("Changes apply immediately.")
                                    : tr("This window was started with --fresh: changes apply "
                                         "until it is closed and are not saved."),
                       page);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(note);
    return page;
}

QWidget* PreferencesDialog::makeCache(const Values& values)
{
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins({});
    auto* keeps = new QCheckBox(tr("Cac&he them, so that a dump opens faster next time"), part);
    keeps->setObjectName(QStringLiteral("keepsResults"));
    keeps->setChecked(values.keepsResults && !values.cacheFolder.isEmpty());
    connect(keeps, &QCheckBox::toggled, this, &PreferencesDialog::keepsResultsChosen);
    auto* clear = new QPushButton(part);
    clear->setObjectName(QStringLiteral("clearCache"));
    clear->setToolTip(values.cacheFolder);
    const auto showSize = [clear, folder = values.cacheFolder] {
        const std::uint64_t bytes = cachedBytes(folder.toStdString());
        clear->setText(
            tr("&Clear (%1)").arg(QLocale().formattedDataSize(static_cast<qint64>(bytes), 1)));
        clear->setEnabled(bytes > 0);
    };
    connect(clear, &QPushButton::clicked, this, [folder = values.cacheFolder, showSize] {
        clearCache(folder.toStdString());
        showSize();
    });
    showSize();
    for (QWidget* widget : std::initializer_list<QWidget*>{keeps, clear})
        layout->addWidget(widget, 0, Qt::AlignLeft);
    part->setEnabled(!values.cacheFolder.isEmpty());
    return part;
}

QWidget* PreferencesDialog::makeShortcuts(const Values& values)
{
    auto* editor = new ShortcutEditor(values.shortcuts, this);
    connect(editor, &ShortcutEditor::choiceChanged, this,
            [this, editor] { Q_EMIT shortcutsChosen(editor->choice()); });
    return editor;
}

}  // namespace calibscope
