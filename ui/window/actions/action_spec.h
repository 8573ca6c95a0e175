#pragma once

#include <optional>
#include <span>

class QString;

namespace calibscope {

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
    Settle,
    Ticks,
    Compare,
    Help
};

struct MenuSpec
{
    Menu id;
    const char* title;           ///< with its mnemonic
    std::optional<Menu> parent;  ///< nothing: in the menu bar
};

enum class ActionId {
    Open,
    OpenSample,
    Reload,
    NextDump,
    PreviousDump,
    OpenSession,
    SaveSession,
    SaveSessionAs,
    ExportPlot,
    Report,
    ExportDecisions,
    Close,
    Quit,

    Undo,
    Redo,
    CopyData,
    CopyPicture,
    CopyPath,
    CopyPython,
    PlotTable,
    Find,
    GoTo,
    EditPreferences,

    Summary,
    Browse,
    Calibrators,
    Channels,
    Compare,
    LogX,
    LogCount,
    Magnitude,
    QuantityCount,
    QuantityDensity,
    QuantityCumulative,
    NextQuantity,
    LowerCurve,
    LowerError,
    LowerBatches,
    FocusBatches,
    Quantized,
    LinkAxes,
    TableBelow,
    Fit,
    ZoomIn,
    ZoomOut,
    ZoomBack,
    ZoomForward,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    TensorPanel,
    InspectorPanel,
    LogPanel,
    ToolBar,
    ResetLayout,
    FullScreen,

    FirstTensor,
    PreviousTensor,
    NextTensor,
    Back,
    Forward,
    NextWorst,
    NextFlagged,
    NextGuess,
    WorstFirst,
    Pin,
    Exclude,
    EditLayoutOverride,
    ChooseChannel,
    CompareOutliers,
    StopReading,

    ChooseRecipe,
    SetThreshold,
    AllTensors,
    Baseline,
    Settle,
    SettleShown,
    SettleByRecipe,
    Unsettle,
    UnsettleShown,
    Tick1,
    Tick2,
    Tick3,
    Tick4,
    Tick5,
    Tick6,
    Tick7,
    Tick8,
    Tick9,

    OpenSecond,
    SwapDumps,
    NextCompareMode,
    MatchManually,
    CloseSecond,

    HelpContents,
    Shortcuts,
    WhatIsThis,
    About,
};

/// One thing that a user can tell the window to do. Menus, tool bar, the list of keys and the
/// command palette are made from the table of these.
struct ActionSpec
{
    ActionId id;
    Menu menu;
    const char* key;       ///< in settings; never changes
    const char* text;      ///< as in the menu, with its mnemonic
    const char* shortcut;  ///< in Qt's portable form, several parted by "; "; empty: none
    const char* help;      ///< one sentence
    bool isCheckable = false;
    bool needsDump = false;        ///< of no use while none is open
    const char* toolBarText = "";  ///< empty: not in the tool bar
    bool startsGroup = false;      ///< a separator goes before it
};

/// In the order of the menus.
[[nodiscard]] std::span<const ActionSpec> actionTable();
[[nodiscard]] std::span<const MenuSpec> menuTable();
/// Translated, with their mnemonics.
[[nodiscard]] QString menuTitle(Menu menu);
[[nodiscard]] QString actionText(const ActionSpec& spec);
[[nodiscard]] QString actionHelp(const ActionSpec& spec);

}  // namespace calibscope
