// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QString>

#include <functional>
#include <optional>
#include <span>

namespace calibscope {

class MainWindow;

/// Menus of the menu bar, in their order, and the menus inside them.
enum class Menu {
    File,
    Dumps,
    Edit,
    View,
    Quantity,
    Lower,
    Theme,
    Panels,
    Tensor,
    Calibrator,
    Accept,
    Ticks,
    Cards,
    Compare,
    Help
};

struct MenuSpec
{
    Menu id;
    QString title;               ///< with its mnemonic
    std::optional<Menu> parent;  ///< nothing: in the menu bar
    bool isChoice = false;       ///< one of its actions is checked at a time
};

/// One thing that a user can tell the window to do. Menus, tool bar, the list of keys and the
/// command palette are made from the table of these.
struct ActionSpec
{
    using Condition = std::function<bool(MainWindow&)>;
    using Effect = std::function<void(MainWindow&, bool isChecked)>;

    QString id;  ///< in settings; never changes
    Menu menu;
    QString text;         ///< as in the menu, with its mnemonic
    QString shortcut;     ///< in Qt's portable form, several parted by "; "; empty: none
    QString help;         ///< one sentence
    Condition isEnabled;  ///< empty: always
    Effect run;
    Condition isChecked = {};                        ///< empty: can't be checked
    std::function<QString(MainWindow&)> label = {};  ///< in place of the text, if that changes
    QString toolBarText = {};                        ///< empty: not in the tool bar
    bool startsGroup = false;                        ///< a separator goes before it
    QAction::MenuRole role = QAction::TextHeuristicRole;
    bool isHiddenIfDisabled = false;  ///< there may be nothing that it could name
};

/// In the order of the menus. A row is all that an action needs.
[[nodiscard]] std::span<const ActionSpec> actionTable();
/// Requires that there is such an action.
[[nodiscard]] const ActionSpec& actionSpec(const QString& id);
[[nodiscard]] std::span<const MenuSpec> menuTable();
[[nodiscard]] const MenuSpec& menuSpec(Menu menu);

/// A text or title without the mark of its mnemonic.
[[nodiscard]] inline QString withoutMnemonic(QString text)
{
    return text.remove(u'&');
}

}  // namespace calibscope
