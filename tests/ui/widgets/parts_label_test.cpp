// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parts_label.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

namespace parts_label_test {

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

TEST_CASE("a name gives way by the needs of its parts, a text before it does not")
{
    loadFonts();
    ElidedLabel label(Qt::ElideMiddle);
    label.setFont(pictureFont(12));
    const QByteArray needs{"\0\0\2\0", 4};  // the third of its parts
    label.setName("/network/block2/output", needs, "Cards – ");
    label.resize(widthOf("Cards – /…/block2/…") + 4, 20);
    CHECK(label.shownText() == "Cards – /…/block2/…");
    label.setText("/network/block2/output");
    CHECK_FALSE(label.shownText().contains("…/block2/…"));
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
    CHECK(fitted(widthOf("flo")).isEmpty());
    CHECK(fitted(widthOf("conv2d_…") + 2, "conv2d_169.w_0").startsWith("conv2d"));
    const QString name = QStringLiteral("a   name   with   gaps");
    CHECK(fitted(widthOf(name) - 4, name, Qt::ElideMiddle).endsWith("aps"));
}

PartsLabel& withParts(PartsLabel& label)
{
    loadFonts();
    label.setFont(pictureFont(12));
    label.setParts({{.text = "3.718"}, {.text = "scale 0.02928"}, {.text = "clips 0.0013 %"}});
    return label;
}

/// Parts by line: "3.718|scale 0.02928", ...
QStringList linesOf(const PartsLabel& label, int width)
{
    QStringList lines;
    for (const auto& line : label.linesOf(width)) {
        QStringList parts;
        for (const PartsLabel::Part& part : line)
            parts += part.text;
        lines += parts.join(u'|');
    }
    return lines;
}

TEST_CASE("parts share a line where they fit, and go to the next one whole")
{
    PartsLabel label;
    withParts(label);
    const int all = widthOf("3.718   scale 0.02928   clips 0.0013 %");
    CHECK(linesOf(label, all + 2) == QStringList{"3.718|scale 0.02928|clips 0.0013 %"});
    CHECK(linesOf(label, all - 2) == QStringList{"3.718|scale 0.02928", "clips 0.0013 %"});
    CHECK(linesOf(label, widthOf("clips 0.0013 %")) ==
          QStringList{"3.718", "scale 0.02928", "clips 0.0013 %"});
    CHECK(linesOf(label, 1).size() == 3);
}

TEST_CASE("a label is as high as its lines, and as one line without parts")
{
    PartsLabel label;
    const int one = label.heightForWidth(200);
    CHECK(one > 0);
    withParts(label);
    const int line = QFontMetrics(label.font()).height();
    CHECK(label.heightForWidth(1000) - label.heightForWidth(label.sizeHint().width()) == 0);
    CHECK(label.heightForWidth(1) - label.heightForWidth(1000) == 2 * line);
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

}  // namespace parts_label_test
