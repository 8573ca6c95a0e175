// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

namespace elided_label_test {

using namespace calibscope;

const QString facts = QStringLiteral("float32   76 800 values   480 channels");

QString fitted(int width, const QString& text = facts, Qt::TextElideMode mode = Qt::ElideRight)
{
    loadFonts();
    return fittingText(text, QFontMetrics(pictureFont(12)), mode, width);
}

int widthOf(const QString& text)
{
    loadFonts();
    return QFontMetrics(pictureFont(12)).horizontalAdvance(text);
}

TEST_CASE("a text that fits is shown whole")
{
    CHECK(fitted(widthOf(facts)) == facts);
    CHECK(fitted(1000, {}).isEmpty());
}

TEST_CASE("facts are left out whole, the last ones first, and no number is cut")
{
    CHECK(fitted(widthOf(facts) - 1) == "float32   76 800 values   …");
    CHECK(fitted(widthOf("float32   76 800 values   …")) == "float32   76 800 values   …");
    CHECK(fitted(widthOf("float32   76 800 values   …") - 1) == "float32   …");
}

TEST_CASE("what is narrower than the first fact, or has one alone, is elided as ever")
{
    CHECK(fitted(widthOf("float32   …") - 1).startsWith("f"));
    CHECK(fitted(widthOf("conv2d_…") + 2, "conv2d_169.w_0").startsWith("conv2d"));
    const QString name = QStringLiteral("a   name   with   gaps");
    CHECK(fitted(widthOf(name) - 4, name, Qt::ElideMiddle).endsWith("aps"));
}

TEST_CASE("a text is broken at blanks, and its last line elided")
{
    loadFonts();
    const QFontMetrics metrics(pictureFont(12));
    const auto lines = [&](const QString& text, int width, int most) {
        return fittingLines(text, metrics, Qt::ElideRight, width, most);
    };
    const QString text = QStringLiteral("One-sided, 2 dominant channels, saturated at 6.");
    CHECK(lines(text, widthOf(text), 2) == QStringList{text});
    CHECK(lines(text, widthOf(text) - 1, 2) ==
          QStringList{"One-sided, 2 dominant channels, saturated at", "6."});
    const int narrow = widthOf("One-sided, 2 dominant");
    const QStringList three = lines(text, narrow, 9);
    CHECK(three.size() == 3);
    CHECK(three.join(u' ') == text);
    for (const QString& line : three)
        CHECK(widthOf(line) <= narrow);
    const QStringList two = lines(text, narrow, 2);
    REQUIRE(two.size() == 2);
    CHECK(two.back().endsWith(u'\u2026'));
    CHECK(widthOf(two.back()) <= narrow);
    CHECK(lines("unbreakable", 5, 2).size() == 1);
    CHECK(lines({}, 5, 2) == QStringList{QString()});
}

}  // namespace elided_label_test
