// The actions of the menu Tensor.
#include "ui/window/actions/action_tables.h"

#include <QCoreApplication>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::FirstTensor,
               .menu = Menu::Tensor,
               .key = "tensor.first",
               .text = QT_TRANSLATE_NOOP("Actions", "F&irst"),
               .shortcut = "Ctrl+Home",
               .help = QT_TRANSLATE_NOOP("Actions", "The first tensor that can be shown."),
               .needsDump = true},
    ActionSpec{.id = ActionId::PreviousTensor,
               .menu = Menu::Tensor,
               .key = "tensor.previous",
               .text = QT_TRANSLATE_NOOP("Actions", "&Previous"),
               .shortcut = "Ctrl+Up",
               .help = QT_TRANSLATE_NOOP("Actions", "The tensor above in the list."),
               .needsDump = true,
               .toolBarText = "▲",
               .startsGroup = true},
    ActionSpec{.id = ActionId::NextTensor,
               .menu = Menu::Tensor,
               .key = "tensor.next",
               .text = QT_TRANSLATE_NOOP("Actions", "&Next"),
               .shortcut = "Ctrl+Down",
               .help = QT_TRANSLATE_NOOP("Actions", "The tensor below in the list."),
               .needsDump = true,
               .toolBarText = "▼"},
    ActionSpec{.id = ActionId::Back,
               .menu = Menu::Tensor,
               .key = "tensor.back",
               .text = QT_TRANSLATE_NOOP("Actions", "&Back"),
               .shortcut = "Alt+Left",
               .help = QT_TRANSLATE_NOOP("Actions", "The tensor that was shown before this one."),
               .needsDump = true,
               .toolBarText = "←",
               .startsGroup = true},
    ActionSpec{.id = ActionId::Forward,
               .menu = Menu::Tensor,
               .key = "tensor.forward",
               .text = QT_TRANSLATE_NOOP("Actions", "F&orward"),
               .shortcut = "Alt+Right",
               .help = QT_TRANSLATE_NOOP("Actions", "The tensor from which Back came."),
               .needsDump = true,
               .toolBarText = "→"},
    ActionSpec{
        .id = ActionId::NextWorst,
        .menu = Menu::Tensor,
        .key = "tensor.next-worst",
        .text = QT_TRANSLATE_NOOP("Actions", "Next &worst"),
        .shortcut = "W",
        .help = QT_TRANSLATE_NOOP(
            "Actions", "The tensor with the next higher SQNR, after the last one the lowest."),
        .needsDump = true,
        .startsGroup = true},
    ActionSpec{.id = ActionId::NextFlagged,
               .menu = Menu::Tensor,
               .key = "tensor.next-flagged",
               .text = QT_TRANSLATE_NOOP("Actions", "Next &flagged"),
               .shortcut = "F",
               .help = QT_TRANSLATE_NOOP("Actions", "The next tensor with a warning."),
               .needsDump = true},
    ActionSpec{.id = ActionId::NextGuess,
               .menu = Menu::Tensor,
               .key = "tensor.next-guess",
               .text = QT_TRANSLATE_NOOP("Actions", "Next &guess"),
               .shortcut = "G",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "The next tensor whose role or axes nobody recorded or confirmed."),
               .needsDump = true},
    ActionSpec{.id = ActionId::WorstFirst,
               .menu = Menu::Tensor,
               .key = "tensor.worst-first",
               .text = QT_TRANSLATE_NOOP("Actions", "Wors&t first"),
               .shortcut = "Shift+W",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Sorts the list by SQNR, the lowest first, or as in the file."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Pin,
               .menu = Menu::Tensor,
               .key = "tensor.pin",
               .text = QT_TRANSLATE_NOOP("Actions", "&Keep in sight"),
               .shortcut = "Space",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Pins the tensor at the end of the list, whatever the filter hides."),
               .isCheckable = true,
               .needsDump = true,
               .startsGroup = true},
    ActionSpec{.id = ActionId::Exclude,
               .menu = Menu::Tensor,
               .key = "tensor.exclude",
               .text = QT_TRANSLATE_NOOP("Actions", "E&xclude"),
               .shortcut = "Del",
               .help =
                   QT_TRANSLATE_NOOP("Actions", "Next worst and next flagged pass the tensor by."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::EditLayoutOverride,
               .menu = Menu::Tensor,
               .key = "tensor.understanding",
               .text = QT_TRANSLATE_NOOP("Actions", "Set role and &axes..."),
               .shortcut = "R",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Says how this tensor, or all like it, is to be understood."),
               .needsDump = true},
    ActionSpec{.id = ActionId::ChooseChannel,
               .menu = Menu::Tensor,
               .key = "tensor.channel",
               .text = QT_TRANSLATE_NOOP("Actions", "C&hannel..."),
               .shortcut = "H",
               .help = QT_TRANSLATE_NOOP("Actions", "Goes to the choice of one channel, or all."),
               .needsDump = true},
    ActionSpec{
        .id = ActionId::CompareOutliers,
        .menu = Menu::Tensor,
        .key = "tensor.outliers",
        .text = QT_TRANSLATE_NOOP("Actions", "Compare o&utliers"),
        .shortcut = "O",
        .help = QT_TRANSLATE_NOOP(
            "Actions", "Lays the histograms of the channels with odd scales over each other."),
        .needsDump = true},
    ActionSpec{.id = ActionId::StopReading,
               .menu = Menu::Tensor,
               .key = "tensor.stop",
               .text = QT_TRANSLATE_NOOP("Actions", "&Stop reading"),
               .shortcut = "Esc",
               .help = QT_TRANSLATE_NOOP("Actions", "Stops what is being read."),
               .needsDump = true},
};

}  // namespace

std::span<const ActionSpec> tensorActions()
{
    return table;
}

}  // namespace calibscope
