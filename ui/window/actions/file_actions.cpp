// The actions of the menu File.
#include "ui/window/actions/action_tables.h"

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
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Opens the recording that comes with Calibscope.")},
    ActionSpec{.id = ActionId::Reload,
               .menu = Menu::File,
               .key = "file.reload",
               .text = QT_TRANSLATE_NOOP("Actions", "&Reload"),
               .shortcut = "F5",
               .help = QT_TRANSLATE_NOOP("Actions", "Reads the dump again."),
               .needsDump = true,
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Reload")},
    ActionSpec{.id = ActionId::NextDump,
               .menu = Menu::Dumps,
               .key = "file.next-dump",
               .text = QT_TRANSLATE_NOOP("Actions", "&Next"),
               .shortcut = "Ctrl+PgDown; Ctrl+Tab",
               .help = QT_TRANSLATE_NOOP("Actions", "Shows the next dump of this window.")},
    ActionSpec{.id = ActionId::PreviousDump,
               .menu = Menu::Dumps,
               .key = "file.previous-dump",
               .text = QT_TRANSLATE_NOOP("Actions", "&Previous"),
               .shortcut = "Ctrl+PgUp; Ctrl+Shift+Tab",
               .help = QT_TRANSLATE_NOOP("Actions", "Shows the previous dump of this window.")},
    ActionSpec{.id = ActionId::OpenSession,
               .menu = Menu::File,
               .key = "file.open-session",
               .text = QT_TRANSLATE_NOOP("Actions", "Open sess&ion..."),
               .shortcut = "Ctrl+Alt+O",
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Opens dumps together with the decisions on them."),
               .startsGroup = true},
    ActionSpec{.id = ActionId::SaveSession,
               .menu = Menu::File,
               .key = "file.save-session",
               .text = QT_TRANSLATE_NOOP("Actions", "Sa&ve session"),
               .shortcut = "Ctrl+S",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Saves the names of the open dumps and the decisions on them.")},
    ActionSpec{.id = ActionId::SaveSessionAs,
               .menu = Menu::File,
               .key = "file.save-session-as",
               .text = QT_TRANSLATE_NOOP("Actions", "Save session &as..."),
               .shortcut = "Ctrl+Alt+S",
               .help = QT_TRANSLATE_NOOP("Actions", "Saves the session to another file.")},
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
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Writes pages, tables and pictures into a folder."),
               .needsDump = true},
    ActionSpec{.id = ActionId::ExportDecisions,
               .menu = Menu::File,
               .key = "file.export-decisions",
               .text = QT_TRANSLATE_NOOP("Actions", "Export &decisions..."),
               .shortcut = "Ctrl+Shift+D",
               .help = QT_TRANSLATE_NOOP("Actions", "Writes the accepted scales as CSV or JSON."),
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
               .help = QT_TRANSLATE_NOOP("Actions", "Quits the application.")},
};

}  // namespace

std::span<const ActionSpec> fileActions()
{
    return table;
}

}  // namespace calibscope
