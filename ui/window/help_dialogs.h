// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workspace.h"
#include "ui/window/actions.h"

#include <QDialog>
#include <QString>

#include <optional>

class QCheckBox;
class QLineEdit;
class QTreeWidget;
class QWidget;

namespace calibscope {

class ShortcutChoice;

/// Whether the action is of use on that page above all; one that is so on none is of the window.
[[nodiscard]] bool isOfPage(const ActionSpec& action, Workspace page);

/// Every action with its keys, and what mouse and keys do in a plot: those of the present page at
/// first, all on request, and what is searched for among all.
class CheatSheet : public QDialog
{
    Q_OBJECT

public:
    /// Without a page it begins with all.
    CheatSheet(const ShortcutChoice& shortcuts, std::optional<Workspace> page, QWidget* parent);

private:
    void fill(const ShortcutChoice& shortcuts);
    void addGroup(const QString& title, bool isOfThisPage,
                  const QList<std::pair<const ActionSpec*, QString>>& actions);
    void addGestures();
    void showMatches(const QString& query);

    std::optional<Workspace> m_page;
    QLineEdit* m_query;
    QCheckBox* m_all;
    QTreeWidget* m_list;
};

/// Lists the actions with their keys, those of that page first.
void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts,
                   std::optional<Workspace> page = {});

/// Opens a window with versions and licences.
void showAbout(QWidget& parent);

}  // namespace calibscope
