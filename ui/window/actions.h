// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <map>
#include <optional>

class QKeyEvent;
class QMenu;
class QToolBar;
class QWidget;

namespace calibscope {

/// Keys in Qt's portable form, parted by "; "; none for an empty text.
[[nodiscard]] inline QList<QKeySequence> parseKeys(const QString& text)
{
    return text.isEmpty() ? QList<QKeySequence>() : QKeySequence::listFromString(text);
}

/// The keys that the table gives an action.
[[nodiscard]] inline QList<QKeySequence> standardShortcuts(const ActionSpec& spec)
{
    return parseKeys(spec.shortcut);
}

/// Which keys lead to which action, no key to two.
class ShortcutChoice
{
public:
    /// By the actions' ids; actions that are not named have their standard keys.
    /// What is named but has another action's keys, or is not an action, is left aside.
    explicit ShortcutChoice(const std::map<QString, QList<QKeySequence>>& chosen = {});

    [[nodiscard]] const QList<QKeySequence>& keys(const QString& id) const { return m_keys.at(id); }
    [[nodiscard]] bool isStandard(const QString& id) const;
    /// Gives the action this key alone, none if it is empty. If another action has it, nothing
    /// changes and that one is returned.
    std::optional<QString> assign(const QString& id, const QKeySequence& key);
    /// As assign(), with the keys of the table.
    std::optional<QString> assignStandard(const QString& id);
    /// Differences from the standard, as the constructor takes them.
    [[nodiscard]] std::map<QString, QList<QKeySequence>> chosen() const;

private:
    [[nodiscard]] std::optional<QString> ownerOf(const QList<QKeySequence>& keys,
                                                 const QString& except) const;
    std::optional<QString> assignAll(const QString& id, const QList<QKeySequence>& keys);

    std::map<QString, QList<QKeySequence>> m_keys;
};

/// The QActions of the table, in the window's menu bar.
class Actions : public QObject
{
    Q_OBJECT

public:
    explicit Actions(MainWindow& window);

    /// By its id.
    [[nodiscard]] QAction& operator[](const QString& id) const { return *m_actions.at(id); }
    /// Sets enabled and checked states and names by the present state.
    void refresh();
    /// From now on refresh() does nothing: the window's parts go.
    void stop() { m_isStopped = true; }
    /// As in the table unless the user chose other ones; also written into the tool tips.
    void setShortcuts(const QString& id, const QList<QKeySequence>& keys);

    [[nodiscard]] QMenu& menu(Menu menu) const { return *m_menus.at(menu); }
    void addTo(QToolBar& toolBar) const;

protected:
    /// Keys without Ctrl or Alt are not the window's while a widget with the focus needs them.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool helps(QObject* watched, QKeyEvent& event) const;
    void makeAction(const ActionSpec& spec);
    void makeMenu(const MenuSpec& spec);
    void addToMenu(const ActionSpec& spec);

    MainWindow& m_window;
    std::map<QString, QAction*> m_actions;  ///< owned by the window
    std::map<Menu, QMenu*> m_menus;
    bool m_isStopped = false;
};

/// Whether the key is the widget's own rather than a shortcut of the window: letters, digits and
/// the like without Ctrl or Alt, in a field where they are typed; the space bar and Enter also on
/// a button, in a table with check boxes and wherever else they press something.
[[nodiscard]] bool takesPlainKey(const QWidget& focus, const QKeyEvent& event);

}  // namespace calibscope
