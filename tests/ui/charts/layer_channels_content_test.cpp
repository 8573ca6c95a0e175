// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/layer_channels_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"

namespace layer_channels_content_test {

using namespace calibscope;
using namespace calibscope::test;

const QColor mean(0xd55e00);
const QColor spread(0xbfc6cf);

LayerChannelsMark someChannels()
{
    return {.channels = {.signal = {4.0, 1.0, 0.0},
                         .noise = {0.25, 0.04, 0.0},
                         .meanError = {0.3, -0.1, 0.0},
                         .gainDb = {1.9, 1.2, 0.0},
                         .isDead = {false, false, true}},
            .meanColor = mean,
            .spreadColor = spread};
}

TEST_CASE("mean errors stand up or down from 0 before the root of the mean square")
{
    LayerChannelsContent content;
    content.setChannels(someChannels());
    const PlotFrame frame = frameOf(content);
    const AxisScale& y = frame.y.front().scale;
    const RecordedPainting painting = paintingOf(content);
    const std::vector<QRectF> means = rectsOf(painting, mean);
    const std::vector<QRectF> spreads = rectsOf(painting, spread);
    REQUIRE(means.size() == 3);
    REQUIRE(spreads.size() == 3);
    CHECK(means[0].top() == Approx(y.toPixel(0.3)).margin(0.5));
    CHECK(means[0].bottom() == Approx(y.toPixel(0.0)).margin(0.5));
    CHECK(means[1].bottom() == Approx(y.toPixel(-0.1)).margin(0.5));
    CHECK(spreads[0].top() == Approx(y.toPixel(0.5)).margin(0.5));
    CHECK(spreads[0].bottom() == Approx(y.toPixel(-0.5)).margin(0.5));
}

TEST_CASE("a channel is told with what correcting it gains, a dead one without")
{
    LayerChannelsContent content;
    content.setChannels(someChannels());
    CHECK(content.readout(0.2, {}).toStdString() ==
          "channel 0   mean error 0.3   root mean square 0.5   correcting it gains 1.9 dB");
    CHECK_THAT(content.readout(2.0, {}).toStdString(), containsText("no signal"));
    CHECK(content.readout(3.0, {}).isEmpty());
    CHECK(content.summary().toStdString() ==
          "Mean error of 3 output channels; the largest is 0.3 in channel 0.");
}

TEST_CASE("the table has all numbers of a channel")
{
    LayerChannelsContent content;
    content.setChannels(someChannels());
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    REQUIRE(table->rowCount() == 3);
    CHECK(cellText(table->columns[1], 1) == "-0.1");
    CHECK(cellText(table->columns[2], 0) == "0.5");
    CHECK(cellText(table->columns[3], 0) == "2");
    CHECK(cellText(table->columns[4], 1) == "1.2");
}

TEST_CASE("without channels there is a sentence, and errors of 0 have an axis")
{
    LayerChannelsContent content;
    CHECK(content.isEmpty());
    content.setEmpty("Computing");
    CHECK(content.summary() == "Computing");
    LayerChannelsMark none = someChannels();
    none.channels.noise = none.channels.meanError = {0.0, 0.0, 0.0};
    content.setChannels(none);
    CHECK(content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))})[0]
              .values.width() > 0.0);
}

}  // namespace layer_channels_content_test
