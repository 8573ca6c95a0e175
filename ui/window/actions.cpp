// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions.h"

#include "ui/theme/icons.h"
#include "ui/window/help_window.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextEdit>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace calibscope {

namespace {

/// A sequence that begins with the other one can't be typed to its end.
bool isSameKey(const QKeySequence& left, const QKeySequence& right)
{
    return left.matches(right) != QKeySequence::NoMatch ||
           right.matches(left) != QKeySequence::NoMatch;
}

bool isTextField(const QWidget& widget)
{
    if (const auto* text = qobject_cast<const QTextEdit*>(&widget))
        return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return !text->isReadOnly();
    return qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QKeySequenceEdit*>(&widget);
}

/// The list of tensors has nothing to press; tables have check boxes.
bool isPressedBySpace(const QWidget& widget)
{
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget))
        return view->objectName() != QStringLiteral("tensorTree");
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr;
}

/// Return presses a button as Space does, which Qt knows of dialogs alone; a box is ticked by Space.
bool pressByReturn(QObject& watched, const QKeyEvent& event)
{
    const bool isReturn = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    auto* button = qobject_cast<QAbstractButton*>(&watched);
    const bool isPressed = qobject_cast<QPushButton*>(button) || qobject_cast<QToolButton*>(button);
    if (!isReturn || !isPressed || (event.modifiers() & ~Qt::KeypadModifier) ||
        qobject_cast<QDialog*>(button->window()))
        return false;
    if (!event.isAutoRepeat())
        button->click();
    return true;
}

bool hasLetter(const QKeyEvent& event)
{
    constexpr Qt::KeyboardModifiers others =
        Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    return !(event.modifiers() & others) && !event.text().isEmpty() &&
           event.text().front().isPrint() && event.key() != Qt::Key_Space;
}

}  // namespace

ShortcutChoice::ShortcutChoice(const std::map<QString, QList<QKeySequence>>& chosen)
{
    for (const ActionSpec& spec : actionTable())
        m_keys[spec.id] = standardShortcuts(spec);
    // First those are freed whose keys others may have taken over.
    for (const ActionSpec& spec : actionTable())
        if (chosen.contains(spec.id))
            m_keys[spec.id].clear();
    for (const ActionSpec& spec : actionTable())
        if (const auto found = chosen.find(spec.id); found != chosen.end())
            if (assignAll(spec.id, found->second))
                (void)assignStandard(spec.id);
}

bool ShortcutChoice::isStandard(const QString& id) const
{
    return keys(id) == standardShortcuts(actionSpec(id));
}

std::optional<QString> ShortcutChoice::assign(const QString& id, const QKeySequence& key)
{
    return assignAll(id, key.isEmpty() ? QList<QKeySequence>() : QList{key});
}

std::optional<QString> ShortcutChoice::assignStandard(const QString& id)
{
    return assignAll(id, standardShortcuts(actionSpec(id)));
}

std::optional<QString> ShortcutChoice::assignAll(const QString& id, const QList<QKeySequence>& keys)
{
    if (const std::optional<QString> owner = ownerOf(keys, id))
        return owner;
    m_keys[id] = keys;
    return std::nullopt;
}

std::optional<QString> ShortcutChoice::ownerOf(const QList<QKeySequence>& keys,
                                               const QString& except) const
{
    for (const auto& [id, taken] : m_keys)
        for (const QKeySequence& key : taken)
            if (id != except && std::ranges::any_of(keys, [&](const QKeySequence& wanted) {
                    return isSameKey(wanted, key);
                }))
                return id;
    return std::nullopt;
}

std::map<QString, QList<QKeySequence>> ShortcutChoice::chosen() const
{
    std::map<QString, QList<QKeySequence>> result;
    for (const ActionSpec& spec : actionTable())
        if (!isStandard(spec.id))
            result[spec.id] = keys(spec.id);
    return result;
}

Actions::Actions(MainWindow& window) : QObject(&window), m_window(window)
{
    for (const ActionSpec& spec : actionTable()) {
        makeAction(spec);
        addToMenu(spec);
    }
    qApp->installEventFilter(this);
}

void Actions::makeAction(const ActionSpec& spec)
{
    auto* action = new QAction(actionGlyph(spec.id), spec.text, &m_window);
    action->setObjectName(spec.id);
    action->setCheckable(spec.isChecked != nullptr);
    action->setStatusTip(spec.help);
    action->setWhatsThis(spec.help);
    action->setMenuRole(spec.role);
    m_actions.emplace(spec.id, action);
    setShortcuts(spec.id, standardShortcuts(spec));
    connect(action, &QAction::triggered, this, [this, &spec](bool isChecked) {
        // What it needs may have gone since: what is on the screen while the next dump opens.
        if (!spec.isEnabled || spec.isEnabled(m_window))
            spec.run(m_window, isChecked);
        refresh();
    });
}

void Actions::makeMenu(const MenuSpec& spec)
{
    QMenu* menu = spec.parent ? m_menus.at(*spec.parent)->addMenu(spec.title)
                              : m_window.menuBar()->addMenu(spec.title);
    m_menus.emplace(spec.id, menu);
    // A menu's own action is walked through like any other.
    menu->menuAction()->setStatusTip(withoutMnemonic(spec.title));
    if (spec.isChoice)
        new QActionGroup(menu);
}

