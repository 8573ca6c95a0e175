#include "ui/actions.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::Open,
               .menu = Menu::File,
               .text = QT_TRANSLATE_NOOP("Actions", "&Open..."),
               .shortcut = "Ctrl+O",
               .help = QT_TRANSLATE_NOOP("Actions", "Opens an HDF5 dump."),
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Open...")},
    ActionSpec{.id = ActionId::OpenSample,
               .menu = Menu::File,
               .text = QT_TRANSLATE_NOOP("Actions", "Open the &sample dump"),
               .shortcut = "Ctrl+Shift+S",
               .help = QT_TRANSLATE_NOOP("Actions",
                                         "Opens the recording that comes with the application.")},
    ActionSpec{.id = ActionId::Reload,
               .menu = Menu::File,
               .text = QT_TRANSLATE_NOOP("Actions", "&Reload"),
               .shortcut = "F5",
               .help = QT_TRANSLATE_NOOP("Actions", "Reads the dump anew."),
               .needsDump = true,
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Reload")},
    ActionSpec{.id = ActionId::Close,
               .menu = Menu::File,
               .text = QT_TRANSLATE_NOOP("Actions", "&Close"),
               .shortcut = "Ctrl+W",
               .help = QT_TRANSLATE_NOOP("Actions", "Closes the dump."),
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::Quit,
               .menu = Menu::File,
               .text = QT_TRANSLATE_NOOP("Actions", "&Quit"),
               .shortcut = "Ctrl+Q",
               .help = QT_TRANSLATE_NOOP("Actions", "Ends the application.")},

    ActionSpec{.id = ActionId::Summary,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "Summar&y"),
               .shortcut = "S",
               .help = QT_TRANSLATE_NOOP("Actions", "What the dump holds as a whole."),
               .needsDump = true,
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Summary")},
    ActionSpec{
        .id = ActionId::LogCount,
        .menu = Menu::View,
        .text = QT_TRANSLATE_NOOP("Actions", "&Log count"),
        .shortcut = "L",
        .help = QT_TRANSLATE_NOOP("Actions", "Counts on a logarithmic axis, or on a linear one."),
        .isCheckable = true,
        .needsDump = true,
        .toolBarText = QT_TRANSLATE_NOOP("Actions", "log count"),
        .startsGroup = true},
    ActionSpec{.id = ActionId::Magnitude,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "&Magnitude |x|"),
               .shortcut = "A",
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Histogram of magnitudes, or of signed values."),
               .isCheckable = true,
               .needsDump = true,
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "|x|")},
    ActionSpec{.id = ActionId::Fit,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "&Fit"),
               .shortcut = "Home",
               .help = QT_TRANSLATE_NOOP("Actions", "Shows all of the histogram."),
               .needsDump = true,
               .toolBarText = QT_TRANSLATE_NOOP("Actions", "Fit")},
    ActionSpec{.id = ActionId::CopyPicture,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "&Copy picture"),
               .shortcut = "Ctrl+Shift+C",
               .help = QT_TRANSLATE_NOOP("Actions", "Copies the page as a picture."),
               .needsDump = true},
    ActionSpec{.id = ActionId::ThemeSystem,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "Theme of the &system"),
               .shortcut = "",
               .help = QT_TRANSLATE_NOOP("Actions", "As light or dark as the desktop."),
               .isCheckable = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::ThemeLight,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "L&ight theme"),
               .shortcut = "",
               .help = QT_TRANSLATE_NOOP("Actions", "Dark text on light ground."),
               .isCheckable = true},
    ActionSpec{.id = ActionId::ThemeDark,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "&Dark theme"),
               .shortcut = "",
               .help = QT_TRANSLATE_NOOP("Actions", "Light text on dark ground."),
               .isCheckable = true},
    ActionSpec{
        .id = ActionId::ResetLayout,
        .menu = Menu::View,
        .text = QT_TRANSLATE_NOOP("Actions", "&Reset layout"),
        .shortcut = "",
        .help = QT_TRANSLATE_NOOP("Actions", "Puts panels and tool bar where they were at first."),
        .startsGroup = true},
    ActionSpec{.id = ActionId::FullScreen,
               .menu = Menu::View,
               .text = QT_TRANSLATE_NOOP("Actions", "F&ull screen"),
               .shortcut = "F11",
               .help = QT_TRANSLATE_NOOP("Actions", "The window fills the screen."),
               .isCheckable = true},

    ActionSpec{.id = ActionId::FirstTensor,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "F&irst"),
               .shortcut = "Ctrl+Home",
               .help = QT_TRANSLATE_NOOP("Actions", "The first tensor that can be shown."),
               .needsDump = true},
    ActionSpec{.id = ActionId::PreviousTensor,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "&Previous"),
               .shortcut = "Ctrl+Up",
               .help = QT_TRANSLATE_NOOP("Actions", "The tensor above in the list."),
               .needsDump = true,
               .toolBarText = "←",
               .startsGroup = true},
    ActionSpec{.id = ActionId::NextTensor,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "&Next"),
               .shortcut = "Ctrl+Down",
               .help = QT_TRANSLATE_NOOP("Actions", "The tensor below in the list."),
               .needsDump = true,
               .toolBarText = "→"},
    ActionSpec{
        .id = ActionId::NextWorst,
        .menu = Menu::Tensor,
        .text = QT_TRANSLATE_NOOP("Actions", "Next &worst"),
        .shortcut = "W",
        .help = QT_TRANSLATE_NOOP(
            "Actions", "The tensor with the next higher SQNR, after the last one the lowest."),
        .needsDump = true},
    ActionSpec{.id = ActionId::NextFlagged,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "Next &flagged"),
               .shortcut = "F",
               .help = QT_TRANSLATE_NOOP("Actions", "The next tensor with a warning."),
               .needsDump = true},
    ActionSpec{.id = ActionId::NextGuess,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "Next &guess"),
               .shortcut = "G",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "The next tensor whose role or axes nobody recorded or confirmed."),
               .needsDump = true},
    ActionSpec{.id = ActionId::EditUnderstanding,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "Set role and &axes..."),
               .shortcut = "R",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Says how this tensor, or all like it, is to be understood."),
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::Find,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "Fi&lter..."),
               .shortcut = "Ctrl+F",
               .help = QT_TRANSLATE_NOOP("Actions", "Goes to the filter of the tensor list."),
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::StopReading,
               .menu = Menu::Tensor,
               .text = QT_TRANSLATE_NOOP("Actions", "&Stop reading"),
               .shortcut = "Esc",
               .help = QT_TRANSLATE_NOOP("Actions", "Stops what is being read."),
               .needsDump = true},

    ActionSpec{.id = ActionId::Shortcuts,
               .menu = Menu::Help,
               .text = QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"),
               .shortcut = "?",
               .help = QT_TRANSLATE_NOOP("Actions", "Lists what the keyboard can do.")},
    ActionSpec{.id = ActionId::About,
               .menu = Menu::Help,
               .text = QT_TRANSLATE_NOOP("Actions", "&About Calibscope"),
               .shortcut = "",
               .help = QT_TRANSLATE_NOOP("Actions", "Versions and licences.")},
};

