// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/palettes.h"

#include "tests/support/catch.h"
#include "ui/theme/chart_colors.h"

namespace palettes_test {

using namespace calibscope;

TEST_CASE("every text of both palettes has a contrast of 4.5 on what it stands on")
{
    const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
        {QPalette::WindowText, QPalette::Window},
        {QPalette::Text, QPalette::Base},
        {QPalette::Text, QPalette::AlternateBase},
        {QPalette::PlaceholderText, QPalette::Base},
        {QPalette::PlaceholderText, QPalette::Window},
        {QPalette::PlaceholderText, QPalette::AlternateBase},
        {QPalette::ButtonText, QPalette::Button},
        {QPalette::HighlightedText, QPalette::Highlight},
        {QPalette::ToolTipText, QPalette::ToolTipBase},
        {QPalette::Link, QPalette::Base},
        {QPalette::Link, QPalette::Window},
        {QPalette::LinkVisited, QPalette::Base},
        {QPalette::BrightText, QPalette::Window},
    };
    for (const QPalette& palette : {lightPalette(), darkPalette()})
        for (const auto& [text, ground] : pairs) {
            CAPTURE(isDark(palette), static_cast<int>(text), static_cast<int>(ground));
            CHECK(contrastRatio(palette.color(text), palette.color(ground)) >= 4.5);
        }
}

TEST_CASE("disabled text has a contrast of 4.5 as well, and can be told from other text")
{
    const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
        {QPalette::WindowText, QPalette::Window},
        {QPalette::Text, QPalette::Base},
        {QPalette::ButtonText, QPalette::Button},
        {QPalette::HighlightedText, QPalette::Highlight},
        {QPalette::PlaceholderText, QPalette::Base},
    };
    for (const QPalette& palette : {lightPalette(), darkPalette()})
        for (const auto& [text, ground] : pairs) {
            const QColor disabled = palette.color(QPalette::Disabled, text);
            CAPTURE(isDark(palette), static_cast<int>(text), disabled.name().toStdString());
            CHECK(contrastRatio(disabled, palette.color(QPalette::Disabled, ground)) >= 4.5);
            CHECK(contrastRatio(disabled, palette.color(QPalette::WindowText)) >= 1.5);
        }
}

TEST_CASE("a palette is dark when its text is lighter than its window")
{
    CHECK_FALSE(isDark(lightPalette()));
    CHECK(isDark(darkPalette()));
    CHECK(chartColors(darkPalette()).isDark);
    CHECK_FALSE(chartColors(lightPalette()).isDark);
}

}  // namespace palettes_test
