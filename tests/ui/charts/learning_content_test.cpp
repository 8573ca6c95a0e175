// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/learning_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"

namespace learning_content_test {

using namespace calibscope;
using namespace calibscope::test;

LearningMark curve(const QString& label, std::vector<double> thresholds, bool hasBand = false)
{
    LearningMark mark{.label = label, .color = QColor(0x0072b2), .points = {}, .converged = {}};
    for (const double threshold : thresholds) {
        LearningPoint point{.units = mark.points.size() + 1,
                            .threshold = threshold,
                            .low = std::nullopt,
                            .high = std::nullopt};
        if (hasBand) {
            point.low = threshold * 0.5;
            point.high = threshold * 2.0;
        }
        mark.points.push_back(point);
    }
    mark.emphasised = hasBand;
    return mark;
}

Range yOf(const LearningContent& content)
{
    return content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))})[0].values;
}

TEST_CASE("a curve is a line with a dot for each number of batches")
{
    LearningContent content;
    content.setCurves({curve("min-max", {1.0, 2.0, 2.0})}, "batches");
    const RecordedPainting painting = paintingOf(content);
    CHECK(painting.ellipses == 3);
    CHECK(content.xTitle() == "batches");
    CHECK(content.fullRange().contains(1.0));
    CHECK(content.fullRange().contains(3.0));
}

TEST_CASE("the axis holds the band of the curve in focus and no other's")
{
    LearningContent content;
    content.setCurves({curve("a", {1.0, 2.0}), curve("b", {1.0, 1.5}, true)}, "batches");
    CHECK(yOf(content).high >= 3.0);
    CHECK(yOf(content).low <= 0.5);
    content.setCurves({curve("a", {1.0, 2.0}), curve("b", {1.0, 1.5})}, "batches");
    CHECK(yOf(content).high < 2.2);
}

TEST_CASE("numbers of affine schemes are called widths")
{
    LearningContent content;
    const auto title = [&] {
        return content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))})[0]
            .title;
    };
    LearningMark wide = curve("mse", {4.0, 4.5});
    wide.isWidth = true;
    content.setCurves({curve("min-max", {1.0, 2.0})}, "batches");
    CHECK(title() == "threshold");
    content.setCurves({wide}, "batches");
    CHECK(title() == "width of the range");
    CHECK(content.readout(2.0, frameOf(content)) == "2 batches   mse width 4.5");
    content.setCurves({curve("min-max", {1.0, 2.0}), wide}, "batches");
    CHECK(title() == "threshold, or width of an affine range");
    const PlotTable table = content.table({0.0, 3.0}).value();
    CHECK(table.columns[1].title == "threshold, min-max");
    CHECK(table.columns[4].title == "width, mse");
}

TEST_CASE("a band that is open above reaches the upper edge")
{
    LearningMark open = curve("max", {1.0, 2.0, 2.0}, true);
    for (LearningPoint& point : open.points)
        point.high.reset();
    LearningContent content;
    content.setCurves({open}, "samples");
    CHECK_THAT(content.readout(3.0, {}).toStdString(), containsText("max 2 (1 or more)"));
    CHECK(yOf(content).high < 2.3);
    const auto texts = content.legend();
    CHECK(texts.back().text == "95 % band");
}

TEST_CASE("where a curve has converged stands beside a line")
{
    LearningMark converged = curve("mse", {1.0, 2.0, 2.0, 2.0});
    converged.converged = 2;
    LearningContent content;
    content.setCurves({converged}, "batches");
    bool isTold = false;
    for (const DrawnText& text : paintingOf(content).texts)
        isTold = isTold || text.text == "within 1 % of the last from 2 on";
    CHECK(isTold);
    CHECK(content.summary().toStdString() == "mse stays within 1 % from 2 of 4 batches on.");
    converged.converged.reset();
    content.setCurves({converged}, "batches");
    CHECK_THAT(content.summary().toStdString(), containsText("still changes"));
}

TEST_CASE("the label of where it has converged hides no curve")
{
    const auto labelTop = [](std::vector<double> thresholds) {
        LearningMark converged = curve("mse", std::move(thresholds));
        converged.converged = 2;
        LearningContent content;
        content.setCurves({converged}, "batches");
        for (const DrawnText& text : paintingOf(content).texts)
            if (text.text.startsWith("within 1 %"))
                return text.box.top();
        return 0.0;
    };
    const double below = labelTop({1.0, 9.0, 9.0, 9.0});
    REQUIRE(below > 0.0);
    CHECK(labelTop({9.0, 1.0, 1.0, 1.0}) < below);  // the curve runs along the lower edge
}

TEST_CASE("the table has a row for each number of batches, and blanks where a curve has none")
{
    LearningMark sparse = curve("b", {1.0, 1.5}, true);
    sparse.points[1].units = 4;
    LearningContent content;
    content.setCurves({curve("a", {1.0, 2.0}), sparse}, "batches");
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    REQUIRE(table->rowCount() == 3);
    REQUIRE(table->columns.size() == 7);
    CHECK(cellText(table->columns[0], 2) == "4");
    CHECK(cellText(table->columns[1], 2).isEmpty());
    CHECK(cellText(table->columns[4], 2) == "1.5");
    CHECK(cellText(table->columns[5], 2) == "0.75");
    CHECK(cellText(table->columns[6], 2) == "3");
}

TEST_CASE("without a point there is a sentence")
{
    LearningContent content;
    content.setCurves({LearningMark{.label = "a", .color = {}, .points = {}, .converged = {}}},
                      "batches");
    CHECK(content.isEmpty());
    content.setEmpty("one batch");
    CHECK(content.emptyText() == "one batch");
    content.setCurves({curve("a", {0.0})}, "batches");  // a threshold of 0 alone
    CHECK_FALSE(content.isEmpty());
    CHECK(yOf(content).width() > 0.0);
}

}  // namespace learning_content_test
