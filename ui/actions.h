#pragma once

#include <QAction>
#include <QList>
#include <QString>

#include <map>
#include <span>

class QMainWindow;
class QMenu;
class QToolBar;

namespace calibscope {

enum class Menu { File, View, Tensor, Help };

enum class ActionId {
    Open,
    OpenSample,
    Reload,
    Close,
    Quit,
    CopyPicture,
    Summary,
    LogCount,
    Magnitude,
    Fit,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    ResetLayout,
    FullScreen,
    FirstTensor,
    PreviousTensor,
    NextTensor,
    NextWorst,
    NextFlagged,
    NextGuess,
    EditUnderstanding,
    Find,
    StopReading,
    Shortcuts,
    About,
};

/// One thing that a user can tell the window to do. Menus, tool bar and the list of shortcuts are
/// made from the table of these.
struct ActionSpec
{
    ActionId id;
    Menu menu;
    const char* text;      ///< as in the menu, with its mnemonic
    const char* shortcut;  ///< in Qt's portable form; empty: none
    const char* help;      ///< one sentence
    bool isCheckable = false;
    bool needsDump = false;        ///< of no use while none is open
    const char* toolBarText = "";  ///< empty: not in the tool bar
    bool startsGroup = false;      ///< a separator goes before it
};

[[nodiscard]] std::span<const ActionSpec> actionTable();
[[nodiscard]] QString menuTitle(Menu menu);

/// The QActions of the table.
class Actions
{
public:
    explicit Actions(QMainWindow& window);

    [[nodiscard]] QAction& operator[](ActionId id) const { return *m_actions.at(id); }
    void setDumpOpen(bool isOpen);

    /// Adds the menus to the window's menu bar.
    void addMenus();
    [[nodiscard]] QMenu& menu(Menu menu) const { return *m_menus.at(menu); }
    void addTo(QToolBar& toolBar) const;

private:
    QMainWindow& m_window;
    std::map<ActionId, QAction*> m_actions;  ///< owned by the window
    std::map<Menu, QMenu*> m_menus;
};

}  // namespace calibscope
