// The actions of the menu Help.
#include "ui/window/actions/action_tables.h"

#include <QCoreApplication>

#include <array>

namespace calibscope {

namespace {

constexpr std::array table = {
    ActionSpec{.id = ActionId::HelpContents,
               .menu = Menu::Help,
               .key = "help.contents",
               .text = QT_TRANSLATE_NOOP("Actions", "&Contents"),
               .shortcut = "F1",
               .help = QT_TRANSLATE_NOOP("Actions", "What the window shows, page by page.")},
    ActionSpec{.id = ActionId::Shortcuts,
               .menu = Menu::Help,
               .key = "help.keys",
               .text = QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"),
               .shortcut = "?",
               .help = QT_TRANSLATE_NOOP("Actions", "Lists all keyboard shortcuts.")},
    ActionSpec{.id = ActionId::WhatIsThis,
               .menu = Menu::Help,
               .key = "help.what-is-this",
               .text = QT_TRANSLATE_NOOP("Actions", "&What is this?"),
               .shortcut = "Shift+F1",
               .help = QT_TRANSLATE_NOOP("Actions", "Explains what is clicked next.")},
    ActionSpec{.id = ActionId::About,
               .menu = Menu::Help,
               .key = "help.about",
               .text = QT_TRANSLATE_NOOP("Actions", "&About Calibscope"),
               .shortcut = "",
               .help = QT_TRANSLATE_NOOP("Actions", "Versions and licences.")},
};

}  // namespace

std::span<const ActionSpec> helpActions()
{
    return table;
}

}  // namespace calibscope
