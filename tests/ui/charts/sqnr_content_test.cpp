// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sqnr_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"

#include <limits>

namespace sqnr_content_test {

using namespace calibscope;
using namespace calibscope::test;

SqnrMark markOf(Domain domain = Domain::Magnitude)
{
    return {.line = {.threshold = {1.0, 2.0, 3.0, 4.0}, .sqnrDb = {10.0, 30.0, 34.0, 32.0}},
            .scheme = QStringLiteral("symmetric, 8 bits"),
            .domain = domain,
            .dataEnds = {-0.5, 4.0},
            .dots = {{.label = QStringLiteral("percentile"),
                      .color = QColor(0xad8000),
                      .marker = SeriesMarker::Square,
                      .place = 2.0,
                      .sqnrDb = 30.0,
                      .emphasised = true},
                     {.label = QStringLiteral("min-max per channel"),
                      .color = QColor(0x0b5cad),
                      .place = 4.0,
                      .sqnrDb = 41.0,
                      .isPerChannel = true}}};
}

TEST_CASE("between two thresholds the line is straight, beyond its ends there is none")
{
    SqnrContent content;
    content.setMark(markOf());
    CHECK(content.lineAt(2.5) == 32.0);
    CHECK(content.lineAt(1.0) == 10.0);
    CHECK(content.lineAt(4.0) == 32.0);
    CHECK(content.lineAt(-2.5) == 32.0);  // the threshold is a magnitude
    CHECK_FALSE(content.lineAt(0.5));
    CHECK_FALSE(content.lineAt(4.5));
}

TEST_CASE("the legend tells the highest place and the open calibrator; hollow is per channel")
{
    SqnrContent content;
    content.setMark(markOf());
    const std::vector<LegendEntry> legend = content.legend();
    REQUIRE(legend.size() == 3);
    CHECK(legend[0].text == "≈ symmetric, 8 bits: max 34.0 dB at 3");
    CHECK(legend[0].brief == "≈ max 34.0 dB");
    CHECK(legend[1].text == "percentile: 30.0 dB");
    CHECK(legend[1].brief == "30.0 dB");
    CHECK(legend[1].marker == SeriesMarker::Square);
    CHECK(legend[2].sign == LegendEntry::Sign::Ring);
}

TEST_CASE("a calibrator under the pointer is named with its result")
{
    SqnrContent content;
    content.setMark(markOf());
    const PlotFrame frame = frameOf(content);
    const QPointF dot(frame.x.scale.toPixel(2.0), frame.y.front().scale.toPixel(30.0));
    CHECK(content.hoverText(dot + QPointF(3.0, -3.0), frame) == "percentile at 2: 30.00 dB");
    CHECK(content.hoverText(dot + QPointF(40.0, 0.0), frame).isEmpty());
    CHECK(content.readout(2.5, frame) == "threshold 2.5   SQNR ≈32.00 dB (symmetric, 8 bits)");
}

TEST_CASE("among signed values the line has both sides, as far as there are values")
{
    SqnrContent content;
    content.setMark(markOf(Domain::Signed));
    CHECK(content.fullRange() == Range{-0.5, 4.0});
    CHECK(content.table({-4.0, 4.0})->rowCount() == 8);
    CHECK_FALSE(content.logX());
    SqnrMark positive = markOf(Domain::Signed);
    positive.dataEnds = {0.0, 4.0};
    content.setMark(positive);
    CHECK(content.table({-4.0, 4.0})->rowCount() == 4);
}

TEST_CASE("under an affine scheme the line is that of the farther end, and dots mark both")
{
    SqnrMark mark = markOf(Domain::Signed);
    mark.isAffine = true;
    mark.dots.front().otherEnd = -0.25;
    SqnrContent content;
    content.setMark(mark);
    CHECK(content.lineAt(2.5) == 32.0);
    CHECK_FALSE(content.lineAt(-2.5));
    CHECK(content.table({-10.0, 10.0})->rowCount() == 4);
    CHECK(content.legend()[1].text == "percentile: 30.0 dB");
    const PlotFrame frame = frameOf(content);
    CHECK(content.readout(-0.2, frame) == "the line moves the high end and holds the low one");
    const QPointF low(frame.x.scale.toPixel(-0.25), frame.y.front().scale.toPixel(30.0));
    CHECK(content.hoverText(low, frame) == "percentile at −0.25 … 2: 30.00 dB");
    mark.dataEnds = {-4.0, 0.5};
    content.setMark(mark);
    CHECK(content.lineAt(-2.5) == 32.0);
    CHECK_FALSE(content.lineAt(0.25));
}

TEST_CASE("what is not finite has no dot, no line is a sentence")
{
    SqnrContent content;
    SqnrMark mark = markOf();
    mark.dots[0].sqnrDb = std::numeric_limits<double>::infinity();
    content.setMark(mark);
    CHECK(content.mark().dots.size() == 1);
    content.setMark({});
    CHECK(content.isEmpty());
    CHECK_FALSE(content.emptyText().isEmpty());
}

}  // namespace sqnr_content_test
