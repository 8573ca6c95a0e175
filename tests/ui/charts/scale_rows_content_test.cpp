// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scale_rows_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"
#include "ui/plot/number_label.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace scale_rows_content_test {

using namespace calibscope::test;
using namespace calibscope;

TEST_CASE("scales are counted by their binary logarithm, a quarter of a bit to a bin")
{
    SpreadContent content;
    const std::vector<double> scales = {1.0, 1.0, 2.0,
                                        4.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
    content.setScales(scales);
    CHECK_FALSE(content.isEmpty());
    const auto table = content.table({0.0, 3.0});
    REQUIRE(table);
    CHECK(table->rowCount() == 9);  // 0 to 2.25
    CHECK_THAT(content.readout(0.1, {}).toStdString(), test::containsText("count 2"));
    CHECK(content.xTitle().toStdString() == "log₂ of the scale");
}

TEST_CASE("equal scales are one column, and none are a sentence")
{
    SpreadContent content;
    content.setScales(std::vector<double>(7, 0.3));
    CHECK_FALSE(content.isEmpty());
    content.setScales({});
    CHECK(content.isEmpty());
    CHECK_FALSE(content.emptyText().isEmpty());
    content.setScales(std::vector{1e-38, 1e38});  // 252 bits
    CHECK_FALSE(content.isEmpty());
}

const double none = std::numeric_limits<double>::quiet_NaN();

ScaleRowsMark rowsOf(std::vector<double> first, std::vector<double> second = {})
{
    ScaleRowsMark mark;
    mark.order.resize(first.size());
    std::iota(mark.order.begin(), mark.order.end(), std::size_t{0});
    mark.xTitle = QStringLiteral("channel");
    mark.rows.push_back({.label = QStringLiteral("Min-max"),
                         .color = QColor(0x0072b2),
                         .scales = std::move(first),
                         .tensorScale = {}});
    if (!second.empty())
        mark.rows.push_back({.label = QStringLiteral("L2"),
                             .color = QColor(0xd55e00),
                             .isHollow = true,
                             .scales = std::move(second),
                             .tensorScale = {}});
    return mark;
}

TEST_CASE("the legend has the signs that are drawn: dots and dashes, rings and dotted lines")
{
    ScaleRowsMark mark = rowsOf({0.1, 0.2}, {0.09, 0.2});
    for (ScaleRowMark& row : mark.rows)
        row.tensorScale = 0.2;
    ScaleRowsContent content;
    content.setRows(mark);
    const std::vector<LegendEntry> entries = content.legend();
    REQUIRE(entries.size() == 4);
    CHECK(entries[0].sign == LegendEntry::Sign::Dot);
    CHECK(entries[1].style == Qt::DashLine);
    CHECK(entries[2].sign == LegendEntry::Sign::Ring);
    CHECK(entries[3].style == Qt::DotLine);
    // More than two rows take too much of the plot.
    const PlotFrame narrow = layoutPlot(
        content,
        {.outer = {0.0, 0.0, 280.0, 600.0}, .shown = content.fullRange(), .font = pictureFont(13)});
    REQUIRE(narrow.legend.size() == 4);
    CHECK(narrow.legend[0].entry.text == "Min-max");
    CHECK(narrow.legend[1].entry.text == "tensor 0.2");
    CHECK(frameOf(content).legend[0].entry.text == "Min-max per channel");
}

TEST_CASE("two calibrators are two dots for each channel, one without a scale has none")
{
    ScaleRowsContent content;
    content.setRows(rowsOf({0.1, 0.2, none}, {0.09, 0.2, 0.3}));
    CHECK(paintingOf(content).ellipses == 5);
    CHECK(content.legend().back().text == QString::fromUtf8("×  without a scale: channel 2"));
}

TEST_CASE("more than a thousand channels are bars, zoomed in they are dots")
{
    std::vector<double> scales(6625, 0.01);
    scales[4321] = 1.0;
    ScaleRowsContent content;
    content.setRows(rowsOf(scales));
    const RecordedPainting all = paintingOf(content);
    CHECK(all.ellipses == 0);
    CHECK(all.rects.size() > 500);
    CHECK(all.rects.size() <= 900);
    CHECK(std::ranges::count_if(
              all.rects, [](const DrawnRect& drawn) { return drawn.rect.height() > 100.0; }) == 1);
    CHECK(paintingOf(content, Range{4300.0, 4340.0}).ellipses >= 41);
}

TEST_CASE("places follow the order: what is told of a place is told of its channel")
{
    ScaleRowsMark mark = rowsOf({0.25, 1.0, 0.5});
    mark.order = {0, 2, 1};
    mark.median = 0.5;
    ScaleRowsContent content;
    content.setRows(mark);
    CHECK(content.channelAt(1.3) == 2U);
    CHECK(content.channelAt(2.0) == 1U);
    CHECK_FALSE(content.channelAt(-0.6));
    CHECK_FALSE(content.channelAt(2.6));
    CHECK(content.readout(2.0, {}).toStdString() == "channel 1   Min-max 1   ×2 of the median");
    CHECK(content.readout(9.0, {}).isEmpty());
}

TEST_CASE("the axis holds all scales, the tensor's own and the band around the median")
{
    ScaleRowsMark mark = rowsOf({0.01, 0.1});
    mark.rows[0].tensorScale = 1.0;
    mark.median = 0.02;
    ScaleRowsContent content;
    content.setRows(mark);
    const auto axes = content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))});
    REQUIRE(axes.size() == 1);
    CHECK(axes[0].kind == ScaleKind::Log);
    CHECK(axes[0].values.low < 0.02 / 3.0);
    CHECK(axes[0].values.high > 1.0);
    CHECK(content.legend().size() == 2);
}

