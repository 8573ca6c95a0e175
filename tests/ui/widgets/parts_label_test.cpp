// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parts_label.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

namespace parts_label_test {

using namespace calibscope;

int widthOf(const QString& text)
{
    return QFontMetrics(pictureFont(12)).horizontalAdvance(text);
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

}  // namespace parts_label_test
