// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bins_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"

namespace bins_content_test {

using namespace calibscope;
using namespace calibscope::test;

BinsMark someBins()
{
    return {.bins = {.spec = {.bins = 4, .domain = Domain::Signed},
                     .low = 0.0,
                     .high = 4.0,
                     .counts = {1, 0, 3, 6}},
            .all = {-1.0, 5.0},
            .title = "pattern",
            .counted = "blocks",
            .levels = {{0.5, "half"}, {2.5, "more"}},
            .limits = {{4.0, "largest"}},
            .sentence = "10 blocks."};
}

TEST_CASE("a bin is told with its count and share, a level near the pointer in its own words")
{
    BinsContent content;
    content.setMark(someBins());
    const PlotFrame frame = frameOf(content);
    CHECK(content.readout(3.5, frame).toStdString() == "3.5: 6 blocks, 60 %");
    CHECK(content.readout(4.5, frame).isEmpty());
    const auto at = [&](double x) {
        return QPointF(frame.x.scale.toPixel(x), frame.area.center().y());
    };
    CHECK(content.hoverText(at(2.5), frame) == "more");
    CHECK(content.hoverText(at(3.7), frame).toStdString() == "3.7: 6 blocks, 60 %");
    REQUIRE(content.levelAt(1.4));
    CHECK(content.levelAt(1.4)->text == "half");
}

TEST_CASE("limits are a legend, bins a table, and a handle is there if it is given")
{
    BinsContent content;
    CHECK(content.isEmpty());
    CHECK(content.handles().empty());
    BinsMark mark = someBins();
    mark.handle = PlotHandle{.id = "maximum", .value = 2.0};
    content.setMark(mark);
    CHECK(content.legend().size() == 1);
    CHECK(content.table({1.5, 3.5})->rowCount() == 3);
    CHECK(content.handles().size() == 1);
    CHECK(content.summary() == "10 blocks.");
    content.setEmpty("none");
    CHECK(content.handles().empty());
}

TEST_CASE("counts have a logarithmic axis, or a linear one from 0")
{
    BinsContent content;
    content.setMark(someBins());
    CHECK(frameOf(content).y.front().scale.kind() == ScaleKind::Log);
    content.setLogCount(false);
    CHECK(frameOf(content).y.front().scale.values().low == 0.0);
}

}  // namespace bins_content_test