TEST_CASE("channels far below the others are in a band of their own, and squash nothing")
{
    std::vector<double> scales(200, 0.03);
    for (std::size_t channel = 0; channel < scales.size(); ++channel)
        scales[channel] *= 1.0 + 0.01 * double(channel % 50);
    scales[72] = 2.7e-17;
    scales[154] = 8.7e-19;
    ScaleRowsMark mark = rowsOf(scales);
    mark.median = 0.037;
    mark.effectivelyDead = {72, 154};
    ScaleRowsContent content;
    content.setRows(mark);
    const PlotFrame frame = frameOf(content);
    const PlotAxis& axis = frame.y.front();
    // The band around the median, a factor of 9, takes most of the height.
    const double band = axis.scale.toPixel(0.037 / 3.0) - axis.scale.toPixel(0.037 * 3.0);
    CHECK(band > 0.6 * frame.area.height());
    CHECK(std::ranges::any_of(axis.ticks, [](const Tick& tick) { return tick.label == "<"; }));
    CHECK(std::ranges::none_of(axis.ticks, [](const Tick& tick) { return tick.label == ">"; }));
    // Two triangles in the band, and circles for the others.
    CHECK(paintingOf(content).ellipses == 198);
    const std::vector<LegendEntry> entries = content.legend();
    CHECK(entries.back().text == "effectively dead: 72, 154");
    CHECK(content.readout(72.0, frame).contains("effectively dead"));
    CHECK(content.readout(72.0, frame).contains(valueLabel(2.7e-17, 5)));
    CHECK(content.summary().contains("2 channels are far off"));
}

TEST_CASE("a channel far above has a band at the other end")
{
    ScaleRowsMark mark = rowsOf({0.1, 0.11, 0.12, 5e7});
    mark.median = 0.115;
    ScaleRowsContent content;
    content.setRows(mark);
    const PlotFrame frame = frameOf(content);
    const auto& ticks = frame.y.front().ticks;
    CHECK(std::ranges::any_of(ticks, [](const Tick& tick) { return tick.label == ">"; }));
    CHECK(frame.y.front().scale.values().high < 10.0);
}

