#include "ui/window/actions/actions.h"

#include "ui/window/actions/key_list.h"
#include "ui/window/actions/plain_keys.h"

#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

namespace calibscope {

QList<QKeySequence> standardShortcuts(const ActionSpec& spec)
{
    return parseKeys(QString::fromLatin1(spec.shortcut));
}

Actions::Actions(QMainWindow& window) : QObject(&window), m_window(window)
{
    for (const ActionSpec& spec : actionTable())
        makeAction(spec);
    auto* themes = new QActionGroup(&window);
    for (const ActionId id : {ActionId::ThemeSystem, ActionId::ThemeLight, ActionId::ThemeDark})
        themes->addAction(m_actions.at(id));
    m_actions.at(ActionId::Quit)->setMenuRole(QAction::QuitRole);
    m_actions.at(ActionId::About)->setMenuRole(QAction::AboutRole);
    m_actions.at(ActionId::EditPreferences)->setMenuRole(QAction::PreferencesRole);
    qApp->installEventFilter(this);
}

void Actions::makeAction(const ActionSpec& spec)
{
    auto* action = new QAction(actionText(spec), &m_window);
    action->setObjectName(QString::fromLatin1(spec.key));
    action->setCheckable(spec.isCheckable);
    action->setStatusTip(actionHelp(spec));
    action->setWhatsThis(actionHelp(spec));
    m_actions.emplace(spec.id, action);
    setShortcuts(spec.id, standardShortcuts(spec));
}

void Actions::setShortcuts(ActionId id, const QList<QKeySequence>& keys)
{
    QAction& action = *m_actions.at(id);
    action.setShortcuts(keys);
    action.setToolTip(
        keys.isEmpty() ? action.statusTip()
                       : QStringLiteral("%1 (%2)").arg(
                             action.statusTip(), keys.front().toString(QKeySequence::NativeText)));
}

void Actions::setDumpOpen(bool isOpen)
{
    for (const ActionSpec& spec : actionTable())
        if (spec.needsDump)
            m_actions.at(spec.id)->setEnabled(isOpen);
}

void Actions::makeMenu(const MenuSpec& spec)
{
    if (m_menus.contains(spec.id))
        return;
    m_menus.emplace(spec.id, spec.parent ? m_menus.at(*spec.parent)->addMenu(menuTitle(spec.id))
                                         : m_window.menuBar()->addMenu(menuTitle(spec.id)));
    // A menu's own action is walked through like any other.
    m_menus.at(spec.id)->menuAction()->setStatusTip(menuTitle(spec.id).remove(u'&'));
}

void Actions::addMenus()
{
    // A menu inside another one stands where the first of its actions does.
    for (const ActionSpec& spec : actionTable()) {
        for (const MenuSpec& menu : menuTable())
            if (menu.id == spec.menu)
                makeMenu(menu);
        QMenu& menu = *m_menus.at(spec.menu);
        if (spec.startsGroup && !menu.isEmpty())
            menu.addSeparator();
        menu.addAction(m_actions.at(spec.id));
    }
}

void Actions::addTo(QToolBar& toolBar) const
{
    for (const ActionSpec& spec : actionTable()) {
        if (*spec.toolBarText == '\0')
            continue;
        if (spec.startsGroup)
            toolBar.addSeparator();
        QAction* action = m_actions.at(spec.id);
        action->setIconText(QCoreApplication::translate("Actions", spec.toolBarText));
        toolBar.addAction(action);
    }
}

bool Actions::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    const auto* focus = qobject_cast<const QWidget*>(watched);
    if (!focus || !focus->hasFocus() || !takesPlainKey(*focus, static_cast<QKeyEvent&>(*event)))
        return false;
    event->accept();
    return true;  // else it would go on to the parents, who don't want it
}

}  // namespace calibscope
