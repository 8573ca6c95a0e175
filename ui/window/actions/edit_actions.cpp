// The actions of the menu Edit.
#include "ui/window/actions/action_tables.h"

#include <QCoreApplication>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::Undo,
               .menu = Menu::Edit,
               .key = "edit.undo",
               .text = QT_TRANSLATE_NOOP("Actions", "&Undo"),
               .shortcut = "Ctrl+Z",
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Undoes the last change of view or parameters."),
               .needsDump = true},
    ActionSpec{.id = ActionId::Redo,
               .menu = Menu::Edit,
               .key = "edit.redo",
               .text = QT_TRANSLATE_NOOP("Actions", "&Redo"),
               .shortcut = "Ctrl+Shift+Z; Ctrl+Y",
               .help = QT_TRANSLATE_NOOP("Actions", "Redoes the change that was undone."),
               .needsDump = true},
    ActionSpec{.id = ActionId::CopyData,
               .menu = Menu::Edit,
               .key = "edit.copy-data",
               .text = QT_TRANSLATE_NOOP("Actions", "Copy &data"),
               .shortcut = "Ctrl+C",
               .help = QT_TRANSLATE_NOOP(
                   "Actions",
                   "Copies the values at the pointer, else the plot's data, separated by tabs."),
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::CopyPicture,
               .menu = Menu::Edit,
               .key = "edit.copy-picture",
               .text = QT_TRANSLATE_NOOP("Actions", "&Copy picture"),
               .shortcut = "Ctrl+Shift+C",
               .help = QT_TRANSLATE_NOOP("Actions", "Copies the plot as a picture."),
               .needsDump = true},
    ActionSpec{.id = ActionId::CopyPath,
               .menu = Menu::Edit,
               .key = "edit.copy-path",
               .text = QT_TRANSLATE_NOOP("Actions", "Copy &tensor path"),
               .shortcut = "Ctrl+Alt+P",
               .help = QT_TRANSLATE_NOOP("Actions", "Copies the path of the tensor in its file."),
               .needsDump = true},
    ActionSpec{.id = ActionId::CopyPython,
               .menu = Menu::Edit,
               .key = "edit.copy-python",
               .text = QT_TRANSLATE_NOOP("Actions", "Copy as P&ython"),
               .shortcut = "Ctrl+Alt+C",
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Copies the lines that read the tensor with h5py."),
               .needsDump = true},
    ActionSpec{.id = ActionId::PlotTable,
               .menu = Menu::Edit,
               .key = "edit.plot-table",
               .text = QT_TRANSLATE_NOOP("Actions", "Table of &numbers..."),
               .shortcut = "Ctrl+T",
               .help = QT_TRANSLATE_NOOP("Actions", "Shows the numbers of the plot as a table."),
               .needsDump = true},
    ActionSpec{.id = ActionId::Find,
               .menu = Menu::Edit,
               .key = "edit.find",
               .text = QT_TRANSLATE_NOOP("Actions", "&Filter the list..."),
               .shortcut = "Ctrl+F",
               .help = QT_TRANSLATE_NOOP("Actions", "Goes to the filter of the tensor list."),
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::GoTo,
               .menu = Menu::Edit,
               .key = "edit.go-to",
               .text = QT_TRANSLATE_NOOP("Actions", "&Go to..."),
               .shortcut = "Ctrl+K",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Finds a tensor or an action by a few letters of its name."),
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Go to...")},
    ActionSpec{.id = ActionId::EditPreferences,
               .menu = Menu::Edit,
               .key = "edit.preferences",
               .text = QT_TRANSLATE_NOOP("Actions", "&Preferences..."),
               .shortcut = "Ctrl+,",
               .help = QT_TRANSLATE_NOOP("Actions", "Theme, startup and shortcuts."),
               .startsGroup = true},
};

}  // namespace

std::span<const ActionSpec> editActions()
{
    return table;
}

}  // namespace calibscope
