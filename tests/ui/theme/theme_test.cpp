// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "ui/theme/palettes.h"

#include <QApplication>
#include <QComboBox>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QRawFont>
#include <QStyle>
#include <QStyleOption>

namespace theme_test {

using namespace calibscope;

QApplication& application()
{
    return *qobject_cast<QApplication*>(QCoreApplication::instance());
}

TEST_CASE("the words of themes are read back")
{
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark})
        CHECK(parseTheme(themeText(theme)) == theme);
    CHECK_THROWS_AS(parseTheme(QStringLiteral("Dark")), Error);
}

TEST_CASE("a theme sets palette, style and font, and may be changed again")
{
    applyTheme(application(), Theme::Dark);
    CHECK(QApplication::palette() == darkPalette());
    CHECK(QApplication::style()->objectName() == QStringLiteral("fusion"));
    CHECK(QFontInfo(QApplication::font()).family() == fontFamily());
    applyTheme(application(), Theme::Light);
    CHECK(QApplication::palette() == lightPalette());
}

TEST_CASE("the system's theme does not depend on the one set before")
{
    applyTheme(application(), Theme::Dark);
    applyTheme(application(), Theme::System);
    const QPalette afterDark = QApplication::palette();
    applyTheme(application(), Theme::Light);
    applyTheme(application(), Theme::System);
    CHECK(QApplication::palette() == afterDark);
    applyTheme(application(), Theme::Light);
}

TEST_CASE("a combo box opens all of its list, of a long one so much that it scrolls")
{
    PlainStyle style;
    QComboBox combo;
    combo.setStyle(&style);
    style.polish(&combo);
    const auto opensAll = [&] {
        const QStyleOptionComboBox option;
        return style.styleHint(QStyle::SH_ComboBox_Popup, &option, &combo, nullptr) != 0;
    };
    while (combo.count() < combo.maxVisibleItems())
        combo.addItem("row");
    CHECK(combo.count() == 16);
    CHECK(opensAll());
    combo.addItem("row");
    CHECK_FALSE(opensAll());
}

TEST_CASE("the bundled font has all characters that plots draw, and digits of one width")
{
    loadFonts();
    for (const bool isBold : {false, true}) {
        QFont font = pictureFont(40);
        font.setBold(isBold);
        REQUIRE(QFontInfo(font).family() == fontFamily());
        const QRawFont raw = QRawFont::fromFont(font);
        for (const QChar letter : QStringLiteral("0129−×±…›∞·⁰¹²³⁴⁵⁶⁷⁸⁹⁻αβεσµΔ|%\u202f")) {
            CAPTURE(isBold, QString(letter).toStdString());
            CHECK(raw.supportsCharacter(letter));
        }
        const QFontMetricsF metrics(font);
        for (const QChar digit : QStringLiteral("123456789"))
            CHECK(metrics.horizontalAdvance(digit) == metrics.horizontalAdvance(u'0'));
    }
}

}  // namespace theme_test
