// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/budget_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"

#include <QSignalSpy>
#include <QTest>

#include <limits>

namespace budget_content_test {

using namespace calibscope;
using namespace calibscope::test;

std::vector<BudgetMark> somePoints()
{
    return {
        {.extraPercent = 0.0, .db = 17.4, .lowDb = 14.8, .highDb = 19.9, .changes = "none"},
        {.extraPercent = 0.3, .db = 28.4, .lowDb = 26.9, .highDb = 29.9, .changes = "two"},
        {.extraPercent = 16.0, .db = 33.6, .changes = "many"},
        {.extraPercent = 300.0, .db = std::numeric_limits<double>::infinity(), .changes = "all"}};
}

TEST_CASE("a cost belongs to the point that is nearest by ratio; none is at the left end")
{
    BudgetContent content;
    content.setPoints(somePoints());
    CHECK(content.nearest(content.fullRange().low) == 0);
    CHECK(content.nearest(0.2) == 0);
    CHECK(content.nearest(0.22) == 1);
    CHECK(content.nearest(2.0) == 1);  // 6.7 times 0.3, an eighth of 16
    CHECK(content.nearest(2.4) == 2);
    CHECK(content.nearest(1e9) == 3);
    REQUIRE(content.logX());
    CHECK(content.logX()->least == 0.3);
    CHECK(content.fullRange().low == Approx(0.15));
}

TEST_CASE("a point is reported with its interval and changes, the last one without noise")
{
    BudgetContent content;
    content.setPoints(somePoints());
    const PlotFrame frame = frameOf(content);
    CHECK(content.readout(0.31, frame).toStdString() == "+0.3 %   28.4 dB   26.9 to 29.9   two");
    CHECK(content.readout(300.0, frame).toStdString() == "+300 %   no noise   all");
    content.setChosen(1);
    CHECK(content.summary().toStdString() ==
          "SQNR at the network's end by cost, 4 points, from 17.4 dB as accepted. Chosen: "
          "+0.3 %, 28.4 dB, 26.9 to 29.9, two.");
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    CHECK(table->rowCount() == 4);
    CHECK(cellText(table->columns[1], 3) == "inf");
    const std::vector<YAxis> axes =
        content.yAxes({frame.x.scale, {400.0, 300.0}, QFontMetricsF(frame.font)});
    CHECK(axes.front().values.low < 14.8);
    CHECK(axes.front().values.high > 33.6);
    CHECK(axes.front().values.high < 40.0);  // what has no noise is not on the axis
}

TEST_CASE("the handle is on the chosen point, and where it goes it chooses one")
{
    BudgetPlot plot;
    plot.setPoints(somePoints());
    CHECK(plot.isLogX());
    plot.setChosen(2);
    const std::vector<PlotHandle> handles = plot.shown().handles();
    REQUIRE(handles.size() == 1);
    CHECK(handles[0].value == 16.0);
    CHECK(handles[0].allowed.contains(300.0));
    const QSignalSpy chosen(&plot, &BudgetPlot::pointChosen);
    Q_EMIT plot.handleMoved(handles[0].id, 0.5, false);
    Q_EMIT plot.clicked({299.0, 10.0});
    REQUIRE(chosen.count() == 2);
    CHECK(chosen.at(0).at(0).value<std::size_t>() == 1);
    CHECK(chosen.at(1).at(0).value<std::size_t>() == 3);
    plot.setChosen(1);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Left);
    REQUIRE(chosen.count() == 4);
    CHECK(chosen.at(2).at(0).value<std::size_t>() == 2);
    CHECK(chosen.at(3).at(0).value<std::size_t>() == 0);
    plot.setPoints({{.db = std::numeric_limits<double>::quiet_NaN()}});
    const Range one = plot.shown().handles()[0].allowed;
    CHECK(one.low <= one.high);
    CHECK(plot.shown().readout(1.0, frameOf(plot.shown())).contains("not known"));
    plot.clear("nothing");
    CHECK(plot.shown().handles().empty());
}

}  // namespace budget_content_test