/// A menu inside another one stands where the first of its actions does.
void Actions::addToMenu(const ActionSpec& spec)
{
    if (!m_menus.contains(spec.menu))
        makeMenu(menuSpec(spec.menu));
    QMenu& menu = *m_menus.at(spec.menu);
    QAction* action = m_actions.at(spec.id);
    if (spec.startsGroup && !menu.isEmpty())
        menu.addSeparator();
    menu.addAction(action);
    auto* choice = menu.findChild<QActionGroup*>(QString(), Qt::FindDirectChildrenOnly);
    if (choice && action->isCheckable())
        choice->addAction(action);
}

void Actions::refresh()
{
    if (m_isStopped)
        return;
    for (const ActionSpec& spec : actionTable()) {
        QAction& action = *m_actions.at(spec.id);
        const bool isEnabled = !spec.isEnabled || spec.isEnabled(m_window);
        if (spec.isHiddenIfDisabled)  // first: what can't be seen can't be enabled
            action.setVisible(isEnabled);
        if (spec.isEnabled)
            action.setEnabled(isEnabled);
        if (spec.isChecked)
            action.setChecked(spec.isChecked(m_window));
        if (spec.label)
            action.setText(spec.label(m_window));
    }
    for (const Menu menu : {Menu::Ticks, Menu::Cards})
        m_menus.at(menu)->menuAction()->setEnabled(
            std::ranges::any_of(m_menus.at(menu)->actions(), &QAction::isVisible));
}

void Actions::setShortcuts(const QString& id, const QList<QKeySequence>& keys)
{
    QAction& action = *m_actions.at(id);
    action.setShortcuts(keys);
    action.setToolTip(
        keys.isEmpty() ? action.statusTip()
                       : QStringLiteral("%1 (%2)").arg(
                             action.statusTip(), keys.front().toString(QKeySequence::NativeText)));
}

void Actions::addTo(QToolBar& toolBar) const
{
    for (const ActionSpec& spec : actionTable()) {
        if (spec.toolBarText.isEmpty())
            continue;
        if (spec.startsGroup)
            toolBar.addSeparator();
        QAction* action = m_actions.at(spec.id);
        action->setIconText(spec.toolBarText);
        toolBar.addAction(action);
    }
}

bool Actions::eventFilter(QObject* watched, QEvent* event)
{
    // Letters are shortcuts in the window: a list of choices takes none while it is shut, and after
    // a click the keys stay where they were.
    if (event->type() == QEvent::Polish || event->type() == QEvent::KeyPress)
        if (auto* box = qobject_cast<QComboBox*>(watched);
            box && !box->isEditable() && box->window() == &m_window) {
            if (event->type() == QEvent::KeyPress)
                return hasLetter(static_cast<QKeyEvent&>(*event));
            box->setFocusPolicy(Qt::TabFocus);
        }
    if (event->type() == QEvent::KeyPress &&
        pressByReturn(*watched, static_cast<QKeyEvent&>(*event)))
        return true;
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (isKey && helps(watched, static_cast<QKeyEvent&>(*event)))
        return true;
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    const auto* focus = qobject_cast<const QWidget*>(watched);
    if (!focus || !focus->hasFocus() || !takesPlainKey(*focus, static_cast<QKeyEvent&>(*event)))
        return false;
    event->accept();
    return true;  // else it would go on to the parents, who don't want it
}

/// A dialog has help of its own: the key is not the window's there.
bool Actions::helps(QObject* watched, QKeyEvent& event) const
{
    const auto* focus = qobject_cast<const QWidget*>(watched);
    auto* dialog = focus ? qobject_cast<QDialog*>(focus->window()) : nullptr;
    const QKeySequence key(event.keyCombination());
    if (!dialog || qobject_cast<HelpWindow*>(dialog) ||
        qobject_cast<const QKeySequenceEdit*>(focus) ||
        !m_actions.at(QStringLiteral("help.contents"))->shortcuts().contains(key))
        return false;
    event.accept();
    if (event.type() == QEvent::KeyPress)
        showHelp(*dialog, helpTarget(*dialog, std::nullopt));
    return true;
}

bool takesPlainKey(const QWidget& focus, const QKeyEvent& event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    if (focus.window()->windowType() == Qt::Popup)
        return false;  // an open list of choices hears of Return by this very event
    const bool isEdit = !event.text().isEmpty() || event.key() == Qt::Key_Home ||
                        event.key() == Qt::Key_End || event.key() == Qt::Key_Delete ||
                        event.key() == Qt::Key_Backspace;
    if (isTextField(focus))
        return isEdit && event.key() != Qt::Key_Escape && event.key() != Qt::Key_Tab;
    const bool presses = event.key() == Qt::Key_Space || event.key() == Qt::Key_Return ||
                         event.key() == Qt::Key_Enter;
    return presses && isPressedBySpace(focus);
}

}  // namespace calibscope
