#pragma once

#include "ui/window/actions/action_spec.h"

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>

#include <map>

class QMainWindow;
class QMenu;
class QToolBar;

namespace calibscope {

/// The QActions of the table.
class Actions : public QObject
{
    Q_OBJECT

public:
    explicit Actions(QMainWindow& window);

    [[nodiscard]] QAction& operator[](ActionId id) const { return *m_actions.at(id); }
    void setDumpOpen(bool isOpen);
    /// As in the table unless the user chose other ones; also written into the tool tips.
    void setShortcuts(ActionId id, const QList<QKeySequence>& keys);

    /// Adds the menus to the window's menu bar.
    void addMenus();
    [[nodiscard]] QMenu& menu(Menu menu) const { return *m_menus.at(menu); }
    void addTo(QToolBar& toolBar) const;

protected:
    /// Keys without Ctrl or Alt are not the window's while a widget with the focus needs them.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeAction(const ActionSpec& spec);
    void makeMenu(const MenuSpec& spec);

    QMainWindow& m_window;
    std::map<ActionId, QAction*> m_actions;  ///< owned by the window
    std::map<Menu, QMenu*> m_menus;
};

/// The keys that the table gives an action.
[[nodiscard]] QList<QKeySequence> standardShortcuts(const ActionSpec& spec);

}  // namespace calibscope
