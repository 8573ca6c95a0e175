// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/manual_threshold.h"

#include "tests/support/catch.h"
#include "ui/widgets/parts_label.h"

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

namespace manual_threshold_test {

using namespace calibscope;
using calibscope::test::Approx;

struct Field
{
    Field()
    {
        widget.setStep(0.25);
        widget.setRange(std::nullopt, {-2.0, 2.0});
        QObject::connect(&widget, &ThresholdField::rangeChosen, &widget,
                         [this](const Range& range, bool isNudge) {
                             ranges.push_back(range);
                             nudges.push_back(isNudge);
                         });
        QObject::connect(&widget, &ThresholdField::cleared, &widget, [this] { ++clears; });
    }
    QLineEdit& high() { return *widget.findChild<QLineEdit*>("manualHigh"); }
    QLineEdit& low() { return *widget.findChild<QLineEdit*>("manualLow"); }
    void type(QLineEdit& edit, const QString& text)
    {
        edit.setText(text);
        QTest::keyClick(&edit, Qt::Key_Return);
    }

    ThresholdField widget;
    std::vector<Range> ranges;
    std::vector<bool> nudges;
    int clears = 0;
};

TEST_CASE("a typed threshold is a range to both sides, with a comma as well")
{
    Field field;
    field.type(field.high(), "1.5");
    field.type(field.high(), " 2,25 ");
    field.type(field.high(), "-3");
    CHECK(field.ranges == std::vector<Range>{{-1.5, 1.5}, {-2.25, 2.25}, {-3.0, 3.0}});
    CHECK(field.nudges == std::vector<bool>{false, false, false});
}

TEST_CASE("two ends take no more room than one, set or not")
{
    Field field;
    field.widget.show();
    const int least = field.widget.minimumSizeHint().width();
    field.widget.setEnds(ThresholdField::Ends::Both);
    field.widget.setRange(Range{-1.5, 2.5}, {-2.0, 2.0});
    CHECK(field.low().isVisible());
    CHECK(field.widget.minimumSizeHint().width() <= least);
}

TEST_CASE("what is not a number is not taken")
{
    Field field;
    for (const char* text : {"wide", "inf", "nan", "1e999"})
        field.type(field.high(), text);
    CHECK(field.ranges.empty());
    CHECK(field.clears == 0);
}

TEST_CASE("affine ends are typed one by one and hold 0")
{
    Field field;
    field.widget.setEnds(ThresholdField::Ends::Both);
    CHECK_FALSE(field.low().isHidden());
    field.type(field.low(), "-0.5");
    field.widget.setRange(Range{-0.5, 2.0}, {-2.0, 2.0});
    field.type(field.high(), "4");
    field.type(field.low(), "1");
    CHECK(field.ranges == std::vector<Range>{{-0.5, 2.0}, {-0.5, 4.0}, {0.0, 4.0}});
}

TEST_CASE("arrow keys move by a step, with Shift by ten, from the hint where nothing is set")
{
    Field field;
    QTest::keyClick(&field.high(), Qt::Key_Up);
    QTest::keyClick(&field.high(), Qt::Key_Down, Qt::ShiftModifier);
    CHECK(field.ranges == std::vector<Range>{{-2.25, 2.25}, {-0.25, 0.25}});
    CHECK(field.nudges == std::vector<bool>{true, true});
}

TEST_CASE("an emptied field takes the range away, so does the cross")
{
    Field field;
    CHECK(field.widget.findChild<QToolButton*>("manualClear")->isHidden());
    field.type(field.high(), "");
    CHECK(field.clears == 0);  // nothing was set
    field.widget.setRange(Range{-1.0, 1.0}, {-2.0, 2.0});
    CHECK(field.high().text() == QStringLiteral("1"));
    field.type(field.high(), "");
    CHECK(field.clears == 1);
    field.widget.findChild<QToolButton*>("manualClear")->click();
    CHECK(field.clears == 2);
}

TEST_CASE("six digits of the range are shown, all of them kept")
{
    Field field;
    field.widget.setRange(Range{-0.1, 1.0 / 3.0}, {});
    CHECK(field.high().text() == "0.333333");
    CHECK(field.high().cursorPosition() == 0);
    QTest::keyClick(&field.high(), Qt::Key_Return);
    REQUIRE(field.ranges.size() == 1);
    CHECK(field.ranges[0].high == 1.0 / 3.0);
    // What is typed is what is meant.
    field.high().setFocus();
    field.high().selectAll();
    QTest::keyClicks(&field.high(), "0.333333");
    QTest::keyClick(&field.high(), Qt::Key_Return);
    CHECK(field.ranges.back().high == 0.333333);
}

TEST_CASE("without a range there is no result")
{
    Field field;
    field.widget.setRange(Range{-1.0, 1.0}, {});
    field.widget.setResult(QStringLiteral("SQNR 3 dB"));
    const auto& result = *field.widget.findChild<ElidedLabel*>("manualResult");
    CHECK(result.text() == QStringLiteral("SQNR 3 dB"));
    field.widget.setRange(std::nullopt, {-2.0, 2.0});
    CHECK(result.text().isEmpty());
}

TEST_CASE("what is not a number is marked, and said, until something else is typed")
{
    Field field;
    field.type(field.high(), "wide");
    const auto& result = *field.widget.findChild<ElidedLabel*>("manualResult");
    CHECK(result.text() == QStringLiteral("\"wide\" is not a number"));
    QTest::keyClicks(&field.high(), "r");
    CHECK(result.text().isEmpty());
    field.type(field.high(), "1.5");
    CHECK(field.ranges.size() == 1);
    CHECK(result.text().isEmpty());
}

TEST_CASE("under a symmetric scheme both ends move")
{
    CHECK(withMovedEnd({-2.0, 2.0}, {.domain = Domain::Magnitude}, 1.5) == Range{-1.5, 1.5});
    CHECK(withMovedEnd({-2.0, 2.0}, {.domain = Domain::Signed, .isLow = true}, -1.5) ==
          Range{-1.5, 1.5});
}

TEST_CASE("a low end one level beyond the threshold keeps its distance to it")
{
    const Range full{-1.0, 127.0 / 128.0};
    CHECK(withMovedEnd(full, {.domain = Domain::Signed, .isLow = true}, -0.5) ==
          Range{-0.5 * 127.0 / 128.0, 0.5 * 127.0 / 128.0});
    CHECK(withMovedEnd(full, {.domain = Domain::Signed}, 0.5) == Range{-0.5, 0.5});
    CHECK(withMovedEnd(full, {.domain = Domain::Magnitude}, 0.5) == Range{-0.5, 0.5});
    const Range fourBits{-8.0, 7.0};  // in |x| the low end is seen
    CHECK(withMovedEnd(fourBits, {.domain = Domain::Magnitude}, 4.0) == Range{-3.5, 3.5});
}

TEST_CASE("under an affine scheme one end moves, and not across 0")
{
    const PlacedEnd low{.domain = Domain::Signed, .isAffine = true, .isLow = true};
    const PlacedEnd high{.domain = Domain::Signed, .isAffine = true};
    CHECK(withMovedEnd({-0.5, 3.0}, low, -0.25) == Range{-0.25, 3.0});
    CHECK(withMovedEnd({-0.5, 3.0}, high, 2.5) == Range{-0.5, 2.5});
    CHECK(withMovedEnd({-0.5, 3.0}, low, 0.1) == Range{0.0, 3.0});
    CHECK(withMovedEnd({-0.5, 3.0}, high, -0.1) == Range{-0.5, 0.0});
}

TEST_CASE("in |x| the farther end of an affine range is the one that is seen and moves")
{
    const PlacedEnd end{.domain = Domain::Magnitude, .isAffine = true};
    CHECK(withMovedEnd({-0.5, 3.0}, end, 2.0) == Range{-0.5, 2.0});
    CHECK(withMovedEnd({-3.0, 0.5}, end, 2.0) == Range{-2.0, 0.5});
    CHECK(withMovedEnd({-3.01, 3.0}, end, 2.5) == Range{-3.01, 2.5});  // as good as symmetric
}

}  // namespace manual_threshold_test
