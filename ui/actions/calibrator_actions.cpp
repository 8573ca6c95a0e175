// The actions of the menu Calibrator.
#include "ui/actions/action_tables.h"

#include <QCoreApplication>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::ChooseRecipe,
               .menu = Menu::Calibrator,
               .key = "calibrator.recipe",
               .text = QT_TRANSLATE_NOOP("Actions", "&Recipe..."),
               .shortcut = "Ctrl+Shift+R",
               .help = QT_TRANSLATE_NOOP("Actions", "Goes to the choice of the recipe."),
               .needsDump = true},
    ActionSpec{.id = ActionId::SetThreshold,
               .menu = Menu::Calibrator,
               .key = "calibrator.threshold",
               .text = QT_TRANSLATE_NOOP("Actions", "Type a &threshold..."),
               .shortcut = "T",
               .help = QT_TRANSLATE_NOOP("Actions", "Goes to the field of the threshold by hand."),
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick1,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-1",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &1"),
               .shortcut = "1",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 1 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick2,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-2",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &2"),
               .shortcut = "2",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 2 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick3,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-3",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &3"),
               .shortcut = "3",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 3 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick4,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-4",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &4"),
               .shortcut = "4",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 4 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick5,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-5",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &5"),
               .shortcut = "5",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 5 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick6,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-6",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &6"),
               .shortcut = "6",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 6 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick7,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-7",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &7"),
               .shortcut = "7",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 7 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick8,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-8",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &8"),
               .shortcut = "8",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 8 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
    ActionSpec{.id = ActionId::Tick9,
               .menu = Menu::Ticks,
               .key = "calibrator.tick-9",
               .text = QT_TRANSLATE_NOOP("Actions", "Calibrator &9"),
               .shortcut = "9",
               .help = QT_TRANSLATE_NOOP("Actions", "Draws calibrator 9 of the list, or not."),
               .isCheckable = true,
               .needsDump = true},
};

}  // namespace

std::span<const ActionSpec> calibratorActions()
{
    return table;
}

}  // namespace calibscope
