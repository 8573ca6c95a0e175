// The actions of the menu File.
#include "ui/actions/action_tables.h"

#include <QCoreApplication>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::Open,
               .menu = Menu::File,
               .key = "file.open",
               .text = QT_TRANSLATE_NOOP("Actions", "&Open..."),
               .shortcut = "Ctrl+O",
               .help = QT_TRANSLATE_NOOP("Actions", "Opens an HDF5 dump."),
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Open...")},
    ActionSpec{.id = ActionId::OpenSample,
               .menu = Menu::File,
               .key = "file.open-sample",
               .text = QT_TRANSLATE_NOOP("Actions", "Open the &sample dump"),
               .shortcut = "Ctrl+Shift+S",
               .help = QT_TRANSLATE_NOOP("Actions",
                                         "Opens the recording that comes with the application.")},
    ActionSpec{.id = ActionId::Reload,
               .menu = Menu::File,
               .key = "file.reload",
               .text = QT_TRANSLATE_NOOP("Actions", "&Reload"),
               .shortcut = "F5",
               .help = QT_TRANSLATE_NOOP("Actions", "Reads the dump anew."),
               .needsDump = true,
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Reload")},
    ActionSpec{.id = ActionId::ExportPlot,
               .menu = Menu::File,
               .key = "file.export-plot",
               .text = QT_TRANSLATE_NOOP("Actions", "&Export picture..."),
               .shortcut = "Ctrl+E",
               .help = QT_TRANSLATE_NOOP("Actions", "Writes the plot as PNG, SVG or PDF."),
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::Report,
               .menu = Menu::File,
               .key = "file.report",
               .text = QT_TRANSLATE_NOOP("Actions", "Re&port..."),
               .shortcut = "Ctrl+Shift+E",
               .help = QT_TRANSLATE_NOOP("Actions",
                                         "Writes pages, tables and pictures into a folder."),
               .needsDump = true},
    ActionSpec{.id = ActionId::Close,
               .menu = Menu::File,
               .key = "file.close",
               .text = QT_TRANSLATE_NOOP("Actions", "&Close"),
               .shortcut = "Ctrl+W",
               .help = QT_TRANSLATE_NOOP("Actions", "Closes the dump."),
               .needsDump = true},
    ActionSpec{.id = ActionId::Quit,
               .menu = Menu::File,
               .key = "file.quit",
               .text = QT_TRANSLATE_NOOP("Actions", "&Quit"),
               .shortcut = "Ctrl+Q",
               .help = QT_TRANSLATE_NOOP("Actions", "Ends the application.")},
};

}  // namespace

std::span<const ActionSpec> fileActions()
{
    return table;
}

}  // namespace calibscope
