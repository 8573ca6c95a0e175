// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/running_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"
#include "ui/theme/sqnr_limits.h"

#include <algorithm>
#include <limits>

namespace running_content_test {

using namespace calibscope::test;
using namespace calibscope;

std::vector<RunningMark> someTensors()
{
    return {{.name = "a", .running = std::numeric_limits<double>::infinity(), .own = 40.0},
            {.name = "w", .own = 44.0, .layer = 30.0},
            {.name = "b", .running = 12.5, .own = 33.0, .drop = 17.5, .standsOut = true},
            {.name = "c", .running = 11.5, .own = 35.0, .drop = 2.0},
            {.name = "output y", .running = 20.0}};
}

TEST_CASE(
    "a drop is a column from what was to be expected down to the line, wide where it stands out")
{
    RunningContent content;
    content.setTensors(someTensors());
    const PlotFrame frame = frameOf(content);
    const AxisScale& y = frame.y.front().scale;
    const RecordedPainting painting = paintingOf(content);
    const std::vector<QRectF> drops = rectsOf(painting, sqnrColor(SqnrGrade::Poor, frame.colors));
    REQUIRE(drops.size() == 1);
    CHECK(drops[0].top() == Approx(y.toPixel(30.0)).margin(0.5));
    CHECK(drops[0].bottom() == Approx(y.toPixel(12.5)).margin(0.5));
    CHECK(drops[0].center().x() == Approx(frame.x.scale.toPixel(3.0)).margin(0.5));
    CHECK(drops[0].width() > 1.0);
}

TEST_CASE("a tensor is reported with its figures, one that is absent without")
{
    RunningContent content;
    content.setTensors(someTensors());
    CHECK(content.readout(2.9, frameOf(content)).toStdString() ==
          "b   running 12.5 dB   own 33.0 dB   drop 17.5 dB");
    CHECK(content.readout(2.0, frameOf(content)).toStdString() ==
          "w   own 44.0 dB   layer 30.0 dB");
    CHECK(content.readout(6.0, frameOf(content)).isEmpty());
    CHECK(content.summary().toStdString() ==
          "Running SQNR along 5 tensors. The largest drop is 17.5 dB, at b.");
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    CHECK(table->rowCount() == 5);
    CHECK(cellText(table->columns[1], 2) == "12.5");
}

TEST_CASE("the axis has room for negative figures, and for none")
{
    RunningContent content;
    CHECK(content.isEmpty());
    content.setTensors({{.name = "a", .running = -4.0}});
    CHECK(frameOf(content).y.front().scale.values().contains(-4.0));
    content.setTensors({{.name = "w"}});
    CHECK(frameOf(content).y.front().scale.values().width() > 0.0);
    content.clear();
    CHECK(content.isEmpty());
}

TEST_CASE("the line is dashed across tensors without a number, and one alone between two is a dot")
{
    RunningContent content;
    const auto linesOf = [&](std::vector<RunningMark> tensors) {
        content.setTensors(std::move(tensors));
        return paintingOf(content);
    };
    const RunningMark none{.name = "w", .own = 44.0};
    const auto with = [](double db) { return RunningMark{.name = "t", .running = db}; };
    const int whole = linesOf({with(20), with(19), with(18), with(17)}).polylines;
    CHECK(linesOf({with(20), with(19), none, with(18), with(17)}).polylines == whole + 1);
    CHECK(linesOf({with(20), with(19), none, with(18), none}).ellipses >= 3);
}

}  // namespace running_content_test
