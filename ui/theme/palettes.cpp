// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/palettes.h"

namespace calibscope {

namespace {

struct RoleColor
{
    QPalette::ColorRole role;
    QRgb color;
};

QPalette paletteOf(std::initializer_list<RoleColor> colors, QRgb disabledText, QRgb disabledFill)
{
    QPalette palette;
    for (const auto& [role, color] : colors)
        palette.setColor(role, QColor(color));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, QColor(disabledText));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(disabledFill));
    palette.setColor(QPalette::Disabled, QPalette::Base, palette.color(QPalette::Window));
    return palette;
}

}  // namespace

QPalette lightPalette()
{
    return paletteOf(
        {
            {QPalette::Window, 0xfff5f6f8},
            {QPalette::WindowText, 0xff1c2126},
            {QPalette::Base, 0xffffffff},
            {QPalette::AlternateBase, 0xfff3f5f8},
            {QPalette::Text, 0xff1c2126},
            {QPalette::PlaceholderText, 0xff656d76},
            {QPalette::Button, 0xfff0f2f5},
            {QPalette::ButtonText, 0xff1c2126},
            {QPalette::BrightText, 0xffb3261e},
            {QPalette::Highlight, 0xffcfe2f8},
            {QPalette::HighlightedText, 0xff0d2440},
            {QPalette::Link, 0xff175ea8},
            {QPalette::LinkVisited, 0xff6b4a9c},
            {QPalette::ToolTipBase, 0xffffffff},
            {QPalette::ToolTipText, 0xff1c2126},
            {QPalette::Light, 0xffffffff},
            {QPalette::Midlight, 0xffe8ebef},
            {QPalette::Mid, 0xffc4cad1},
            {QPalette::Dark, 0xff9aa2ab},
            {QPalette::Shadow, 0xff6d757e},
        },
        0xff656d76, 0xffeef0f3);
}

QPalette darkPalette()
{
    return paletteOf(
        {
            {QPalette::Window, 0xff202327},
            {QPalette::WindowText, 0xffe3e6ea},
            {QPalette::Base, 0xff17191c},
            {QPalette::AlternateBase, 0xff1d2024},
            {QPalette::Text, 0xffe3e6ea},
            {QPalette::PlaceholderText, 0xff959da6},
            {QPalette::Button, 0xff2b2f34},
            {QPalette::ButtonText, 0xffe3e6ea},
            {QPalette::BrightText, 0xffff8a80},
            {QPalette::Highlight, 0xff264a73},
            {QPalette::HighlightedText, 0xffeef5fd},
            {QPalette::Link, 0xff7db8f0},
            {QPalette::LinkVisited, 0xffbb9fe6},
            {QPalette::ToolTipBase, 0xff2b2f34},
            {QPalette::ToolTipText, 0xffe3e6ea},
            {QPalette::Light, 0xff3d434a},
            {QPalette::Midlight, 0xff343940},
            {QPalette::Mid, 0xff464d55},
            {QPalette::Dark, 0xff121416},
            {QPalette::Shadow, 0xff0b0c0e},
        },
        0xff959da6, 0xff2a2e33);
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::WindowText).lightness() >
           palette.color(QPalette::Window).lightness();
}

}  // namespace calibscope