TEST_CASE("without a median there are no bands")
{
    ScaleRowsContent content;
    content.setRows(rowsOf({1e-9, 1.0}));
    CHECK(frameOf(content).y.front().scale.values().low < 1e-9);
}

TEST_CASE("the cursor tells the channel, as whole as it is")
{
    ScaleRowsMark mark = rowsOf({0.1, 0.2, 0.3});
    mark.order = {2, 0, 1};
    ScaleRowsContent content;
    content.setRows(mark);
    CHECK(content.xText(0.91, 0.1) == "channel 0");
    CHECK(content.xText(-0.2, 0.1) == "channel 2");
}

TEST_CASE("a chosen channel has a ring around each of its dots")
{
    ScaleRowsContent content;
    content.setRows(rowsOf({0.1, 0.2}, {0.1, 0.3}));
    const int before = paintingOf(content).ellipses;
    content.setChosen({{.channel = 1, .color = Qt::black}, {.channel = 99, .color = Qt::black}});
    CHECK(paintingOf(content).ellipses == before + 2);
}

TEST_CASE("what the band's lines are stands where no dot is")
{
    // Dots on all three lines at the right, where the labels would stand; none at the left.
    std::vector<double> scales(200, 0.1);
    for (std::size_t channel = 100; channel < scales.size(); ++channel)
        scales[channel] = channel % 3 == 0 ? 0.3 : channel % 3 == 1 ? 0.1 : 0.1 / 3.0;
    std::fill_n(scales.begin(), 60, 0.17);
    ScaleRowsMark mark = rowsOf(scales);
    mark.median = 0.1;
    ScaleRowsContent content;
    content.setRows(mark);
    const PlotFrame frame = frameOf(content);
    int labels = 0;
    for (const DrawnText& text : paintingOf(content).texts) {
        if (!text.text.contains("median"))
            continue;
        ++labels;
        CAPTURE(text.text.toStdString());
        for (std::size_t channel = 0; channel < scales.size(); ++channel)
            CHECK_FALSE(text.box.contains({frame.x.scale.toPixel(static_cast<double>(channel)),
                                           frame.y.front().scale.toPixel(scales[channel])}));
    }
    CHECK(labels == 3);
}

TEST_CASE("where dots are everywhere the median has no label that covers some")
{
    ScaleRowsContent content;
    ScaleRowsMark mark = rowsOf(std::vector<double>(200, 0.1));
    mark.median = 0.1;
    content.setRows(mark);
    const RecordedPainting painting = paintingOf(content);
    const auto count = [&](const QString& text) {
        return std::ranges::count(painting.texts, text, &DrawnText::text);
    };
    CHECK(count("median") == 0);
    CHECK(count("3 × median") == 1);
}

TEST_CASE("scales that no channel has are a sentence")
{
    ScaleRowsContent content;
    CHECK(content.isEmpty());
    content.setRows(rowsOf({none, none}));
    CHECK(content.isEmpty());
    CHECK_FALSE(content.emptyText().isEmpty());
    content.setRows(rowsOf({1.0}));
    CHECK_FALSE(content.isEmpty());
    content.setEmpty(QStringLiteral("Computing"));
    CHECK(content.isEmpty());
    CHECK(content.summary() == QStringLiteral("Computing"));
}

TEST_CASE("the table has what is in view, channel by channel")
{
    ScaleRowsMark mark = rowsOf({0.25, 1.0, 0.5}, {0.2, 0.9, 0.4});
    mark.order = {0, 2, 1};
    ScaleRowsContent content;
    content.setRows(mark);
    const std::optional<PlotTable> table = content.table({-0.5, 2.5});
    REQUIRE(table);
    REQUIRE(table->columns.size() == 3);
    REQUIRE(table->rowCount() == 3);
    CHECK(cellText(table->columns[0], 1).toStdString() == "2");
    CHECK(cellText(table->columns[2], 1).toStdString() == "0.4");
    CHECK_THAT(content.summary().toStdString(), containsText("a spread of 2 bits"));
}

}  // namespace scale_rows_content_test
