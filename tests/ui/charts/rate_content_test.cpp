// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/rate_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"

#include <QSignalSpy>
#include <QTest>

namespace rate_content_test {

using namespace calibscope;
using namespace calibscope::test;

std::vector<RateMark> someMarks()
{
    return {{.format = "int4-row", .family = "int4", .bits = 4.1, .db = 15.0},
            {.format = "int4-g32", .family = "int4", .bits = 5.0, .db = 20.0},
            {.format = "nvfp4", .family = "nvfp4", .bits = 4.5, .db = 22.0, .isBest = true},
            {.format = "int8-row", .family = "int8", .bits = 8.1, .db = 42.0, .isBest = true}};
}

TEST_CASE("the readout is the best that so many bits buy")
{
    RateContent content;
    content.setMarks(someMarks());
    const PlotFrame frame = frameOf(content);
    CHECK(content.readout(4.2, frame).toStdString() ==
          "with at most 4.20 bits: int4-row: 15.0 dB at 4.1 bits");
    CHECK(content.readout(6.0, frame).toStdString() ==
          "with at most 6.00 bits: nvfp4: 22.0 dB at 4.5 bits");
    CHECK(content.readout(3.9, frame).isEmpty());
}

TEST_CASE("a point belongs to the nearest mark, as shares of the axes; a card needs one near by")
{
    RateContent content;
    content.setMarks(someMarks());
    CHECK(content.nearest(5.0, 20.5) == 1);
    CHECK(content.nearest(4.5, 38.0) == 2);  // 16 of 27 dB up; 3.6 of 5.5 bits to int8
    const PlotFrame frame = frameOf(content);
    const QPointF at(frame.x.scale.toPixel(8.1), frame.y.front().scale.toPixel(42.0));
    CHECK(content.hoverText(at, frame).toStdString() == "int8-row: 42.0 dB at 8.1 bits");
    CHECK(content.hoverText(at + QPointF(-60.0, 0.0), frame).isEmpty());
}

TEST_CASE("marks are a table, families a legend, and all of it a sentence")
{
    RateContent content;
    content.setMarks(someMarks());
    content.setChosen(2);
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    CHECK(table->rowCount() == 4);
    CHECK(content.legend().size() == 3);
    CHECK(content.summary().toStdString() ==
          "SQNR by effective bits of 4 number formats, 2 of which no other one exceeds. Chosen: "
          "nvfp4: 22.0 dB at 4.5 bits.");
    content.setEmpty("none");
    CHECK(content.isEmpty());
    CHECK_FALSE(content.chosen());
}

TEST_CASE("Left and Right go from mark to mark")
{
    RatePlot plot;
    plot.resize(500, 300);
    plot.setMarks(someMarks());
    QSignalSpy chosen(&plot, &RatePlot::markChosen);
    QTest::keyClick(&plot, Qt::Key_Right);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen.back().front().value<std::size_t>() == 0U);
    plot.setChosen(1);
    QTest::keyClick(&plot, Qt::Key_Right);
    CHECK(chosen.back().front().value<std::size_t>() == 2U);
}

}  // namespace rate_content_test
