#include "ui/window/actions/action_tables.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <vector>

namespace calibscope {

namespace {

constexpr std::array menus = {
    MenuSpec{Menu::File, QT_TRANSLATE_NOOP("Actions", "&File"), {}},
    MenuSpec{Menu::Dumps, QT_TRANSLATE_NOOP("Actions", "Switch d&ump"), Menu::File},
    MenuSpec{Menu::Edit, QT_TRANSLATE_NOOP("Actions", "&Edit"), {}},
    MenuSpec{Menu::View, QT_TRANSLATE_NOOP("Actions", "&View"), {}},
    MenuSpec{Menu::Quantity, QT_TRANSLATE_NOOP("Actions", "&Quantity"), Menu::View},
    MenuSpec{Menu::Lower, QT_TRANSLATE_NOOP("Actions", "Lo&wer plot"), Menu::View},
    MenuSpec{Menu::Theme, QT_TRANSLATE_NOOP("Actions", "T&heme"), Menu::View},
    MenuSpec{Menu::Panels, QT_TRANSLATE_NOOP("Actions", "&Panels"), Menu::View},
    MenuSpec{Menu::Tensor, QT_TRANSLATE_NOOP("Actions", "&Tensor"), {}},
    MenuSpec{Menu::Calibrator, QT_TRANSLATE_NOOP("Actions", "&Calibrator"), {}},
    MenuSpec{Menu::Settle, QT_TRANSLATE_NOOP("Actions", "Acce&pt"), Menu::Calibrator},
    MenuSpec{Menu::Ticks, QT_TRANSLATE_NOOP("Actions", "&Draw"), Menu::Calibrator},
    MenuSpec{Menu::Compare, QT_TRANSLATE_NOOP("Actions", "C&ompare"), {}},
    MenuSpec{Menu::Help, QT_TRANSLATE_NOOP("Actions", "&Help"), {}},
};

QString translated(const char* text)
{
    return QCoreApplication::translate("Actions", text);
}

std::vector<ActionSpec> joinedTables()
{
    std::vector<ActionSpec> all;
    for (const std::span<const ActionSpec> part :
         {fileActions(), editActions(), viewActions(), tensorActions(), calibratorActions(),
          compareActions(), helpActions()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

std::span<const ActionSpec> actionTable()
{
    static const std::vector<ActionSpec> table = joinedTables();
    return table;
}

std::span<const MenuSpec> menuTable()
{
    return menus;
}

QString menuTitle(Menu menu)
{
    const auto found = std::ranges::find(menus, menu, &MenuSpec::id);
    return found == menus.end() ? QString() : translated(found->title);
}

QString actionText(const ActionSpec& spec)
{
    return translated(spec.text);
}

QString actionHelp(const ActionSpec& spec)
{
    return translated(spec.help);
}

}  // namespace calibscope
