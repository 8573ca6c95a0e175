// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/action_table.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace calibscope {

namespace {

class MenuRows
{
    Q_DECLARE_TR_FUNCTIONS(Actions)

public:
    static std::vector<MenuSpec> all();
};

std::vector<MenuSpec> MenuRows::all()
{
    return {
        {Menu::File, tr("&File"), {}},
        {Menu::Dumps, tr("Switch d&ump"), Menu::File},
        {Menu::Edit, tr("&Edit"), {}},
        {Menu::View, tr("&View"), {}},
        {Menu::Quantity, tr("&Quantity"), Menu::View, true},
        {Menu::Lower, tr("Lo&wer plot"), Menu::View, true},
        {Menu::Theme, tr("T&heme"), Menu::View, true},
        {Menu::Panels, tr("&Panels"), Menu::View},
        {Menu::Tensor, tr("&Tensor"), {}},
        {Menu::Calibrator, tr("&Calibrator"), {}},
        {Menu::Accept, tr("Acce&pt"), Menu::Calibrator},
        {Menu::Ticks, tr("&Draw"), Menu::Calibrator},
        {Menu::Cards, tr("&Open card"), Menu::Calibrator},
        {Menu::Compare, tr("C&ompare"), {}},
        {Menu::Help, tr("&Help"), {}},
    };
}

}  // namespace

std::span<const MenuSpec> menuTable()
{
    static const std::vector<MenuSpec> menus = MenuRows::all();
    return menus;
}

const MenuSpec& menuSpec(Menu menu)
{
    return *std::ranges::find(menuTable(), menu, &MenuSpec::id);
}

}  // namespace calibscope
