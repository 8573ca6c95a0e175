// The actions of the menu Compare.
#include "ui/window/actions/action_tables.h"

#include <QCoreApplication>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::OpenSecond,
               .menu = Menu::Compare,
               .key = "compare.open",
               .text = QT_TRANSLATE_NOOP("Actions", "&Open second dump..."),
               .shortcut = "Ctrl+Shift+O",
               .help = QT_TRANSLATE_NOOP("Actions", "Compares the open dump with another one."),
               .needsDump = true},
    ActionSpec{.id = ActionId::SwapDumps,
               .menu = Menu::Compare,
               .key = "compare.swap",
               .text = QT_TRANSLATE_NOOP("Actions", "&Swap"),
               .shortcut = "X",
               .help = QT_TRANSLATE_NOOP("Actions", "Swaps the open dump and the second one."),
               .needsDump = true},
    ActionSpec{.id = ActionId::NextCompareMode,
               .menu = Menu::Compare,
               .key = "compare.mode",
               .text = QT_TRANSLATE_NOOP("Actions", "&Mode"),
               .shortcut = "D",
               .help = QT_TRANSLATE_NOOP("Actions",
                                         "Cycles through overlay, side by side and difference."),
               .needsDump = true},
    ActionSpec{.id = ActionId::MatchManually,
               .menu = Menu::Compare,
               .key = "compare.match",
               .text = QT_TRANSLATE_NOOP("Actions", "Ma&tch..."),
               .shortcut = "M",
               .help = QT_TRANSLATE_NOOP(
                   "Actions", "Chooses the tensor of the other dump that matches this one."),
               .needsDump = true},
    ActionSpec{.id = ActionId::CloseSecond,
               .menu = Menu::Compare,
               .key = "compare.close",
               .text = QT_TRANSLATE_NOOP("Actions", "&Close second dump"),
               .shortcut = "Ctrl+Shift+W",
               .help = QT_TRANSLATE_NOOP("Actions", "Ends the comparison."),
               .needsDump = true,
               .startsGroup = true},
};

}  // namespace

std::span<const ActionSpec> compareActions()
{
    return table;
}

}  // namespace calibscope
