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

}  // namespace elided_label_test
