#include "ui/window/shortcut_editor.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace calibscope {

namespace {

enum Column { Action, Keys };

QString withoutMnemonic(QString textWithMnemonic)
{
    return textWithMnemonic.remove(u'&');
}

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
      m_answer(new QLabel(this))
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
    auto* label = new QLabel(tr("&Shortcut:"), field);
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
        auto* group = new QTreeWidgetItem(m_list, {withoutMnemonic(menuTitle(menu.id))});
        group->setFlags(Qt::ItemIsEnabled);
        for (const ActionSpec& spec : actionTable()) {
            if (spec.menu != menu.id)
                continue;
            auto* item = new QTreeWidgetItem(
                group, {withoutMnemonic(actionText(spec)), keysText(m_choice.keys(spec.id))});
            item->setToolTip(Action, actionHelp(spec));
            item->setData(Action, Qt::UserRole, static_cast<int>(spec.id));
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

void ShortcutEditor::select(ActionId id)
{
    for (QTreeWidgetItemIterator item(m_list); *item; ++item)
        if ((*item)->data(Action, Qt::UserRole) == QVariant(static_cast<int>(id)))
            m_list->setCurrentItem(*item);
}

std::optional<ActionId> ShortcutEditor::selected() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(Action, Qt::UserRole).isValid())
        return std::nullopt;
    return static_cast<ActionId>(item->data(Action, Qt::UserRole).toInt());
}

void ShortcutEditor::showSelected()
{
    const std::optional<ActionId> id = selected();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_key, m_none, m_standard})
        widget->setEnabled(id.has_value());
    const QSignalBlocker silence(m_key);
    m_key->setKeySequence(id && !m_choice.keys(*id).isEmpty() ? m_choice.keys(*id).front()
                                                              : QKeySequence());
    m_answer->setText(id ? actionHelp(actionSpec(*id))
                         : tr("Select an action to change its shortcut."));
}

/// Of several keys that were typed one after the other only the first counts.
void ShortcutEditor::assign(const QKeySequence& key)
{
    const QKeySequence first = key.isEmpty() ? QKeySequence() : QKeySequence(key[0]);
    if (const std::optional<ActionId> id = selected())
        showAnswer(m_choice.assign(*id, first), first);
}

void ShortcutEditor::assignStandard()
{
    const std::optional<ActionId> id = selected();
    if (!id)
        return;
    const QKeySequence standard(QString::fromLatin1(actionSpec(*id).shortcut).section(u';', 0, 0));
    showAnswer(m_choice.assignStandard(*id), standard);
}

void ShortcutEditor::showAnswer(std::optional<ActionId> owner, const QKeySequence& key)
{
    showSelected();
    if (owner) {
        m_answer->setText(tr("%1 is already assigned to \"%2\". Change that shortcut first.")
                              .arg(key.toString(QKeySequence::NativeText),
                                   withoutMnemonic(actionText(actionSpec(*owner)))));
        return;
    }
    m_list->currentItem()->setText(Keys, keysText(m_choice.keys(*selected())));
    Q_EMIT choiceChanged();
}

}  // namespace calibscope