QString translated(const char* text)
{
    return QCoreApplication::translate("Actions", text);
}

}  // namespace

std::span<const ActionSpec> actionTable()
{
    return table;
}

QString menuTitle(Menu menu)
{
    switch (menu) {
    case Menu::File: return translated("&File");
    case Menu::View: return translated("&View");
    case Menu::Tensor: return translated("&Tensor");
    case Menu::Help: return translated("&Help");
    }
    return {};
}

Actions::Actions(QMainWindow& window) : m_window(window)
{
    auto* themes = new QActionGroup(&window);
    for (const ActionSpec& spec : table) {
        auto* action = new QAction(translated(spec.text), &window);
        action->setShortcut(QKeySequence(QString::fromLatin1(spec.shortcut)));
        action->setCheckable(spec.isCheckable);
        action->setStatusTip(translated(spec.help));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty()
                               ? translated(spec.help)
                               : QStringLiteral("%1 (%2)").arg(translated(spec.help), keys));
        if (spec.id == ActionId::ThemeSystem || spec.id == ActionId::ThemeLight ||
            spec.id == ActionId::ThemeDark)
            themes->addAction(action);
        m_actions.emplace(spec.id, action);
    }
    m_actions.at(ActionId::Quit)->setMenuRole(QAction::QuitRole);
    m_actions.at(ActionId::About)->setMenuRole(QAction::AboutRole);
}

void Actions::setDumpOpen(bool isOpen)
{
    for (const ActionSpec& spec : table)
        if (spec.needsDump)
            m_actions.at(spec.id)->setEnabled(isOpen);
}

void Actions::addMenus()
{
    for (const Menu menu : {Menu::File, Menu::View, Menu::Tensor, Menu::Help})
        m_menus.emplace(menu, m_window.menuBar()->addMenu(menuTitle(menu)));
    for (const ActionSpec& spec : table) {
        QMenu& menu = *m_menus.at(spec.menu);
        if (spec.startsGroup && !menu.isEmpty())
            menu.addSeparator();
        menu.addAction(m_actions.at(spec.id));
    }
}

void Actions::addTo(QToolBar& toolBar) const
{
    for (const ActionSpec& spec : table) {
        const QString text = QString::fromUtf8(spec.toolBarText);
        if (text.isEmpty())
            continue;
        if (spec.startsGroup)
            toolBar.addSeparator();
        QAction* action = m_actions.at(spec.id);
        action->setIconText(translated(spec.toolBarText));
        toolBar.addAction(action);
    }
}

}  // namespace calibscope
